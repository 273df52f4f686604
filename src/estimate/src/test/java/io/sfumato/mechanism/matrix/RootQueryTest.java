// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Noise on factorised rows: what it costs, and that it is what it says. */
class RootQueryTest {
  private static final Gate GATE =
      new Gate(
          NoiseSecret.parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
              .derive());

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private static CalibrationTarget share(String epsilon, String delta, long horizon) {
    return new CalibrationTarget("rows", Epsilon.of(epsilon), Delta.of(delta), horizon);
  }

  private static Calibrated<GridMeasurement<RootQuery>> planned(
      CalibrationTarget share, ToeplitzRoot root, GridSensitivity sensitivity) {
    return VectorCalibrator.gaussian(share, new RootQuery(root), sensitivity).orElseThrow();
  }

  /** Of every pair of neighbours the loss is within the charge; the worst pair attains it. */
  @ParameterizedTest
  @CsvSource({"7, 7, 1", "7, 7, 3", "7, 2, 3", "7, 1, 7"})
  void shouldLoseNoMoreThanIsCharged(int rows, int band, int windows) {
    ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
    GridMeasurement<RootQuery> mechanism =
        planned(share("1", "1e-6", 1), root, RootSensitivity.addOrRemove(root, 4, windows))
            .mechanism();
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    ExactVector others = new ExactVector(3, 0, 9, 1, 1, 0, 2);
    for (double order : new double[] {1.1, 2, 64}) {
      double worst = 0;
      for (int set = 1; set < 1 << rows; set++) {
        if (Integer.bitCount(set) <= windows) {
          long[] with = others.values();
          for (int i = 0; i < rows; i++) {
            with[i] += 4 * (set >>> i & 1);
          }
          worst =
              Math.max(
                  worst, mechanism.divergence(order, others, new ExactVector(with)).orElseThrow());
        }
      }
      double charged = mechanism.charge().curve().at(order);
      assertThat(worst).isBetween((1 - 1e-5) * charged, charged);
    }
  }

