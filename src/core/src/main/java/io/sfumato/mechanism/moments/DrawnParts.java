// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

/**
 * Which parts have noise of their own: all, or all but the first of each number, which follows from
 * the public number of records.
 *
 * @param shape of all parts
 * @param firstPart 0; or 1, where there is one group
 */
public record DrawnParts(MomentShape shape, int firstPart) {
  /**
   * @throws IllegalArgumentException unless the first part is 0, or 1 with one group
   */
  public DrawnParts {
    if (firstPart < 0 || firstPart > 1 || firstPart == 1 && shape.groups() > 1) {
      throw new IllegalArgumentException("the first parts of several groups do not follow");
    }
  }

  /** How many are drawn. */
  public int size() {
    return shape.groups() * shape.fields() * (shape.parts() - firstPart);
  }

  /**
   * Those of all parts that are drawn, in their order.
   *
   * @param parts of all groups, in steps
   */
  public long[] of(long[] parts) {
    long[] drawn = new long[size()];
    for (int i = 0, next = 0; i < parts.length; i++) {
      if (i % shape.parts() >= firstPart) {
        drawn[next++] = parts[i];
      }
    }
    return drawn;
  }

  /**
   * All parts, by those that were drawn.
   *
   * @param drawn in steps
   * @param records what the parts of each number add up to; of no matter where all are drawn
   * @throws ArithmeticException beyond 2^63 steps
   */
  public long[] completed(long[] drawn, long records) {
    if (firstPart == 0) {
      return drawn.clone();
    }
    long[] parts = new long[shape.size()];
    for (int i = 0, next = 0; i < parts.length; i += shape.parts()) {
      parts[i] = Math.multiplyExact(records, BernsteinParts.STEPS);
      for (int k = 1; k < shape.parts(); k++) {
        parts[i + k] = drawn[next++];
        parts[i] = Math.subtractExact(parts[i], parts[i + k]);
      }
    }
    return parts;
  }
}
