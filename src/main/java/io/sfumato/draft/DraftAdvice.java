// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.ReportText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What would be worth more than the file that was drafted.
 *
 * @param file that was written
 * @param looked options that name the records
 * @param fields which are what
 * @param measured numbers that the file summarises
 */
public record DraftAdvice(
    Path file, List<String> looked, Fields fields, List<MeasuredField> measured) {
  /** Fewer records in a window say little of their shares under any noise. */
  private static final int FEW = 10;

  /** Of all records: less is no tenth of a percent. */
  private static final double NEXT_TO_NONE = 0.0005;

  /** Why a window is as long as it is. */
  public static String typical(Guess.Window found) {
    return found.records() > 1
        ? ": in such a%nwindow half of those who have records have %d or more"
            .formatted(found.records())
        : "";
  }

  /** One a paragraph; none where nothing was looked at. */
  public List<String> on(Guess guess, Guess.Window window) {
    List<String> advice = new ArrayList<>();
    if (window.records() > 0 && window.records() < FEW) {
      advice.add(
          "In windows of %s half of those who have records have %s or fewer: their shares are mostly noise. Longer windows (--window) hold more."
              .formatted(Draft.length(window.size()), Amount.of(window.records(), "record")));
    }
    numbers(guess).ifPresent(advice::add);
    String subject = fields.subject();
    if (fields.user().isEmpty()) {
      Optional<String> users = guess.subject().filter(field -> !field.equals(subject));
      if (users.isPresent() && guess.isGroup(subject, users.get())) {
        advice.add(population(users.get(), subject));
      } else {
        guess
            .group(subject, Set.copyOf(List.of(fields.time(), fields.category())))
            .ifPresent(group -> advice.add(population(subject, group)));
      }
    }
    return advice;
  }

  /**
   * What bounds of users leave out, which nothing else tells: it is no noise.
   *
   * @param listed subjects of the file
   * @return nothing where all records count, or next to all
   */
  public Optional<String> leftOut(
      Guess guess, Guess.Window window, Guess.Bounds bounds, Set<String> listed) {
    double share =
        new LeftOut(bounds.records(), bounds.subjects())
            .share(guess.sample(), fields, window.size(), listed);
    return share > NEXT_TO_NONE
        ? Optional.of(
            "Of the records looked at, %s lie beyond 'per-window: %d' or 'subjects: %d' and would not count; no error bar contains that (docs/populations.md)."
                .formatted(ReportText.percent(share), bounds.records(), bounds.subjects()))
        : Optional.empty();
  }

  /** Bounds become public: nobody takes them from the sample. */
  private Optional<String> numbers(Guess guess) {
    List<String> found =
        new ArrayList<>(new Measurements(guess.sample()).fields(Set.copyOf(fields.all())));
    measured.forEach(value -> found.remove(value.field()));
    return found.stream()
        .findFirst()
        .map(
            field ->
                "'%s' holds numbers. For what they add up to and their mean say between which numbers one counts (from what is possible: it becomes public), --value %s=LOW,HIGH; for percentiles see docs/numbers.md."
                    .formatted(field, NextSteps.shell(List.of(field))));
  }

  private String population(String person, String group) {
    List<String> words = new ArrayList<>(List.of("sfumato", "new", beside(group)));
    words.addAll(List.of("--user", person, "--subject", group));
    words.addAll(List.of("--time", fields.time(), "--category", fields.category()));
    words.addAll(looked);
    return "Many of '%s' share each '%s': a population. To count in each '%s', and hide all that any one '%s' did:%n  %s"
        .formatted(person, group, group, person, NextSteps.shell(words));
  }

  private String beside(String group) {
    return "%s-by-%s.yaml"
        .formatted(
            file.toString().replaceFirst("\\.ya?ml$", ""), group.replaceAll("[^A-Za-z0-9]+", "-"));
  }
}