  @Test
  void shouldLoseNoMoreThanIsChargedWhereOneRecordMoves() {
    ToeplitzRoot root = ToeplitzRoot.full(30);
    GridMeasurement<RootQuery> mechanism =
        planned(share("1", "1e-6", 1), root, RootSensitivity.replaceOne(root)).mechanism();
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    double charged = mechanism.charge().curve().at(2);
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < 30; j++) {
        long[] first = new long[30];
        long[] second = new long[30];
        first[i] = 1;
        second[j] = 1;
        assertThat(
                mechanism
                    .divergence(2, new ExactVector(first), new ExactVector(second))
                    .orElseThrow())
            .isLessThanOrEqualTo(charged);
      }
    }
  }

  /** As many releases as planned are one of the affordable mu; with less noise they are not. */
  @ParameterizedTest
  @CsvSource({"1, 1e-6, 1", "1.5, 1e-6, 52", "0.1, 1e-9, 4"})
  void shouldTakeTheLeastNoiseThatAShareAffords(String epsilon, String delta, long horizon) {
    ToeplitzRoot root = ToeplitzRoot.full(100);
    GridSensitivity sensitivity = RootSensitivity.addOrRemove(root, 2, 1);
    Calibrated<GridMeasurement<RootQuery>> plan =
        planned(share(epsilon, delta, horizon), root, sensitivity);
    double mu = GaussianBudget.mu(Epsilon.of(epsilon), Delta.of(delta), Accountant.EXACT);
    double sigma = plan.mechanism().noise().steps();
    double together = sensitivity.l2() / sigma * Math.sqrt(horizon);
    assertThat(together).isBetween(mu * (1 - 1e-6), mu);
    assertThat(plan.releases()).isEqualTo(horizon);
  }

  /**
   * 20,000 draws of 16 rows. Noise follows its law at 2e-10. Of covariances of running sums, in
   * their normal limit, seven standard errors (a product of two normal numbers has at most twice
   * the variances' product): 32 false alarms of below 1e-11.
   */
  @Test
  void shouldDrawNoiseThatSpreadsAsIsSaid() {
    ToeplitzRoot root = ToeplitzRoot.full(16);
    GridMeasurement<RootQuery> mechanism =
        new GridMeasurement<>(
            new RootQuery(root),
            RootSensitivity.addOrRemove(root, 1, 1),
            new GridGaussian(20, 3 << 20));
    assertThat(mechanism.deviation()).isEqualTo(3);
    assertThat(mechanism.parameters()).containsEntry("sigma", 3.0);
    long[] x = new Random(8).longs(16, 0, 1000).toArray();
    ExactVector exact = new ExactVector(x);
    long[] rows = root.times(exact);
    RootEstimate estimate = new RootEstimate(root);
    OutputDistribution<NoisyVector> law = mechanism.distribution(exact);
    KeyedRandom random = KeyedRandom.ofPublicSeed("factorised");
    int draws = 20_000;
    double[] noise = new double[draws * 16];
    double[] own = new double[16];
    double[] withLast = new double[16];
    for (int draw = 0; draw < draws; draw++) {
      NoisyVector drawn = law.draw(random);
      double[] sums = estimate.sums(drawn.values());
      long sum = 0;
      for (int i = 0; i < 16; i++) {
        noise[16 * draw + i] = (drawn.of(i) - rows[i]) / Math.scalb(3.0, 20);
        sum += x[i];
        own[i] += (sums[i] - sum) * (sums[i] - sum) / draws;
        withLast[i] += (sums[i] - sum) * (sums[15] - exact.total()) / draws;
      }
    }
    KolmogorovSmirnov.assertFollows(noise, NORMAL::cumulativeProbability);
    for (int i = 0; i < 16; i++) {
      double deviation = 3 * estimate.deviation(i);
      double last = 3 * estimate.deviation(15);
      double error = 7 * Math.sqrt(2.0 / draws);
      assertThat(own[i]).isCloseTo(deviation * deviation, within(error * deviation * deviation));
      assertThat(withLast[i])
          .isCloseTo(9 * estimate.covariance(i, 15), within(error * deviation * last));
    }
  }

  /** The same random numbers on other data: they differ by C x alone. */
  @Test
  void shouldAddNoiseThatDoesNotHangOnTheData() {
    ToeplitzRoot root = ToeplitzRoot.banded(50, 9);
    GridMeasurement<RootQuery> mechanism =
        planned(share("1", "1e-6", 1), root, RootSensitivity.replaceOne(root)).mechanism();
    ExactVector exact = new ExactVector(new Random(2).longs(50, 0, 1 << 30).toArray());
    long[] drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("a")).values();
    long[] noise =
        mechanism.distribution(ExactVector.none(50)).draw(KeyedRandom.ofPublicSeed("a")).values();
    long[] rows = root.times(exact);
    Arrays.setAll(drawn, i -> drawn[i] - noise[i]);
    assertThat(drawn).containsExactly(rows);
  }

  private static NoisyVector drawn(
      GridMeasurement<RootQuery> mechanism, long window, ExactVector exact) {
    ReleaseId id = new ReleaseId("p", new StateEpoch(1, 2), 1, "rows", "north", window, 0);
    return GATE.release(
        Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(exact)));
  }

  /** Another id, input, root or noise never meets the same random numbers. */
  @Test
  void shouldDrawTheSameAgainForOneIdAndInputAlone() {
    ToeplitzRoot root = ToeplitzRoot.full(4);
    GridSensitivity sensitivity = RootSensitivity.addOrRemove(root, 1, 1);
    GridMeasurement<RootQuery> mechanism =
        new GridMeasurement<>(new RootQuery(root), sensitivity, new GridGaussian(20, 5 << 20));
    GridMeasurement<RootQuery> banded =
        new GridMeasurement<>(
            new RootQuery(ToeplitzRoot.banded(4, 3)), sensitivity, new GridGaussian(20, 5 << 20));
    GridMeasurement<RootQuery> wider =
        new GridMeasurement<>(
            new RootQuery(root), sensitivity, new GridGaussian(20, (5 << 20) + 1));
    ExactVector exact = new ExactVector(1, 0, 5, 0);
    assertThat(drawn(mechanism, 0, new ExactVector(exact.values())))
        .isEqualTo(drawn(mechanism, 0, exact));
    Set<Long> noises = new HashSet<>();
    for (NoisyVector rows :
        List.of(
            drawn(mechanism, 0, exact),
            drawn(mechanism, 1, exact),
            drawn(mechanism, 0, new ExactVector(1, 0, 5, 1)),
            drawn(banded, 0, exact),
            drawn(wider, 0, exact))) {
      noises.add(rows.of(0)); // of the first row alone, which is the same in all
    }
    assertThat(noises).hasSize(5);
  }

  @Test
  void shouldRefuseAnotherGridAndOtherRows() {
    ToeplitzRoot root = ToeplitzRoot.full(3);
    GridSensitivity sensitivity = RootSensitivity.replaceOne(root);
    assertThatThrownBy(
            () ->
                new GridMeasurement<>(
                    new RootQuery(root), sensitivity, new GridGaussian(16, 1 << 20)))
        .isInstanceOf(IllegalArgumentException.class);
    GridMeasurement<RootQuery> mechanism =
        planned(share("1", "1e-6", 1), root, sensitivity).mechanism();
    assertThatThrownBy(() -> mechanism.distribution(ExactVector.none(4)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Whoever cannot be hidden at all gets no plan rather than a mechanism that fails. */
  @Test
  void shouldFindNoNoiseThatIsTooLarge() {
    ToeplitzRoot root = ToeplitzRoot.full(16);
    assertThat(
            VectorCalibrator.gaussian(
                share("1e-9", "1e-12", 1_000_000_000),
                new RootQuery(root),
                RootSensitivity.addOrRemove(root, 1000, 16)))
        .isEmpty();
  }

  @Test
  void rowsAndRootsAreEqualWhereTheyHoldTheSame() {
    ToeplitzRoot root = ToeplitzRoot.full(3);
    assertThat(root).isEqualTo(ToeplitzRoot.full(3)).hasSameHashCodeAs(ToeplitzRoot.full(3));
    assertThat(root).isNotEqualTo(ToeplitzRoot.full(4)).isNotEqualTo(ToeplitzRoot.banded(3, 2));
    assertThat(root).hasToString("ToeplitzRoot[3 rows, band 3]");
    assertThat(new RootEstimate(root).rows()).isEqualTo(3);
    assertThat(new NoisyVector(1, 2))
        .isEqualTo(new NoisyVector(1, 2))
        .isNotEqualTo(new NoisyVector(1, 3));
    GridSensitivity sensitivity = RootSensitivity.replaceOne(root);
    assertThat(planned(share("1", "1e-6", 1), root, sensitivity).mechanism().method())
        .isEqualTo("gaussian");
  }
}
