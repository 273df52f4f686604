// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums whose law is known exactly, place by place. */
class ComposedLossTest {
  private record Asked(List<Part> parts, double[] reaches, ComponentLosses look, double theta) {
    static Asked of(List<Part> parts, double theta, double... reaches) {
      ComponentLosses look = ComponentLosses.of(parts, reaches, part -> reaches[part] / 256);
      return new Asked(parts, reaches, look, theta);
    }

    ConvolutionRange window() {
      return ConvolutionRange.of(parts, reaches, look, theta, Precision.COARSE);
    }

    ComposedLoss sum() {
      return new ComposedLoss(parts, Precision.COARSE, reaches, look, theta);
    }
  }

  private static final PrivacyProfile GAUSSIAN = PrivacyProfile.gaussian(1);

  private static Asked gaussian() {
    return Asked.of(List.of(new Part(GAUSSIAN, 1)), 2, 8);
  }

  /** Of one release alone the sum has the chords of its grid: at its points the profile. */
  @Test
  void oneReleaseIsItsProfileAtPointsOfTheGrid() {
    ConvolutionRange window = gaussian().window();
    ComposedLoss sum = gaussian().sum();
    for (int place = 0; place < 1800; place += 120) {
      double epsilon = place * window.step();
      double truth = GAUSSIAN.delta(epsilon);
      assertThat(sum.delta(epsilon))
          .as("at %s", epsilon)
          .isBetween(truth * (1 + 5e-12), truth * (1 + 1e-8) + 2 * window.grids().infinite());
    }
  }

  /** What holds is tested, and nothing smaller holds. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-8, 1e-6, 1e-4, 0.01, 0.2})
  void anEpsilonIsTheLeastThatHolds(double delta) {
    ComposedLoss sum = gaussian().sum();
    double epsilon = sum.epsilon(delta);
    assertThat(sum.delta(epsilon)).isBetween(delta * (1 - 1e-8), delta);
    double lower = sum.lowerEpsilon(delta);
    assertThat(GAUSSIAN.delta(lower)).isGreaterThan(delta);
    // A bound of 1.002 delta, less what rounding of the losses may do but for delta / 1000.
    assertThat(lower)
        .isCloseTo(
            Math.max(0, sum.epsilon(1.002 * delta) - sum.rounding(delta / 1000)),
            within(1e-9 * epsilon));
  }

  /** Hoeffding's inequality: losses move by step^2/8 in the mean, within an interval of a step. */
  @Test
  void roundingIsThatOfAllReleases() {
    Asked asked =
        Asked.of(List.of(new Part(GAUSSIAN, 4), new Part(PrivacyProfile.pure(1), 5)), 2, 6, 1);
    double step = asked.window().step();
    assertThat(asked.sum().rounding(Math.exp(-2)))
        .isCloseTo(3 * step + 9 * step * step / 8 * (1 + step), within(1e-15));
  }

  /** Infinite losses count where nothing but the first look holds, too. */
  @Test
  void theFirstLookCountsInfiniteLosses() {
    long count = 100_000_000_000L;
    PrivacyProfile one = PrivacyProfile.gaussian(3 / Math.sqrt(count));
    double reach =
        Bisection.doubling(1e-9, 1, epsilon -> one.delta(epsilon) > 1e-3 / count)
            .orElseThrow()
            .narrowed(1e-3, epsilon -> one.delta(epsilon) > 1e-3 / count)
            .high();
    double theta = (16 - 4.5) / 9;
    Asked asked = Asked.of(List.of(new Part(one, count)), theta, reach);
    assertThat(asked.window().isWide()).isFalse();
    double infinite = asked.look().infinite();
    // With the allowance for roundings, which is large for so many releases.
    double tail = Math.exp(-Math.pow(16 - 4.5, 2) / 18 + asked.look().lnMomentError(theta));
    assertThat(infinite).isBetween(5e-4, 1e-2);
    assertThat(asked.sum().delta(16)).isBetween(0.999 * tail + infinite, 1.2 * tail + infinite);
  }

  /** A part may have an infinite loss oftener than delta: then there is no epsilon. */
  @Test
  void saysThatNoEpsilonHolds() {
    Asked asked = Asked.of(List.of(new Part(GAUSSIAN, 1)), 1, 0.5);
    ComposedLoss sum = asked.sum();
    double infinite = asked.window().grids().infinite();
    assertThat(infinite).isGreaterThan(GAUSSIAN.delta(0.5));
    assertThatThrownBy(() -> sum.epsilon(0.9 * infinite)).hasMessageContaining("no epsilon holds");
    assertThat(sum.epsilon(1.1 * infinite)).isBetween(0.3, 0.5);
    assertThat(sum.delta(3)).isCloseTo(infinite, within(1e-6));
  }

  /** Under a tilt that shows the largest loss alone, what lies below it is not known. */
  @Test
  void claimsNoLowerEndThatItDidNotSee() {
    PrivacyProfile pure = PrivacyProfile.pure(0.1);
    Asked asked = Asked.of(List.of(new Part(pure, 20)), 1e5, 0.1);
    double top = Math.pow(1 / (1 + Math.exp(-0.1)), 20);
    double delta = top * -Math.expm1(-0.1); // of an epsilon of 1.9
    ComposedLoss sum = asked.sum();
    assertThat(sum.epsilon(delta)).isBetween(1.9, 2.01);
    for (double steep = 1e4; steep < 1e6; steep *= 1.3) {
      assertThat(lower(pure, steep, delta)).as("tilt %s", steep).isLessThanOrEqualTo(1.9);
    }
    assertThat(sum.delta(sum.epsilon(0.9))).isLessThanOrEqualTo(0.9);
    assertThat(sum.lowerEpsilon(0.9)).as("all of the window holds").isZero();
    double[] gentle = {5, 12};
    assertThat(Arrays.stream(gentle).map(t -> lower(pure, t, delta)))
        .allSatisfy(lower -> assertThat(lower).isBetween(1.8, 1.9));
  }

  private static double lower(PrivacyProfile pure, double theta, double delta) {
    return Asked.of(List.of(new Part(pure, 20)), theta, 0.1).sum().lowerEpsilon(delta);
  }
}
