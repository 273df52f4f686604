// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code contributions:} of a pipeline file. */
public final class ContributionsReader {
  private ContributionsReader() {}

  /** What one user may add; nothing where the file protects records or datasets. */
  public static Optional<Population> population(
      Fields file, Optional<String> user, InputSpec input) {
    if (!file.has("contributions")) {
      user.ifPresent(
          field ->
              file.problem(
                  "contributions",
                  "is missing, with 'input.user'",
                  "what of a user counts in a window: {per-window: 4, subjects: 2}"));
      return Optional.empty();
    }
    Fields fields = file.section("contributions");
    int records = (int) fields.whole("per-window", 1, Population.MOST, Optional.empty());
    int subjects = (int) fields.whole("subjects", 1, Population.MOST, Optional.of(1L));
    if (subjects > records) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "at most per-window, " + records + ": each record has one subject");
    }
    if (records * subjects > Population.MOST_HELD) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "per-window times subjects is at most " + Population.MOST_HELD);
    }
    OptionalInt leftOut =
        fields.has("left-out")
            ? OptionalInt.of((int) fields.whole("left-out", 1, Population.MOST, Optional.empty()))
            : OptionalInt.empty();
    Optional<ExampleUsers> example = fields.list("plan-records").exampleUsers();
    OptionalInt items = ArrayItems.most(fields, input, records + leftOut.orElse(0));
    Optional<NameLimits> names = names(fields, input, records);
    fields.refuseUnknown();
    if (user.isEmpty()) {
      file.conflict("contributions", "found without 'input.user'", "only where users are named");
    }
    return user.map(
        field -> new Population(field, records, subjects, leftOut, example, items, names));
  }

  /** One record a name, unless the file says otherwise: then users are counted. */
  private static Optional<NameLimits> names(Fields fields, InputSpec input, int records) {
    if (!input.discovers()) {
      for (String field : List.of("per-name", "per-period")) {
        if (fields.has(field)) {
          fields.conflict(
              field,
              "found without 'input.categories.discover'",
              "only where names of categories are found");
        }
      }
      return Optional.empty();
    }
    int perName = (int) fields.whole("per-name", 1, records, Optional.of(1L));
    OptionalInt perPeriod =
        fields.has("per-period")
            ? OptionalInt.of(
                (int) fields.whole("per-period", 1, Population.MOST_IN_PERIOD, Optional.empty()))
            : OptionalInt.empty();
    return Optional.of(new NameLimits(perName, perPeriod));
  }
}
