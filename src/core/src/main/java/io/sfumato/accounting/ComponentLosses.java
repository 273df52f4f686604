// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.accounting.PldAccountant.Part;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A grid for each part of a composition. Whatever its step, a grid's pair dominates its part: so
 * the moments of the grids bound those of every composition that is made of these very grids, and
 * of the parts themselves; but not those of grids with another step.
 */
final class ComponentLosses {
  /**
   * Bounds the error of ln E e^(theta loss) of one grid, but for what grows with theta: its sum has
   * at most 2^16 + 1 terms, each with an exponent of magnitude below 745 where that counts.
   */
  private static final double LN_ERROR = 0x1.0p-36;

  private final List<Part> parts;
  private final List<DiscretizedLoss> grids;

  private ComponentLosses(List<Part> parts, List<DiscretizedLoss> grids) {
    this.parts = parts;
    this.grids = grids;
  }

  /**
   * @param reaches of each part
   * @param step of each part's grid, by the part's place
   */
  static ComponentLosses of(List<Part> parts, double[] reaches, IntToDoubleFunction step) {
    return new ComponentLosses(
        parts,
        IntStream.range(0, parts.size())
            .mapToObj(
                i -> DiscretizedLoss.of(parts.get(i).profile(), step.applyAsDouble(i), reaches[i]))
            .toList());
  }

  DiscretizedLoss at(int part) {
    return grids.get(part);
  }

  double largestStep() {
    return grids.stream().mapToDouble(DiscretizedLoss::step).max().orElseThrow();
  }

  /** ln E e^(theta sum), nearly. */
  double lnMoment(double theta) {
    double sum = 0;
    for (int i = 0; i < parts.size(); i++) {
      sum += parts.get(i).count() * grids.get(i).lnMoment(theta);
    }
    return sum;
  }

  /** By how much {@link #lnMoment} may be wrong. */
  double lnMomentError(double theta) {
    double error = 0;
    for (int i = 0; i < parts.size(); i++) {
      DiscretizedLoss grid = grids.get(i);
      double farthest = Math.abs(theta) * grid.step() * grid.at(grid.size() - 1);
      // Twice: ln E e^(theta loss) itself is at most the farthest exponent, but for ln of a sum.
      error += parts.get(i).count() * (LN_ERROR + 0x1.0p-49 * farthest);
    }
    return error;
  }

  /**
   * ln P[sum >= loss], an upper bound by any theta above 0 (Chernoff); by one below 0 of ln P[sum
   * <= loss].
   */
  double lnTail(double theta, double loss) {
    return lnMoment(theta)
        - theta * loss
        + lnMomentError(theta)
        + 0x1.0p-50 * Math.abs(theta * loss);
  }

  /**
   * Bounds the probability of an infinite loss in any release: (finite + infinite)^k - finite^k,
   * where finite is near 1, and more than 1 - infinite if roundings made a mass negative.
   */
  double infinite() {
    double lnFinite = 0;
    double lnRatio = 0;
    double count = 0;
    for (int i = 0; i < parts.size(); i++) {
      DiscretizedLoss grid = grids.get(i);
      lnFinite += parts.get(i).count() * StrictMath.log(grid.finite());
      lnRatio += parts.get(i).count() * StrictMath.log1p(grid.infinite() / grid.finite());
      count += parts.get(i).count();
    }
    return StrictMath.exp(Math.max(0, lnFinite) + LN_ERROR * count)
        * StrictMath.expm1(lnRatio)
        * (1 + 1e-12);
  }
}
