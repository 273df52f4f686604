// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.draft.Draft;
import io.sfumato.draft.Guess;
import io.sfumato.pipeline.Amount;
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
 * @param user field, in a file of populations
 * @param subject field
 * @param time field
 * @param category field
 */
record DraftAdvice(
    Path file,
    List<String> looked,
    Optional<String> user,
    String subject,
    String time,
    String category) {
  /** Fewer records in a window say little of their shares under any noise. */
  private static final int FEW = 10;

  /** Why a window is as long as it is. */
  static String typical(Guess.Window found) {
    return found.records() > 1
        ? ": in such a%nwindow half of those who have records have %d or more"
            .formatted(found.records())
        : "";
  }

  /** One a paragraph; none where nothing was looked at. */
  List<String> on(Guess guess, Guess.Window window) {
    List<String> advice = new ArrayList<>();
    if (window.records() > 0 && window.records() < FEW) {
      advice.add(
          "In windows of %s half of those who have records have %s or fewer: their shares are mostly noise. Longer windows (--window) hold more."
              .formatted(Draft.length(window.size()), Amount.of(window.records(), "record")));
    }
    if (user.isEmpty()) {
      Optional<String> users = guess.subject().filter(field -> !field.equals(subject));
      if (users.isPresent() && guess.isGroup(subject, users.get())) {
        advice.add(population(users.get(), subject));
      } else {
        guess
            .group(subject, Set.copyOf(List.of(time, category)))
            .ifPresent(group -> advice.add(population(subject, group)));
      }
    }
    return advice;
  }

  private String population(String person, String group) {
    List<String> words = new ArrayList<>(List.of("sfumato", "new", beside(group)));
    words.addAll(List.of("--user", person, "--subject", group));
    words.addAll(List.of("--time", time, "--category", category));
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
