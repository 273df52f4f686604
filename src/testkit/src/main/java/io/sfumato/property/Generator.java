// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.util.random.RandomGenerator;

/**
 * Draws values. The same state of the source and the same size give the same value.
 *
 * @param <T> type of values
 */
@FunctionalInterface
interface Generator<T> {
  /**
   * One value.
   *
   * @param size from 0 to 1: how large what has a length may get. Tries begin small, so that the
   *     first failure is seldom larger than it has to be.
   */
  T draw(RandomGenerator random, double size);
}
