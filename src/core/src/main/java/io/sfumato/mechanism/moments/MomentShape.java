// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.ExactVector;

/**
 * How sums of parts lie in one array: group by group, number by number, part by part.
 *
 * @param groups at least 1: categories, or 1 for all records together
 * @param fields numbers of a record, at least 1
 * @param degree m, 1 or 2: a number has m + 1 parts
 */
public record MomentShape(int groups, int fields, int degree) {
  /**
   * @throws IllegalArgumentException if there is no group or no number
   */
  public MomentShape {
    BernsteinParts.requireDegree(degree);
    if (groups < 1 || fields < 1) {
      throw new IllegalArgumentException(
          "there is at least 1 group and 1 number, were " + groups + " and " + fields);
    }
    Math.multiplyExact(Math.multiplyExact(groups, fields), degree + 1);
  }

  /** Parts of a number: m + 1. */
  public int parts() {
    return degree + 1;
  }

  /** Sums in all. */
  public int size() {
    return groups * fields * parts();
  }

  /**
   * Where a sum lies.
   *
   * @param group from 0
   * @param field from 0
   * @param k part, 0 to m
   */
  public int place(int group, int field, int k) {
    if (group < 0 || group >= groups || field < 0 || field >= fields || k < 0 || k >= parts()) {
      throw new IndexOutOfBoundsException("group " + group + ", number " + field + ", part " + k);
    }
    return (group * fields + field) * parts() + k;
  }

  /**
   * The parts of one record.
   *
   * @param group of the record
   * @param parts of each of its numbers
   * @throws IllegalArgumentException if numbers are missing or too many
   */
  public ExactVector record(int group, long[]... parts) {
    if (parts.length != fields) {
      throw new IllegalArgumentException("a record has all " + fields + " numbers");
    }
    long[] sums = new long[size()];
    for (int field = 0; field < fields; field++) {
      System.arraycopy(parts[field], 0, sums, place(group, field, 0), parts());
    }
    return new ExactVector(sums);
  }

  /**
   * N: the records of all groups together.
   *
   * @param sums of records' parts, each at least 0; those of every number of a group add up to the
   *     same whole number of records
   * @throws IllegalArgumentException if they are not such sums; says nothing of them
   */
  public long records(ExactVector sums) {
    if (sums.size() != size()) {
      throw new IllegalArgumentException(size() + " sums were expected, were " + sums.size());
    }
    long all = 0;
    for (int group = 0; group < groups; group++) {
      long ofGroup = total(sums, group, 0);
      if (ofGroup % BernsteinParts.STEPS != 0) {
        throw new IllegalArgumentException("sums add up to whole records");
      }
      for (int field = 1; field < fields; field++) {
        if (total(sums, group, field) != ofGroup) {
          throw new IllegalArgumentException("every record has all numbers");
        }
      }
      all = Math.addExact(all, ofGroup);
    }
    return all / BernsteinParts.STEPS;
  }

  private long total(ExactVector sums, int group, int field) {
    int first = place(group, field, 0);
    return sums.between(first, first + parts()).total();
  }
}
