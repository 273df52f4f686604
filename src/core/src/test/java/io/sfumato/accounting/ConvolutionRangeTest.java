// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The range of a sum: what it claims of what lies outside must hold for the grids it has. */
class ConvolutionRangeTest {
  private record Asked(List<Part> parts, double[] reaches, ComponentLosses look, double theta) {
    static Asked of(PrivacyProfile profile, long count, double reach, double theta) {
      List<Part> parts = List.of(new Part(profile, count));
      double[] reaches = {reach};
      return new Asked(
          parts, reaches, ComponentLosses.of(parts, reaches, part -> reach / 256), theta);
    }

    ConvolutionRange window() {
      return ConvolutionRange.of(parts, reaches, look, theta, Precision.COARSE);
    }
  }

  private static double best(DoubleUnaryOperator bound) {
    double least = Double.POSITIVE_INFINITY;
    for (double t = 1e-2; t < 1e4; t *= 1.02) {
      least = Math.min(least, bound.applyAsDouble(t));
    }
    return least;
  }

  /** No claim is below the best that Chernoff's inequality proves by the window's own grids. */
  @ParameterizedTest
  @CsvSource({"0.3, 50, 2, 2", "0.03, 2000, 0.2, 3", "0.001, 1000000, 0.01, 1", "3, 100, 20, 0.1"})
  void whatLiesOutsideIsBounded(double mu, long count, double reach, double theta) {
    Asked asked = Asked.of(PrivacyProfile.gaussian(mu), count, reach, theta);
    ConvolutionRange window = asked.window();
    double first = window.lowest() * window.step();
    double beyond = (window.lowest() + window.size()) * window.step();
    ComponentLosses grids = window.grids();
    assertThat(grids.at(0).step()).isEqualTo(window.step());
    double above = best(t -> grids.lnTail(theta + t, beyond));
    assertThat(window.lnAbove()).isGreaterThanOrEqualTo(above - 1e-3 * Math.abs(above));
    double below =
        best(t -> grids.lnTail(theta - t, first)) - grids.lnMoment(theta) + theta * first;
    assertThat(window.lnBelow()).isGreaterThanOrEqualTo(below - 1e-3 * Math.abs(below));
    assertThat(window.isWide())
        .isEqualTo(
            window.lnBelow() <= -25
                && window.lnAbove() - grids.lnMoment(theta) + theta * beyond <= -25);
    // The look asks for e^-50 of the tilted law at either end, and the grids hardly differ.
    assertThat(window.isWide()).isTrue();
    assertThat(window.lnBelow()).isBetween(-80.0, -40.0);
    assertThat(window.lnAbove() - grids.lnMoment(theta) + theta * beyond).isBetween(-80.0, -40.0);
  }

  @Test
  void sizesArePowersOfTwoThatHoldTheRange() {
    for (long count : new long[] {1, 2, 5, 100, 10_000}) {
      ConvolutionRange window = Asked.of(PrivacyProfile.gaussian(0.5), count, 4, 1).window();
      assertThat(Integer.bitCount(window.size())).isEqualTo(1);
      assertThat(window.size()).isBetween(4, 2 * Precision.COARSE.sum());
      assertThat(window.step()).isGreaterThanOrEqualTo(4.0 / Precision.COARSE.single());
    }
    ConvolutionRange single = Asked.of(PrivacyProfile.gaussian(0.5), 1, 4, 1).window();
    assertThat(single.step()).as("as fine as asked").isEqualTo(4.0 / Precision.COARSE.single());
  }

  /** Bounded losses lie within: the sum has mass at its very ends. */
  @Test
  void boundedSumsLieWithinTheWindow() {
    for (int count : new int[] {1, 2, 20, 300}) {
      ConvolutionRange window = Asked.of(PrivacyProfile.pure(0.5), count, 0.5, 2).window();
      assertThat(window.isWide()).isTrue();
      // All lies have a probability of e^-(0.97 count), and all truths one of e^-(0.47 count).
      double beyond = (window.lowest() + window.size()) * window.step();
      assertThat(beyond).isGreaterThan(0.5 * Math.min(count, 50));
    }
  }

  /** So many releases that no grid of the largest transform holds their sum. */
  @ParameterizedTest
  @CsvSource({"0.3, 1000000000000, 0.3", "3, 1000000000000, 2"})
  void aWindowThatIsTooNarrowSaysSo(double mu, long count, double theta) {
    PrivacyProfile one = PrivacyProfile.gaussian(mu / Math.sqrt(count));
    double reach =
        Bisection.doubling(1e-9, 1, epsilon -> one.delta(epsilon) > 1e-12 / count)
            .orElseThrow()
            .high();
    ConvolutionRange window = Asked.of(one, count, reach, theta).window();
    double beyond = (window.lowest() + window.size()) * window.step();
    double above = window.lnAbove() - window.grids().lnMoment(theta) + theta * beyond;
    assertThat(Math.max(above, window.lnBelow())).isGreaterThan(-25);
    assertThat(window.isWide()).isFalse();
  }
}
