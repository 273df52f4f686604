// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.mechanism.ReleasedData;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * All tables with noise: y = a_S x + z. Immutable.
 *
 * @param records N where it is public, else nothing
 * @param steps in the order of the tables' vector, whole steps of 2^-20, which may be below 0; 0 in
 *     tables that are not measured
 */
public record NoisyTables(OptionalLong records, long... steps) implements ReleasedData {
  public NoisyTables {
    steps = steps.clone();
    if (records.isPresent() && records.getAsLong() < 0) {
      throw new IllegalArgumentException("a number of records is at least 0");
    }
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /** Number of cells of all tables. */
  public int cells() {
    return steps.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoisyTables noisy
        && records.equals(noisy.records)
        && Arrays.equals(steps, noisy.steps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(steps);
  }

  /** Never prints the cells: what is published of them is made consistent first. */
  @Override
  public String toString() {
    return "NoisyTables[" + steps.length + " cells]";
  }
}
