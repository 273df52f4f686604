// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

/**
 * How sums of parts lie in one array: group by group, number by number, part by part.
 *
 * @param groups at least 1: categories, or 1 for all records together
 * @param fields numbers of a record, at least 1
 * @param degree m, 1 or 2: a number has m + 1 parts
 */
public record MomentShape(int groups, int fields, int degree) {
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
}
