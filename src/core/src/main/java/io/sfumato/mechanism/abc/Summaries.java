// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Summary statistics as a distance (section 4.2 of the paper): Euclidean, each difference in units
 * of its public scale, clipped at a public bound, which is then the sensitivity whatever the data.
 *
 * @param list at least one
 * @param clip B, above 0, in units of the scales
 */
public record Summaries(List<Summary> list, double clip) {
  /**
   * @throws IllegalArgumentException if there is no summary, or the clip is not above 0 or infinite
   */
  public Summaries {
    list = List.copyOf(list);
    if (list.isEmpty() || !(clip > 0) || clip == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("summaries are at least one, with a clip above 0");
    }
  }

  /** Not scaled, in the order of the list. */
  public double[] of(SummaryData data) {
    return list.stream().mapToDouble(summary -> summary.of(data)).toArray();
  }

  /**
   * The distance of two datasets' summaries, in [0, B].
   *
   * @param observed as {@link #of} gives them
   * @param pseudo finite, as many
   * @throws IllegalArgumentException if there are more or fewer summaries
   */
  public double distance(double[] observed, double[] pseudo) {
    return Distances.summaries(scaled(observed), scaled(pseudo), clip);
  }

  private double[] scaled(double[] values) {
    if (values.length != list.size()) {
      throw new IllegalArgumentException(
          "there are " + list.size() + " summaries here, found " + values.length);
    }
    double[] scaled = new double[values.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = values[i] / list.get(i).scale();
    }
    return scaled;
  }

  /** Whether a summary is of numbers. */
  public boolean needNumbers() {
    return list.stream().anyMatch(summary -> !(summary instanceof Summary.Share));
  }

  /** Whether a summary is of categories. */
  public boolean needCategories() {
    return list.stream().anyMatch(Summary.Share.class::isInstance);
  }

  /** Whether a summary needs a sample of the numbers. */
  public boolean needSample() {
    return list.stream().anyMatch(Summary.Quantile.class::isInstance);
  }

  /** Digests hang on this text, so that it never changes. */
  public String canonical() {
    return list.stream().map(Summary::canonical).collect(Collectors.joining(", ", "[", "]"))
        + " clipped at "
        + Double.toHexString(clip);
  }
}
