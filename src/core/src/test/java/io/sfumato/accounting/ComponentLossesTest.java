// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PldAccountant.Part;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grids of several parts beside their sums, made place by place. */
class ComponentLossesTest {
  private static final double STEP = 0.25;
  private static final List<Part> PARTS =
      List.of(new Part(PrivacyProfile.gaussian(1), 3), new Part(PrivacyProfile.pure(0.5), 2));
  private static final ComponentLosses GRIDS =
      ComponentLosses.of(PARTS, new double[] {3, 0.5}, part -> STEP);

  /** The law of the sum of all five losses, by multiples of the step. */
  private static Map<Integer, Double> sums() {
    Map<Integer, Double> distribution = Map.of(0, 1.0);
    for (int part = 0; part < PARTS.size(); part++) {
      for (int i = 0; i < PARTS.get(part).count(); i++) {
        DiscretizedLoss grid = GRIDS.at(part);
        Map<Integer, Double> next = new TreeMap<>();
        distribution.forEach(
            (at, mass) -> {
              for (int place = 0; place < grid.size(); place++) {
                next.merge(at + grid.at(place), mass * grid.mass(place), Double::sum);
              }
            });
        distribution = next;
      }
    }
    return distribution;
  }

  @Test
  void everyPartHasItsOwnGrid() {
    ComponentLosses grids =
        ComponentLosses.of(PARTS, new double[] {3, 0.5}, part -> part == 0 ? 0.5 : 0.125);
    assertThat(grids.at(0).step()).isEqualTo(0.5);
    assertThat(grids.at(0).size()).isEqualTo(13);
    assertThat(grids.at(1).size()).isEqualTo(9);
    assertThat(grids.largestStep()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-2, 0, 0.5, 1, 6})
  void theMomentIsThatOfTheSum(double theta) {
    double moment =
        sums().entrySet().stream()
            .mapToDouble(sum -> sum.getValue() * Math.exp(theta * sum.getKey() * STEP))
            .sum();
    assertThat(GRIDS.lnMoment(theta)).isCloseTo(Math.log(moment), within(1e-11));
  }

  /** Chernoff: no tilt says less than the truth, and the best one not much more. */
  @Test
  void tailsAreBoundedAtEveryTilt() {
    for (double loss : new double[] {-5, 0, 2, 6, 9.75}) {
      double above = 0;
      double below = 0;
      for (Map.Entry<Integer, Double> sum : sums().entrySet()) {
        above += sum.getKey() * STEP >= loss ? sum.getValue() : 0;
        below += sum.getKey() * STEP <= loss ? sum.getValue() : 0;
      }
      double best = 0;
      for (double theta = 0.01; theta < 60; theta *= 1.2) {
        assertThat(GRIDS.lnTail(theta, loss)).isGreaterThanOrEqualTo(Math.log(above) - 1e-12);
        assertThat(GRIDS.lnTail(-theta, loss)).isGreaterThanOrEqualTo(Math.log(below) - 1e-12);
        best = Math.min(best, GRIDS.lnTail(theta, loss));
      }
      assertThat(best).isLessThan(Math.max(-0.5, Math.log(above) + 4));
    }
  }

  /** At most 2^16 terms of a sum, each an ulp; and the exponents', which grow with the tilt. */
  @Test
  void tailsHaveAnAllowanceForRoundings() {
    for (double theta : new double[] {1, 1e5, 1e8}) {
      double farthest = 3 * 3 + 2 * 0.5;
      double least = 5 * 0x1.0p-37 + 0x1.0p-50 * theta * farthest;
      assertThat(GRIDS.lnMomentError(theta)).isBetween(least, 2.1 * least);
      assertThat(GRIDS.lnMomentError(-theta)).isEqualTo(GRIDS.lnMomentError(theta));
      double exact = GRIDS.lnMoment(theta) - theta * 40;
      double most = 3 * least + 0x1.0p-48 * theta * 40;
      assertThat(GRIDS.lnTail(theta, 40) - exact).isBetween(least + 0x1.0p-51 * theta * 40, most);
      assertThat(GRIDS.lnTail(-theta, 40) - GRIDS.lnMoment(-theta) - theta * 40)
          .isBetween(least + 0x1.0p-51 * theta * 40, most);
    }
  }

  /** That any of all releases has an infinite loss, each independently. */
  @Test
  void infiniteLossesAreThoseOfAnyRelease() {
    double never =
        3 * Math.log1p(-GRIDS.at(0).infinite()) + 2 * Math.log1p(-GRIDS.at(1).infinite());
    double truth = -Math.expm1(never);
    assertThat(truth).isGreaterThan(1e-4);
    assertThat(GRIDS.infinite()).isBetween(truth, truth / (1 - truth) * (1 + 1e-9));
    // Where it is small, an allowance for the roundings of five logarithms is seen.
    ComponentLosses seldom = ComponentLosses.of(PARTS, new double[] {8, 0.5}, part -> STEP);
    double no = 3 * Math.log1p(-seldom.at(0).infinite()) + 2 * Math.log1p(-seldom.at(1).infinite());
    double any = -Math.expm1(no);
    assertThat(any).isBetween(1e-15, 1e-11);
    assertThat(seldom.infinite())
        .isBetween(any * (1 + 4 * 0x1.0p-36), any * (1 + 7 * 0x1.0p-36 + 2 * any));
  }
}
