// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Noise on parts: what it costs, and that it is what it says. */
class MomentQueryTest {
  private static final long STEPS = BernsteinParts.STEPS;
  private static final NumberBounds BOUNDS = new NumberBounds(0, 1);
  private static final Gate GATE =
      new Gate(
          NoiseSecret.parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
              .derive());

  private static CalibrationTarget request(String epsilon, long horizon) {
    return new CalibrationTarget("mean", Epsilon.of(epsilon), Delta.of("1e-6"), horizon);
  }

  private static ExactVector sums(MomentShape shape, Random random, int records) {
    ExactVector sums = ExactVector.none(shape.size());
    for (int i = 0; i < records; i++) {
      long[][] parts = new long[shape.fields()][];
      for (int field = 0; field < parts.length; field++) {
        double t = random.nextDouble();
        parts[field] =
            new BernsteinParts(BOUNDS, shape.degree()).of(random.nextInt(3) > 0 ? t : Math.rint(t));
      }
      sums = sums.plus(shape.record(random.nextInt(shape.groups()), parts));
    }
    return sums;
  }

  /** What is truly lost between random neighbours, at every order; and the worst are near. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 1, 1", "1, 3, 1", "2, 2, 4"})
  void shouldLoseNoMoreThanIsCharged(int degree, int fields, int groups) {
    Random random = new Random(degree + fields);
    MomentShape shape = new MomentShape(groups, fields, degree);
    Stream<MomentSensitivity> ways =
        Stream.of(
            MomentSensitivity.addOrRemove(degree, fields, 3),
            MomentSensitivity.replaceOne(degree, fields),
            MomentSensitivity.replaceOneOfOneGroup(degree, fields));
    for (MomentSensitivity way : ways.limit(groups == 1 ? 3 : 2).toList()) {
      for (GridNoise noise :
          List.of(new GridLaplace(20, 3 * STEPS / 2), new GridGaussian(20, 5 * STEPS))) {
        GridMeasurement<MomentQuery> mechanism = new MomentQuery(way).with(noise);
        PrivacyCost charge = mechanism.charge();
        assertThat(charge.unit()).isEqualTo(way.unit());
        double nearest = 0;
        for (int i = 0; i < 200; i++) {
          ExactVector first = sums(shape, random, way.sizeIsPublic() ? 1 : 0);
          ExactVector second = sums(shape, random, way.sizeIsPublic() ? 1 : 3);
          for (double order : new double[] {1.1, 2, 8.5, 64, 1024}) {
            double lost = mechanism.divergence(order, first, second).orElseThrow();
            double back = mechanism.divergence(order, second, first).orElseThrow();
            assertThat(Math.max(lost, back)).isLessThanOrEqualTo(charge.curve().at(order));
            nearest = Math.max(nearest, lost / charge.curve().at(order));
          }
        }
        assertThat(nearest).isGreaterThan(0.3);
      }
    }
  }

  /** One user's record costs what it costs a count, and the noise is a count's. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 4", "2, 7"})
  void shouldCostWhatOneCountCosts(int degree, int records) {
    MomentSensitivity users = MomentSensitivity.addOrRemove(degree, 1, records);
    Calibrated<GridMeasurement<MomentQuery>> plan =
        Plans.laplace(request("1", 1), users).orElseThrow();
    assertThat(plan.mechanism().noise()).isEqualTo(new GridLaplace(20, records * STEPS));
    assertThat(plan.charge().pure().orElseThrow()).isEqualTo(1);
    assertThat(plan.releases()).isEqualTo(1);
    for (int i = 0; i < RenyiOrders.size() && RenyiOrders.at(i) < 300; i++) {
      double order = RenyiOrders.at(i);
      // Randomised response of epsilon 1 (Mironov 2017).
      double exact = Math.log(Math.cosh(order - 0.5) / Math.cosh(0.5)) / (order - 1);
      assertThat(plan.charge().curve().at(order)).isCloseTo(exact, within(1e-9));
    }
    double sigma =
        Plans.gaussian(request("1", 1), users).orElseThrow().mechanism().parameters().get("sigma");
    assertThat(sigma).isCloseTo(4.2247 * records, within(1e-4 * records));
  }

  private static NoisyMoments drawn(
      GridMeasurement<MomentQuery> mechanism, ReleaseId id, ExactVector exact) {
    return NoisyMoments.of(
        mechanism.query(),
        GATE.release(
            Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(exact))));
  }

  /** Ledgers know a charge by its name, and noise hangs on what is encoded: neither may change. */
  @Test
  void shouldBeKnownByNamesThatStay() {
    GridMeasurement<MomentQuery> laplace =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 1, 4)).with(new GridLaplace(20, STEPS));
    assertThat(laplace.charge().mechanism())
        .isEqualTo("discrete-laplace moments add-or-remove-4 m=1 fields=1 b=1048576 of 2^-20");
    GridMeasurement<MomentQuery> gaussian =
        new MomentQuery(MomentSensitivity.replaceOne(2, 3)).with(new GridGaussian(20, 77));
    assertThat(gaussian.charge().mechanism())
        .isEqualTo("discrete-gaussian moments replace-one m=2 fields=3 sigma=77 of 2^-20");
    CanonicalEncoder encoder = new CanonicalEncoder();
    laplace.distribution(new ExactVector(3, STEPS - 3)).encodeInput(encoder);
    CanonicalEncoder expected =
        new CanonicalEncoder()
            .text("moments")
            .text("laplace")
            .text("moments add-or-remove-4 m=1 fields=1")
            .number(20)
            .number(1 << 20)
            .number(0)
            .number(1)
            .numbers(new long[] {3, (1 << 20) - 3});
    assertThat(encoder.toBytes()).isEqualTo(expected.toBytes());
  }

  /** Another id, input, neighbour or noise never meets the same random numbers. */
  @Test
  void shouldDrawTheSameAgainForOneIdAndInputAlone() {
    ReleaseId id = new ReleaseId("p", new StateEpoch(1, 2), 1, "mean", "north", 0, 0);
    ReleaseId next = new ReleaseId("p", new StateEpoch(1, 2), 1, "mean", "north", 1, 0);
    MomentShape shape = new MomentShape(1, 1, 1);
    ExactVector exact = sums(shape, new Random(3), 40);
    ExactVector other = sums(shape, new Random(4), 40);
    GridMeasurement<MomentQuery> mechanism =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 1, 1)).with(new GridLaplace(20, STEPS));
    NoisyMoments once = drawn(mechanism, id, exact);
    assertThat(drawn(mechanism, id, new ExactVector(exact.values())).steps())
        .isEqualTo(once.steps());
    Set<Long> noises = new HashSet<>();
    noises.add(once.of(0, 0, 1) - exact.of(1));
    noises.add(drawn(mechanism, next, exact).of(0, 0, 1) - exact.of(1));
    noises.add(drawn(mechanism, id, other).of(0, 0, 1) - other.of(1));
    for (GridMeasurement<MomentQuery> another :
        List.of(
            new MomentQuery(mechanism.query().way()).with(new GridLaplace(20, STEPS + 1)),
            new MomentQuery(mechanism.query().way()).with(new GridGaussian(20, STEPS)),
            new MomentQuery(MomentSensitivity.replaceOne(1, 1)).with(mechanism.noise()),
            new MomentQuery(MomentSensitivity.addOrRemove(1, 1, 2)).with(mechanism.noise()))) {
      noises.add(drawn(another, id, exact).of(0, 0, 1) - exact.of(1));
    }
    assertThat(noises).hasSize(7);
  }

  /** 20,000 draws of six sums; the law at 2e-10 each. */
  @Test
  void shouldPutItsNoiseOnEverySum() {
    MomentShape shape = new MomentShape(2, 1, 2);
    ExactVector exact = sums(shape, new Random(5), 100);
    GridMeasurement<MomentQuery> mechanism =
        new MomentQuery(MomentSensitivity.replaceOne(2, 1)).with(new GridLaplace(20, 2 * STEPS));
    OutputDistribution<NoisyVector> law = mechanism.distribution(exact);
    KeyedRandom random = KeyedRandom.ofPublicSeed("noise on every sum");
    double[][] noises = new double[6][20_000];
    for (int draw = 0; draw < 20_000; draw++) {
      NoisyVector noisy = law.draw(random);
      assertThat(noisy.records()).hasValue(100);
      for (int i = 0; i < 6; i++) {
        noises[i][draw] = (noisy.of(i) - exact.of(i)) / (2.0 * STEPS);
      }
    }
    for (double[] noise : noises) {
      KolmogorovSmirnov.assertFollows(noise, LaplaceDistribution.of(0, 1)::cumulativeProbability);
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void shouldLetTheFirstPartFollowFromThePublicNumberOfRecords(int degree) {
    MomentShape shape = new MomentShape(1, 2, degree);
    ExactVector exact = sums(shape, new Random(6), 30);
    GridMeasurement<MomentQuery> mechanism =
        new MomentQuery(MomentSensitivity.replaceOneOfOneGroup(degree, 2))
            .with(new GridLaplace(20, STEPS));
    NoisyMoments noisy =
        NoisyMoments.of(
            mechanism.query(),
            mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("first parts " + degree)));
    assertThat(noisy.records()).isEqualTo(OptionalLong.of(30));
    for (int field = 0; field < 2; field++) {
      long sum = 0;
      for (int k = 0; k <= degree; k++) {
        sum += noisy.of(0, field, k);
        assertThat(noisy.of(0, field, k)).isNotEqualTo(exact.of(shape.place(0, field, k)));
      }
      assertThat(sum).isEqualTo(30 * STEPS);
    }
    assertThatThrownBy(
            () -> mechanism.distribution(ExactVector.none(new MomentShape(2, 2, degree).size())))
        .hasMessageContaining("several groups");
  }

  @Test
  void shouldTellNoNumberOfRecordsWhereUsersAreProtected() {
    GridMeasurement<MomentQuery> mechanism =
        new MomentQuery(MomentSensitivity.addOrRemove(1, 1, 1)).with(new GridLaplace(20, STEPS));
    ExactVector exact = sums(new MomentShape(1, 1, 1), new Random(7), 30);
    assertThat(mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("n")).records())
        .isEmpty();
    assertThat(mechanism.parameters()).containsOnlyKeys("scale");
    assertThatThrownBy(
            () -> mechanism.distribution(ExactVector.none(new MomentShape(1, 1, 2).size())))
        .hasMessageContaining("planned");
    assertThatThrownBy(() -> new MomentQuery(mechanism.query().way()).with(new GridLaplace(40, 1)))
        .hasMessageContaining("2^-20");
  }
}
