// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.EventStream.Window;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Optional;

/**
 * What of a user's events counts.
 *
 * @param most C, picked by chance; empty where one event is protected and all count
 */
record Bounding(Optional<Integer> most) {
  boolean sizeIsPublic() {
    return most.isEmpty();
  }

  Window of(Window window, KeyedRandom random) {
    return most.isEmpty()
        ? window
        : new Window(
            window.place(), window.byUser().stream().map(events -> some(events, random)).toList());
  }

  private int[] some(int[] events, KeyedRandom random) {
    int kept = most.orElseThrow();
    if (events.length <= kept) {
      return events;
    }
    int[] shuffled = events.clone();
    for (int i = 0; i < kept; i++) {
      int j = i + (int) (random.nextOpenDouble() * (shuffled.length - i));
      int swap = shuffled[i];
      shuffled[i] = shuffled[j];
      shuffled[j] = swap;
    }
    return Arrays.copyOf(shuffled, kept);
  }
}
