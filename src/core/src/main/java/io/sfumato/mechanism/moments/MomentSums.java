// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.ExactData;
import java.util.Arrays;

/**
 * The exact sums of all records' {@link BernsteinParts}: of each group (a category, or all records
 * together) and each of its records' numbers. Secret. Immutable.
 */
public final class MomentSums implements ExactData {
  private final MomentShape shape;
  private final long[] steps;
  private final long records;

  /**
   * Sums in steps of 2^-20 of a record.
   *
   * @param steps in the order of {@link MomentShape#place}, each at least 0; those of every number
   *     of a group add up to the same whole number of records; copied
   */
  public MomentSums(MomentShape shape, long[] steps) {
    if (steps.length != shape.size()) {
      throw new IllegalArgumentException(
          shape.size() + " sums were expected, were " + steps.length);
    }
    this.shape = shape;
    this.steps = steps.clone();
    long all = 0;
    for (int group = 0; group < shape.groups(); group++) {
      long ofGroup = total(group, 0);
      if (ofGroup % BernsteinParts.STEPS != 0) {
        throw new IllegalArgumentException("sums add up to whole records");
      }
      for (int field = 1; field < shape.fields(); field++) {
        if (total(group, field) != ofGroup) {
          throw new IllegalArgumentException("every record has all numbers");
        }
      }
      all = Math.addExact(all, ofGroup);
    }
    this.records = all / BernsteinParts.STEPS;
  }

  private long total(int group, int field) {
    long sum = 0;
    for (int k = 0; k < shape.parts(); k++) {
      long part = of(group, field, k);
      if (part < 0) {
        throw new IllegalArgumentException("sums are at least 0");
      }
      sum = Math.addExact(sum, part);
    }
    return sum;
  }

  /** No records. */
  public static MomentSums none(MomentShape shape) {
    return new MomentSums(shape, new long[shape.size()]);
  }

  /** How many groups, numbers and parts there are. */
  public MomentShape shape() {
    return shape;
  }

  /** N: records of all groups together. */
  public long records() {
    return records;
  }

  /** One sum, in steps. */
  public long of(int group, int field, int k) {
    return steps[shape.place(group, field, k)];
  }

  /** All sums, in the order of {@link MomentShape#place}. */
  public long[] steps() {
    return steps.clone();
  }

  /**
   * With one record more.
   *
   * @param group of the record
   * @param parts of each of its numbers
   * @throws ArithmeticException beyond 2^63 steps
   */
  public MomentSums plus(int group, long[]... parts) {
    if (parts.length != shape.fields()) {
      throw new IllegalArgumentException("a record has all " + shape.fields() + " numbers");
    }
    long[] more = steps.clone();
    for (int field = 0; field < parts.length; field++) {
      for (int k = 0; k < shape.parts(); k++) {
        int place = shape.place(group, field, k);
        more[place] = Math.addExact(more[place], parts[field][k]);
      }
    }
    return new MomentSums(shape, more);
  }

  /**
   * Sum by sum.
   *
   * @throws ArithmeticException beyond 2^63 steps
   */
  public MomentSums plus(MomentSums other) {
    if (!other.shape.equals(shape)) {
      throw new IllegalArgumentException("sums of other groups or numbers cannot be added");
    }
    long[] sum = new long[steps.length];
    Arrays.setAll(sum, i -> Math.addExact(steps[i], other.steps[i]));
    return new MomentSums(shape, sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MomentSums sums
        && shape.equals(sums.shape)
        && Arrays.equals(steps, sums.steps);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(steps);
  }

  /** Never prints the numbers: they are what must stay private. */
  @Override
  public String toString() {
    return "MomentSums[" + shape.groups() + " groups]";
  }
}
