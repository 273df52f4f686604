// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.function.DoubleUnaryOperator;

/**
 * What some releases of a subject come to, the earlier ones faded. Immutable.
 *
 * <p>For each pace the sum of the windows' weights, and of the published shares times these; for
 * each model, and for the plain estimate after them, the faded logarithms of how likely it thought
 * what was seen of each category.
 */
final class FadedSums {
  /** Of evidence, from one window to the next. */
  private static final double EVIDENCE = 0.95;

  private final int releases;
  private final double[] weights;
  private final double[][] shares;
  private final double[][] evidence;

  private FadedSums(int releases, double[] weights, double[][] shares, double[][] evidence) {
    this.releases = releases;
    this.weights = weights;
    this.shares = shares;
    this.evidence = evidence;
  }

  /** Of no release. */
  static FadedSums none(int categories) {
    int paces = Model.FADES.size();
    return new FadedSums(
        0,
        new double[paces],
        new double[paces][categories],
        new double[Model.ALL.size() + 1][categories]);
  }

  int releases() {
    return releases;
  }

  double weight(int pace) {
    return weights[pace];
  }

  double share(int pace, int category) {
    return shares[pace][category];
  }

  /**
   * @param model its place; that of the plain estimate follows the last one
   */
  double evidence(int model, int category) {
    return evidence[model][category];
  }

  /** Seen from some windows later. */
  FadedSums faded(long windows) {
    double[] faded = new double[weights.length];
    double[][] fadedShares = new double[weights.length][];
    for (int pace = 0; pace < weights.length; pace++) {
      double fade = StrictMath.pow(Model.FADES.get(pace), windows);
      faded[pace] = fade * weights[pace];
      fadedShares[pace] = each(shares[pace], share -> fade * share);
    }
    double fade = StrictMath.pow(EVIDENCE, windows);
    double[][] fadedEvidence = new double[evidence.length][];
    for (int model = 0; model < evidence.length; model++) {
      fadedEvidence[model] = each(evidence[model], log -> fade * log);
    }
    return new FadedSums(releases, faded, fadedShares, fadedEvidence);
  }

  /**
   * And one release more, of the window from which the others are seen.
   *
   * @param published shares, one a category
   * @param seen by model and category
   */
  FadedSums plus(double[] published, double[][] seen) {
    double[] more = each(weights, weight -> weight + 1);
    double[][] moreShares = new double[shares.length][];
    for (int pace = 0; pace < shares.length; pace++) {
      moreShares[pace] = sum(shares[pace], published);
    }
    double[][] moreEvidence = new double[evidence.length][];
    for (int model = 0; model < evidence.length; model++) {
      moreEvidence[model] = sum(evidence[model], seen[model]);
    }
    return new FadedSums(releases + 1, more, moreShares, moreEvidence);
  }

  private static double[] each(double[] values, DoubleUnaryOperator change) {
    double[] changed = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      changed[i] = change.applyAsDouble(values[i]);
    }
    return changed;
  }

  private static double[] sum(double[] first, double[] second) {
    double[] sum = new double[first.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = first[i] + second[i];
    }
    return sum;
  }

  /** Most bytes of them. */
  static long bytes(int categories) {
    int paces = Model.FADES.size();
    return 1 + (long) Double.BYTES * (paces + (paces + Model.ALL.size() + 1L) * categories);
  }

  void write(ByteWriter out) {
    out.unsigned(releases);
    write(out, weights);
    for (double[] share : shares) {
      write(out, share);
    }
    for (double[] log : evidence) {
      write(out, log);
    }
  }

  private static void write(ByteWriter out, double[] values) {
    for (double value : values) {
      out.fixed64(Double.doubleToRawLongBits(value));
    }
  }

  static FadedSums read(ByteReader in, int categories) {
    FadedSums sums = none(categories);
    int releases = (int) in.unsigned();
    read(in, sums.weights);
    for (double[] share : sums.shares) {
      read(in, share);
    }
    for (double[] log : sums.evidence) {
      read(in, log);
    }
    return new FadedSums(releases, sums.weights, sums.shares, sums.evidence);
  }

  private static void read(ByteReader in, double[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(in.fixed64());
    }
  }
}
