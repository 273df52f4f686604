// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.dirichlet.TheoremA;
import io.sfumato.mechanism.dirichlet.TheoremC;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed forms beside sums over every whole number that matters, and beside the theorems. */
class DivergencesTest {
  private static final long FAR = 4000;

  /** ln sum P^L Q^(1-L) / (L-1) of two shifted laws, from logarithms without normaliser. */
  private static double summed(double order, long shift, LongToDoubleFunction logWeight) {
    double normaliser =
        LongStream.rangeClosed(-FAR, FAR)
            .mapToDouble(x -> Math.exp(logWeight.applyAsDouble(x)))
            .sum();
    double sum =
        LongStream.rangeClosed(-FAR, FAR)
            .mapToDouble(
                x ->
                    Math.exp(
                        order * logWeight.applyAsDouble(x)
                            + (1 - order) * logWeight.applyAsDouble(x - shift)))
            .sum();
    return Math.log(sum / normaliser) / (order - 1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.1, 2, 6.5, 23})
  void laplaceIsTheSumOfItsSeries(double order) {
    for (double scale : new double[] {0.7, 3, 40}) {
      for (long shift : new long[] {1, 2, 7, 64}) {
        double wanted = summed(order, shift, x -> -Math.abs(x) / scale);
        assertThat(RenyiDivergences.laplace(order, shift, scale))
            .isCloseTo(wanted, within(1e-9 * Math.max(1e-3, wanted)))
            .isEqualTo(RenyiDivergences.laplace(order, -shift, scale));
      }
    }
  }

  /** One step is randomised response, whose curve the charge of one replaced record is made of. */
  @Test
  void oneStepOfLaplaceIsRandomisedResponse() {
    for (double order : new double[] {1.5, 8, 128}) {
      for (double scale : new double[] {0.5, 20, 1e5}) {
        assertThat(RenyiDivergences.laplace(order, 1, scale))
            .isLessThanOrEqualTo(RenyiCurve.pure(1 / scale).at(order) * (1 + 1e-12));
      }
      assertThat(RenyiDivergences.laplace(order, 1, 20))
          .isCloseTo(RenyiCurve.pure(1 / 20.0).at(order), within(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 5, 16})
  void discreteGaussiansAttainTheGaussianCurve(double order) {
    assertThat(summed(order, 3, x -> -x * x / (2 * 50.0)))
        .isCloseTo(RenyiDivergences.gaussian(order, 9, 50), within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.1, 2, 4})
  void oneReplacedRecordAloneAttainsTheoremA(double order) {
    double r = 0.3;
    double a = 2;
    assertThat(
            RenyiDivergences.dirichlet(
                order, new double[] {a + r, a, a + 5 * r}, new double[] {a, a + r, a + 5 * r}))
        .isCloseTo(TheoremA.divergence(order, r, a, 1), within(1e-11));
  }

  /** Theorem C is approached as other categories fill, never exceeded. */
  @Test
  void addedRecordsStayBelowTheoremC() {
    double r = 0.2;
    double a = 3;
    double bound = TheoremC.divergence(3, r, a, 4);
    double before = 0;
    for (double others : new double[] {0, 10, 1000, 100_000}) {
      double[] with = {a + 4 * r, a + r * others};
      double[] without = {a, a + r * others};
      double lost =
          Math.max(
              RenyiDivergences.dirichlet(3, with, without),
              RenyiDivergences.dirichlet(3, without, with));
      assertThat(lost).isGreaterThan(before).isLessThanOrEqualTo(bound);
      before = lost;
    }
    assertThat(before / bound).isGreaterThan(0.99);
  }

  @Test
  void finiteLawsKeepTheirDigitsWhereTheyHardlyDiffer() {
    double tiny = 1e-7;
    double[] p = {0.5 + tiny, 0.5 - tiny};
    double[] q = {0.5 - tiny, 0.5 + tiny};
    // L chi^2 / 2 to first order, chi^2 = 16 tiny^2.
    assertThat(RenyiDivergences.finite(10, p, q))
        .isCloseTo(80 * tiny * tiny, within(1e-6 * 80e-14));
    assertThat(RenyiDivergences.finite(1024, new double[] {0.9, 0.1}, new double[] {0.1, 0.9}))
        .isCloseTo(Math.log(9), within(1e-3));
  }

  @Test
  void groupsOfCountsAddUpTheirCells() {
    long[] first = {5, 2, 9};
    long[] second = {3, 2, 10};
    assertThat(RenyiDivergences.gaussian(3, first, second, 8))
        .isCloseTo(3 * 5 / 16.0, within(1e-15));
    assertThat(RenyiDivergences.laplace(3, first, second, 2))
        .isCloseTo(
            RenyiDivergences.laplace(3, 2, 2) + RenyiDivergences.laplace(3, 1, 2), within(1e-15));
    assertThat(RenyiDivergences.laplace(3, first, first, 2)).isZero();
  }

  /** Two Beta laws in closed form: the integral of p^2/q is one of Beta's. */
  @Test
  void dirichletIsTheIntegralAsLongAsThereIsOne() {
    double[] u = {2, 2};
    double ln = 2 * Math.log(3 * Math.PI / 8);
    assertThat(RenyiDivergences.dirichlet(2, u, new double[] {2.5, 1.5}))
        .isCloseTo(ln, within(1e-13));
    assertThat(RenyiDivergences.dirichlet(2, u, new double[] {4, 1})).as("just none").isInfinite();
    assertThat(RenyiDivergences.dirichlet(2, u, new double[] {5, 1})).isInfinite();
    assertThat(RenyiDivergences.dirichlet(2, u, u)).isZero();
  }

  /** A loss whose exponential is no double: order 2 in closed form, a geometric series. */
  @Test
  void largeLossesDoNotOverflow() {
    double q = Math.exp(-1);
    double series = Math.exp(-3) / -Math.expm1(-3);
    double wanted = 800 + Math.log((1 + (1 - q) * series) / (1 + q));
    assertThat(RenyiDivergences.laplace(2, 800, 1)).isCloseTo(wanted, within(1e-12 * wanted));
  }
}
