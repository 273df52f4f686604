// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import java.util.List;

/**
 * Numbers of many users, cut to what counts: the same for every method that is compared.
 *
 * @param name for tables
 * @param range public; numbers beyond an end were brought to it
 * @param most C: records of one user that count, public
 * @param byUser at most C numbers of each user
 */
record Amounts(String name, AmountRange range, int most, List<double[]> byUser) {
  /** Cuts all that there is: of a user the first C count, in the order of the file. */
  Amounts {
    byUser =
        byUser.stream()
            .map(all -> Arrays.stream(all).limit(most).map(range::clamp).toArray())
            .toList();
  }

  /** One number a user. */
  static Amounts oneEach(String name, AmountRange range, double[] numbers) {
    return new Amounts(
        name, range, 1, Arrays.stream(numbers).mapToObj(x -> new double[] {x}).toList());
  }

  /** N: all numbers that count, user by user. */
  double[] all() {
    return byUser.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  /** All numbers that count, in rising order. */
  double[] sorted() {
    return byUser.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
  }
}
