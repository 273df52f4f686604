// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/**
 * Where the truth of what may count lies.
 *
 * @param low end: a {@link Long} or a {@link Double}, as the output has it
 * @param high end, likewise
 * @param level probability that the interval holds the truth, between 0 and 1
 */
public record Interval(Number low, Number high, double level) {
  /** The level of every interval that outputs have today. */
  public static final double LEVEL = 0.95;
}
