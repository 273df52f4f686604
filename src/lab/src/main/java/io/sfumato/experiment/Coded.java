// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A column as category numbers.
 *
 * @param train category of each training row
 * @param test category of each test row; {@link #UNSEEN} if training never saw it
 * @param categories how many there are
 */
record Coded(int[] train, int[] test, int categories) {
  static final int UNSEEN = -1;

  /** Columns with more different numbers are binned. */
  private static final int MOST_VALUES = 30;

  /** Number of quantile bins in the paper. */
  static final int PAPER_BINS = 10;

  /**
   * Codes a column by the paper's rule. A numeric one with more than 30 different values: those
   * whose count exceeds N / 3^(rank + 1), rank by count, stay categories of their own; the rest go
   * into quantile bins, if they still have more than 30 different values. Edges come from the
   * training rows.
   *
   * @param bins number of quantile bins, at least 2
   */
  static Coded of(ResultColumn column, Split split, int bins, Encoding encoding) {
    return column.numbers().isPresent() && column.distinct() > MOST_VALUES
        ? binned(column.numbers().get(), split, bins, encoding)
        : plain(column, split);
  }

  private static Coded plain(ResultColumn column, Split split) {
    Map<Object, Integer> codes = new HashMap<>();
    int[] train = new int[split.train().length];
    for (int i = 0; i < train.length; i++) {
      train[i] = codes.computeIfAbsent(value(column, split.train()[i]), value -> codes.size());
    }
    int[] test =
        Arrays.stream(split.test())
            .map(row -> codes.getOrDefault(value(column, row), UNSEEN))
            .toArray();
    return new Coded(train, test, codes.size());
  }

  private static Object value(ResultColumn column, int row) {
    return column.numbers().isPresent()
        ? (Object) column.numbers().get()[row]
        : column.texts()[row];
  }

  private static Coded binned(double[] numbers, Split split, int bins, Encoding encoding) {
    double[] learned = Arrays.stream(split.train()).mapToDouble(row -> numbers[row]).toArray();
    Map<Double, Integer> own = frequent(learned);
    double[] rest = Arrays.stream(learned).filter(x -> !own.containsKey(x)).sorted().toArray();
    Set<Double> different = new HashSet<>();
    Arrays.stream(rest).forEach(different::add);
    if (different.size() <= MOST_VALUES) {
      Arrays.stream(rest).forEach(x -> own.putIfAbsent(x, own.size()));
      return new Coded(
          code(numbers, split.train(), own, new double[0]),
          code(numbers, split.test(), own, new double[0]),
          own.size());
    }
    double[] edges = new double[bins + 1];
    Arrays.setAll(edges, i -> quantile(rest, i / (double) bins));
    edges = Arrays.stream(edges).distinct().toArray();
    int[] test = code(numbers, split.test(), own, edges);
    if (encoding == Encoding.PUBLISHED) {
      boolean[] found = BinLabels.found(edges);
      for (int i = 0; i < test.length; i++) {
        test[i] = test[i] >= own.size() && !found[test[i] - own.size()] ? UNSEEN : test[i];
      }
    }
    return new Coded(code(numbers, split.train(), own, edges), test, own.size() + edges.length - 1);
  }

  /** Values that stay categories of their own, by falling count. */
  private static Map<Double, Integer> frequent(double[] learned) {
    Map<Double, Integer> counts = new TreeMap<>();
    Arrays.stream(learned).forEach(x -> counts.merge(x, 1, Integer::sum));
    Map<Double, Integer> own = new LinkedHashMap<>();
    double threshold = learned.length / 3.0;
    for (Double x :
        counts.keySet().stream()
            .sorted((x, y) -> Integer.compare(counts.get(y), counts.get(x)))
            .toList()) {
      if (!(counts.get(x) > threshold)) {
        break;
      }
      own.put(x, own.size());
      threshold /= 3;
    }
    return own;
  }

  private static int[] code(
      double[] numbers, int[] rows, Map<Double, Integer> own, double[] edges) {
    int[] codes = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      double x = numbers[rows[i]];
      Integer code = own.get(x);
      if (code != null) {
        codes[i] = code;
      } else if (edges.length == 0) {
        codes[i] = UNSEEN;
      } else {
        // Bins are closed on the right; what lies outside belongs to the outermost.
        int place = Arrays.binarySearch(edges, x);
        int bin = (place >= 0 ? place : -place - 1) - 1;
        codes[i] = own.size() + Math.max(0, Math.min(edges.length - 2, bin));
      }
    }
    return codes;
  }

  /** NumPy's default: linear between order statistics. */
  private static double quantile(double[] sorted, double q) {
    double at = q * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
