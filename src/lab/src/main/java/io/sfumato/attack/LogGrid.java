// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.math3.special.Gamma;

/**
 * Chances of gamma and beta variables, summed on a grid of their logarithm and their logit: there
 * both densities are smooth, and sums of them exact to many digits.
 */
final class LogGrid {
  private static final double FINE = 1.0 / 64;

  /** Where every atom meets every other one. */
  private static final double COARSE = 1.0 / 32;

  private LogGrid() {}

  /** Of y ~ Beta(a + s, b) from Beta(a, b + t): its atoms on the grid of its logit. */
  static Events beta(double a, double s, double b, double t) {
    return Events.of(
        atoms(
            -60,
            60,
            FINE,
            x -> (a + s) * lnLogistic(x) + b * lnLogistic(-x) - lnBeta(a + s, b),
            x -> a * lnLogistic(x) + (b + t) * lnLogistic(-x) - lnBeta(a, b + t)));
  }

  /** Of n gamma variables of shape a + s from those of shape a, side by side; n is 1 or 2. */
  static List<Events.Atom> gammas(double a, double s, int n) {
    double low = -60;
    double high = StrictMath.log(a + s) + 6;
    List<Events.Atom> one =
        atoms(
            low,
            high,
            n == 1 ? FINE : COARSE,
            x -> (a + s) * x - StrictMath.exp(x) - Gamma.logGamma(a + s),
            x -> a * x - StrictMath.exp(x) - Gamma.logGamma(a));
    if (n == 1) {
      return one;
    }
    // The loss is a function of the sum of both logarithms: so their sums are added up.
    double[] p = new double[2 * one.size()];
    double[] q = new double[2 * one.size()];
    for (int i = 0; i < one.size(); i++) {
      for (int j = 0; j < one.size(); j++) {
        p[i + j] += one.get(i).p() * one.get(j).p();
        q[i + j] += one.get(i).q() * one.get(j).q();
      }
    }
    return IntStream.range(0, p.length)
        .mapToObj(i -> new Events.Atom(p[i], q[i]))
        .filter(atom -> atom.p() > 0)
        .toList();
  }

  /** Of y ~ Polya(m; a + s, a) from Polya(m; a, a + s): how many of m items are of the first. */
  static Events items(double a, double s, int items) {
    return Events.of(
        IntStream.rangeClosed(0, items)
            .mapToObj(
                k ->
                    new Events.Atom(
                        StrictMath.exp(lnItems(a + s, a, k, items)),
                        StrictMath.exp(lnItems(a, a + s, k, items))))
            .toList());
  }

  private static double lnItems(double a, double b, int k, int m) {
    return Gamma.logGamma(m + 1.0)
        - Gamma.logGamma(k + 1.0)
        - Gamma.logGamma(m - k + 1.0)
        + lnBeta(a + k, b + m - k)
        - lnBeta(a, b);
  }

  static Events swapped(List<Events.Atom> atoms) {
    return Events.of(atoms.stream().map(atom -> new Events.Atom(atom.q(), atom.p())).toList());
  }

  /** Cells of the grid, each by Simpson's rule: so that sums end where cells end. */
  private static List<Events.Atom> atoms(
      double low, double high, double step, DoubleUnaryOperator lnP, DoubleUnaryOperator lnQ) {
    return IntStream.rangeClosed(0, (int) ((high - low) / step))
        .mapToDouble(i -> low + i * step)
        .mapToObj(at -> new Events.Atom(cell(lnP, at, step), cell(lnQ, at, step)))
        .filter(atom -> atom.p() > 1e-290 && atom.q() > 1e-290)
        .toList();
  }

  private static double cell(DoubleUnaryOperator ln, double at, double step) {
    double ends = density(ln, at - step / 2) + density(ln, at + step / 2);
    return step / 6 * (ends + 4 * density(ln, at));
  }

  private static double density(DoubleUnaryOperator ln, double at) {
    return StrictMath.exp(ln.applyAsDouble(at));
  }

  private static double lnLogistic(double x) {
    return x < 0 ? x - StrictMath.log1p(StrictMath.exp(x)) : -StrictMath.log1p(StrictMath.exp(-x));
  }

  private static double lnBeta(double a, double b) {
    return Gamma.logGamma(a) + Gamma.logGamma(b) - Gamma.logGamma(a + b);
  }
}
