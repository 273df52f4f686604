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
 * them. The first round warms up, and does not count.
 *
 * @param number of rounds that count, at least 1
 */
record Rounds(int number) {
  /** Measures once. */
  interface Measurement {
    double measure() throws RefusedException, InterruptedException;
  }

  /** Runs every measurement once a round. */
  Map<String, List<Double>> run(Map<String, Measurement> alternatives, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, List<Double>> measured = new LinkedHashMap<>();
    for (int round = 0; round <= number; round++) {
      for (Map.Entry<String, Measurement> alternative : alternatives.entrySet()) {
        double value = alternative.getValue().measure();
        step.run();
        if (round > 0) {
          measured.computeIfAbsent(alternative.getKey(), k -> new ArrayList<>()).add(value);
        }
      }
    }
    return measured;
  }
}
