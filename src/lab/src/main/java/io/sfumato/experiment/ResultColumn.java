// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import java.util.Optional;

/**
 * One attribute of a data set.
 *
 * @param name in the file's header
 * @param texts one a row
 * @param numbers one a row, if all are finite numbers
 */
record ResultColumn(String name, String[] texts, Optional<double[]> numbers) {
  static ResultColumn of(String name, String[] texts) {
    double[] numbers = new double[texts.length];
    try {
      for (int i = 0; i < texts.length; i++) {
        numbers[i] = Double.parseDouble(texts[i]);
      }
    } catch (NumberFormatException e) {
      return new ResultColumn(name, texts, Optional.empty());
    }
    boolean finite = Arrays.stream(numbers).allMatch(Double::isFinite);
    return new ResultColumn(name, texts, finite ? Optional.of(numbers) : Optional.empty());
  }

  /** This column with every text a category, numbers too. */
  ResultColumn asCategories() {
    return new ResultColumn(name, texts, Optional.empty());
  }

  /** Number of different values. */
  long distinct() {
    return numbers.isPresent()
        ? Arrays.stream(numbers.get()).distinct().count()
        : Arrays.stream(texts).distinct().count();
  }
}
