// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.Shell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What would be worth more than the file that was drafted, by names and types of fields.
 *
 * @param file that was written
 * @param looked options that name the records
 * @param fields which are what
 * @param measured numbers that the file summarises
 */
public record DraftAdvice(
    Path file, List<String> looked, FieldRoles fields, List<MeasuredField> measured) {
  /** One a paragraph; none where nothing was looked at. */
  public List<String> on(Guess guess) {
    List<String> advice = new ArrayList<>();
    numbers(guess).ifPresent(advice::add);
    together(guess).ifPresent(advice::add);
    String subject = fields.subject();
    if (fields.user().isEmpty()) {
      Optional<String> users = guess.subject().filter(field -> !field.equals(subject));
      if (users.isPresent() && guess.isGroup(subject)) {
        advice.add(population(users.get(), subject));
      } else {
        guess.group(fields.all()).ifPresent(group -> advice.add(population(subject, group)));
      }
    }
    return advice;
  }

  /** Bounds become public: nobody takes them from the sample. */
  private Optional<String> numbers(Guess guess) {
    List<String> found = new ArrayList<>(guess.measurements(fields.all()));
    measured.forEach(value -> found.remove(value.field()));
    return found.stream()
        .findFirst()
        .map(
            field ->
                "'%s' holds numbers. For what they add up to and their mean say between which numbers one counts (from what is possible: it becomes public), --value %s=LOW,HIGH; for percentiles see docs/guides/percentiles.md."
                    .formatted(field, Shell.word(field)));
  }

  /** Two fields may belong together, whose names somebody has to list. */
  private Optional<String> together(Guess guess) {
    List<String> both = guess.categories(List.of(fields.subject(), fields.time(), fields.person()));
    if (both.size() < 2 || fields.category().size() > 1 || !both.containsAll(fields.category())) {
      return Optional.empty();
    }
    return Optional.of(
        "If '%s' and '%s' belong together: tables of each and of both that agree, for one charge, are --category %s --category %s, with a list for each (docs/guides/funnels.md)."
            .formatted(both.get(0), both.get(1), Shell.word(both.get(0)), Shell.word(both.get(1))));
  }

  private String population(String person, String group) {
    List<String> words = new ArrayList<>(List.of("sfumato", "new", beside(group)));
    words.addAll(List.of("--user", person, "--subject", group));
    words.addAll(List.of("--time", fields.time()));
    fields.category().forEach(field -> words.addAll(List.of("--category", field)));
    words.addAll(looked);
    return "If many of '%s' share each '%s', that is a population. To count in each '%s', and hide all that any one '%s' did:%n  %s"
        .formatted(person, group, group, person, Shell.line(words));
  }

  private String beside(String group) {
    return "%s-by-%s.yaml"
        .formatted(
            file.toString().replaceFirst("\\.ya?ml$", ""), group.replaceAll("[^A-Za-z0-9]+", "-"));
  }
}
