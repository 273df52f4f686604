// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether somebody finds the bounds that releases go by, and knows when: in whatever order the file
 * has them.
 *
 * @param population whose records count, where many users feed one subject
 */
record BoundsCheck(InputSpec input, WindowSpec window, Optional<Population> population) {
  /** What does not fit, each a whole sentence; empty if all does. */
  List<String> of(List<ReleaseSpec> releases) {
    List<Integer> found =
        releases.stream().flatMap(release -> release.boundsFound().stream().boxed()).toList();
    List<String> conflicts = new ArrayList<>();
    found.stream()
        .filter(place -> Collections.frequency(found, place) > 1)
        .distinct()
        .forEach(place -> conflicts.add(foundTwice(place)));
    for (ReleaseSpec release : releases) {
      release.boundsWanted().stream()
          .filter(place -> !found.contains(place))
          .forEach(place -> conflicts.add(notFound(release, value(place))));
      // Of one subject's own records the first window that is released is found in its ledger.
      if (release.schedule() == Schedule.ONCE_A_PERIOD
          && population.isPresent()
          && window.begin().isEmpty()) {
        conflicts.add(beginsNowhere(release));
      }
    }
    return conflicts;
  }

  private String foundTwice(int place) {
    return "field 'releases': two releases discover the bounds of '%s'; remove one, since one serves all"
        .formatted(value(place));
  }

  private static String notFound(ReleaseSpec release, String value) {
    return "release '%s': it needs discovered bounds of '%s'; add to 'releases': - bounds: {name: range-of-%s, value: %s, share: {epsilon: 0.5}}"
        .formatted(
            release.name(),
            value,
            value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"),
            value);
  }

  private static String beginsNowhere(ReleaseSpec release) {
    return "field 'window.begin': is missing; release '%s' is drawn in the first window of every period, so the file must give the first window's start"
        .formatted(release.name());
  }

  /** A value that the file lacks has been told. */
  private String value(int place) {
    return place < input.values().size() ? input.values().get(place) : "x";
  }
}
