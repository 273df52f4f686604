// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a sheet's words stand for in the records of one file: whoever signs knows borrowers and
 * branches, not users and subjects.
 */
final class FieldWords {
  /** Names that are told one by one; of more the number. */
  private static final int MOST_NAMED = 12;

  private static final String LISTED = "listed in the file";

  private FieldWords() {}

  /** In sentences. */
  static String of(Pipeline pipeline) {
    InputSpec input = pipeline.input();
    List<String> said = new ArrayList<>();
    pipeline
        .population()
        .ifPresent(users -> said.add("A user is one value of %s.".formatted(field(users.user()))));
    said.add(
        input
            .constantSubject()
            .map("All records have the subject '%s'."::formatted)
            .orElseGet(
                () ->
                    "A subject is one value of %s: %s."
                        .formatted(field(input.subject()), subjects(pipeline))));
    if (!input.categoryFields().isEmpty()) {
      said.add(
          "A category is %s: %s."
              .formatted(
                  input.categoryFields().stream()
                      .map(FieldWords::field)
                      .collect(Collectors.joining(", ", "the value of ", "")),
                  categories(input)));
    }
    if (!input.numbers().isEmpty()) {
      said.add(
          "Numbers are those of %s."
              .formatted(
                  input.numbers().stream()
                      .map(FieldWords::field)
                      .collect(Collectors.joining(", "))));
    }
    said.add("Event time is %s.".formatted(field(input.time())));
    input
        .id()
        .ifPresent(
            part ->
                said.add(
                    "Records with one value of %s are copies of one event, which counts once for a user and window."
                        .formatted(field(part))));
    if (!input.where().conditions().isEmpty()) {
      said.add("Only records count of which %s.".formatted(input.where().words()));
    }
    pipeline.questions().stream()
        .filter(question -> !question.input().equals(input))
        .forEach(question -> said.add(own(question)));
    return String.join(" ", said);
  }

  /** What outputs are about that do not take all records, or have a category of their own. */
  private static String own(OutputQuestion question) {
    InputSpec records = question.input();
    return "In %s, %s; %s."
        .formatted(
            String.join(", ", question.outputs()),
            records.where().conditions().isEmpty()
                ? "all records count"
                : "only records count of which " + records.where().words(),
            records.categoryFields().isEmpty()
                ? "they have no category"
                : records.categoryFields().stream()
                        .map(FieldWords::field)
                        .collect(Collectors.joining(", ", "a category is the value of ", ": "))
                    + categories(records));
  }

  private static String field(String part) {
    return InputSpec.words(part);
  }

  private static String subjects(Pipeline pipeline) {
    return switch (pipeline.subjects()) {
      case OBSERVED -> "every value that occurs in records; each output names its subject";
      case ROSTER -> "those enrolled by command; each output names its subject";
      case LISTED -> all(pipeline.listed(), LISTED);
      case DISCOVERED ->
          "those that enough users have, selected privately by noisy counts and then published "
              + "by name";
    };
  }

  private static String categories(InputSpec input) {
    if (input.discovers()) {
      return "names selected privately (partition selection) and published once enough users "
          + "have them";
    }
    return input.isWide()
        ? String.format(
            Locale.ROOT, "%,d combinations of listed values, all public", input.places())
        : all(
            input.allCategories(),
            input.columns().filter(Crossing.class::isInstance).isPresent()
                ? "combinations of listed values"
                : LISTED);
  }

  private static String all(List<String> names, String what) {
    return String.format(
        Locale.ROOT,
        "%,d %s, all public%s",
        names.size(),
        what,
        names.size() > MOST_NAMED
            ? ""
            : names.stream()
                .map(name -> "'" + name + "'")
                .collect(Collectors.joining(", ", " (", ")")));
  }
}
