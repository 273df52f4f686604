// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import java.util.Arrays;

/**
 * Ways from any finite density into the mollifier relative to a reference: |ln Q/Q0| at most eps/2
 * everywhere, so that any two results differ by a factor of at most e^eps
 * (docs/theory/mollified-samples.md, "Mollified samples").
 */
enum Mollification {
  /**
   * {@code Q = Q0 + a (P - Q0)} with the largest a in [0, 1] (the scale-and-shift of the papers'
   * figure of mollifiers): modes of P/Q0 stay, its differences shrink by a.
   */
  SCALE_AND_SHIFT("scale and shift") {
    @Override
    double[] of(double[] p, double[] base, double epsilon) {
      double a = 1;
      for (int i = 0; i < p.length; i++) {
        double excess = p[i] / base[i] - 1;
        if (excess > 0) {
          a = Math.min(a, Math.expm1(epsilon / 2) / excess);
        } else if (excess < 0) {
          a = Math.min(a, Math.expm1(-epsilon / 2) / excess);
        }
      }
      double[] q = new double[p.length];
      for (int i = 0; i < q.length; i++) {
        q[i] = base[i] + a * (p[i] - base[i]);
      }
      return q;
    }
  },
  /**
   * {@code Q ~ Q0 (P/Q0)^tau} with the largest tau in [0, 1]: of a Gaussian on a box with a uniform
   * reference the Gaussian of tau times less precision, its variance scaled by 1/tau.
   */
  SCALED_VARIANCE("scaled variance") {
    @Override
    double[] of(double[] p, double[] base, double epsilon) {
      if (widest(tempered(p, base, 1), base) <= epsilon / 2) {
        return tempered(p, base, 1);
      }
      double in = 0;
      double out = 1;
      for (int i = 0; i < HALVINGS; i++) {
        double middle = (in + out) / 2;
        if (widest(tempered(p, base, middle), base) <= epsilon / 2) {
          in = middle;
        } else {
          out = middle;
        }
      }
      return tempered(p, base, in);
    }
  },
  /** {@code Q = clip(lambda P, e^(-eps/2) Q0, e^(eps/2) Q0)}, the nearest (equation 8). */
  PROJECTION("projection") {
    @Override
    double[] of(double[] p, double[] base, double epsilon) {
      return BandOptimum.nearest(p, base, LikelihoodRatioBand.mollifier(Epsilons.of(epsilon)));
    }
  };

  private static final int HALVINGS = 60;

  private final String title;

  Mollification(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /**
   * The mollified density.
   *
   * @param p probabilities, adding up to 1; all above 0, or nothing is left of it but for the
   *     projection and the scale-and-shift
   * @param base those of Q0, all above 0
   */
  abstract double[] of(double[] p, double[] base, double epsilon);

  private static double[] tempered(double[] p, double[] base, double tau) {
    double[] logs = new double[p.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(base[i]) + (tau > 0 ? tau * Math.log(p[i] / base[i]) : 0);
    }
    double most = Arrays.stream(logs).max().orElseThrow();
    return DensityGrid.normalised(Arrays.stream(logs).map(x -> Math.exp(x - most)).toArray());
  }

  /** Largest |ln q/base|. */
  static double widest(double[] q, double[] base) {
    double widest = 0;
    for (int i = 0; i < q.length; i++) {
      widest = Math.max(widest, Math.abs(Math.log(q[i] / base[i])));
    }
    return widest;
  }
}
