// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Alternatives measured in turn, A B A B, so that what else happens on the machine meets all of
 * them.
 *
 * @param warming rounds that warm up, and do not count
 * @param number of rounds that count, at least 1
 */
record Rounds(int warming, int number) {
  /** Measures once. */
  interface Measurement {
    double measure() throws RefusedException, InterruptedException;
  }

  /** How often every alternative is run. */
  int laps() {
    return warming + number;
  }

  /** Runs every measurement once a round. */
  Map<String, List<Double>> run(Map<String, Measurement> alternatives, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, List<Double>> measured = new LinkedHashMap<>();
    for (int round = 0; round < laps(); round++) {
      for (Map.Entry<String, Measurement> alternative : alternatives.entrySet()) {
        double value = alternative.getValue().measure();
        step.run();
        if (round >= warming) {
          measured.computeIfAbsent(alternative.getKey(), k -> new ArrayList<>()).add(value);
        }
      }
    }
    return measured;
  }
}
