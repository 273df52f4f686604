// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A turn in equal parts: the cosine and the sine of each. Found once for each number of parts, of
 * which there are four between a power of two and the next. For many threads.
 *
 * @param cosines of 0, 1, ... parts
 * @param sines likewise
 */
record Turns(double[] cosines, double[] sines) {
  private static final int FEWEST = 16;
  private static final Map<Integer, Turns> KNOWN = new ConcurrentHashMap<>();

  /** At least so many parts, and at most a quarter more or 16. */
  static Turns ofAtLeast(double wanted) {
    int quarter = FEWEST / 4;
    while (8 * quarter < wanted) {
      quarter *= 2;
    }
    int parts = quarter * Math.max(4, (int) Math.ceil(wanted / quarter));
    return KNOWN.computeIfAbsent(parts, Turns::of);
  }

  private static Turns of(int parts) {
    double[] cosines = new double[parts];
    double[] sines = new double[parts];
    for (int i = 0; i < parts; i++) {
      double angle = 2 * Math.PI * i / parts;
      cosines[i] = StrictMath.cos(angle);
      sines[i] = StrictMath.sin(angle);
    }
    return new Turns(cosines, sines);
  }
}
