// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

/** What a simulator gives: public. */
public sealed interface PseudoData {
  /**
   * Records of numbers.
   *
   * @param rows one a record, at least one
   */
  record Numbers(double[][] rows) implements PseudoData {}

  /**
   * Records counted by category.
   *
   * @param byCategory in the pipeline file's order
   */
  record Counts(long[] byCategory) implements PseudoData {}
}
