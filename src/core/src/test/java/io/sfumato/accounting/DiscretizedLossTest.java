// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chords of a profile: the discrete pair has the profile's values at every point of the grid. */
class DiscretizedLossTest {
  private static final PrivacyProfile GAUSSIAN = PrivacyProfile.gaussian(1);

  @ParameterizedTest
  @CsvSource({"0.25, 4", "0.25, 3.9", "1, 0.3", "0.0625, 2", "0.001, 0.2"})
  void thePairHasTheProfilesValuesAtEachPoint(double step, double reach) {
    assertChords(DiscretizedLoss.of(GAUSSIAN, step, reach), GAUSSIAN, step, reach);
    PrivacyProfile pure = PrivacyProfile.pure(0.5);
    assertChords(DiscretizedLoss.of(pure, step, reach), pure, step, reach);
  }

  private static void assertChords(
      DiscretizedLoss grid, PrivacyProfile profile, double step, double reach) {
    int ends = (int) Math.ceil(reach / step);
    assertThat(grid.size()).isEqualTo(2 * ends + 1);
    assertThat(grid.at(0)).isEqualTo(-ends);
    assertThat(grid.at(grid.size() - 1)).isEqualTo(ends);
    assertThat(grid.step()).isEqualTo(step);
    for (int at = -ends; at <= ends; at++) {
      double here = at * step;
      double sum = grid.infinite();
      for (int i = at + ends + 1; i < grid.size(); i++) {
        sum += grid.mass(i) * -Math.expm1(here - grid.at(i) * step);
      }
      // Both directions are alike: below a loss of 0 of the other one.
      double truth =
          here >= 0
              ? profile.delta(here)
              : -Math.expm1(here) + Math.exp(here) * profile.delta(-here);
      assertThat(sum).as("at %s", here).isCloseTo(truth, within(1e-11));
    }
    assertThat(grid.finite() + grid.infinite()).isCloseTo(1, within(1e-11));
  }

  /** Tails keep their digits: no mass is a difference of numbers far larger than itself. */
  @Test
  void farMassesAreThoseOfTheProfileToo() {
    DiscretizedLoss grid = DiscretizedLoss.of(GAUSSIAN, 0.25, 12);
    for (double here : new double[] {8, 10, 11.5}) {
      double sum = grid.infinite();
      for (int i = 0; i < grid.size(); i++) {
        double loss = grid.at(i) * 0.25;
        sum += loss > here ? grid.mass(i) * -Math.expm1(here - loss) : 0;
      }
      assertThat(sum).isCloseTo(GAUSSIAN.delta(here), within(1e-7 * GAUSSIAN.delta(here)));
    }
  }

  @Test
  void momentsAreThoseOfTheMasses() {
    DiscretizedLoss grid = DiscretizedLoss.of(GAUSSIAN, 0.25, 4);
    for (double theta : new double[] {0, 1, -2, 1, 30}) {
      double moment =
          IntStream.range(0, grid.size())
              .mapToDouble(i -> grid.mass(i) * Math.exp(theta * grid.at(i) * 0.25))
              .sum();
      assertThat(grid.lnMoment(theta)).isCloseTo(Math.log(moment), within(1e-12));
    }
    assertThat(grid.lnMoment(5000))
        .as("no overflow: the farthest place alone")
        .isCloseTo(grid.lnMass(grid.size() - 1) + 5000 * 4, within(1e-9));
    assertThat(grid.lnMoment(Double.NaN)).isNaN();
  }

  @Test
  void logarithmsOfMassesAreTheirs() {
    DiscretizedLoss grid = DiscretizedLoss.of(PrivacyProfile.pure(0.5), 0.25, 0.5);
    for (int i = 0; i < grid.size(); i++) {
      assertThat(grid.lnMass(i)).isEqualTo(StrictMath.log(grid.mass(i)));
    }
    // Randomised response has a mass at either end only.
    assertThat(grid.mass(4)).isCloseTo(1 / (1 + Math.exp(-0.5)), within(1e-13));
    assertThat(grid.mass(0)).isCloseTo(1 / (1 + Math.exp(0.5)), within(1e-13));
    assertThat(grid.mass(2)).isCloseTo(0, within(1e-13));
    DiscretizedLoss never = DiscretizedLoss.of(epsilon -> 1, 0.25, 0.5);
    assertThat(never.infinite()).isEqualTo(1);
  }
}
