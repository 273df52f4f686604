// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.bounds.BucketThreshold;
import io.sfumato.estimate.bounds.NoisyBuckets;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is drawn of buckets, what it is charged, and what is refused. */
class BoundsAtLimitsTest {
  private static final AdditiveNoise NOISE = new LaplaceNoise(1 << 18);

  private static ExactVector counts(int bucket, long records) {
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[bucket] = records;
    return new ExactVector(counts);
  }

  private static CountMeasurement<BucketQuery> measured(Sensitivity sensitivity) {
    return new CountMeasurement<>(new BucketQuery(), sensitivity, NOISE);
  }

  private static Optional<Calibrated<CountMeasurement<BucketQuery>>> pure(
      String epsilon, Sensitivity sensitivity) {
    return VectorCalibrator.oncePure("range", Epsilon.of(epsilon), new BucketQuery(), sensitivity);
  }

  private static KeyedRandom random() {
    return KeyedRandom.ofPublicSeed("noisy buckets");
  }

  @Test
  void everyBucketHasANoiseOfItsOwn() {
    CountMeasurement<BucketQuery> mechanism = measured(Sensitivity.addOrRemove(1));
    KeyedRandom random = random();
    ToLongFunction<KeyedRandom> sampler = NOISE.sampler();
    long[] wanted = new long[PowerBuckets.NUMBER];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = (i == 7 ? 90 : 0) + sampler.applyAsLong(random);
    }
    NoisyVector drawn = mechanism.distribution(counts(7, 90)).draw(random());
    assertThat(drawn.values()).containsExactly(wanted);
    assertThat(drawn.records()).as("their number is private").isEmpty();
    NoisyVector replaced =
        measured(Sensitivity.replaceOne()).distribution(counts(7, 90)).draw(random());
    assertThat(replaced.records()).hasValue(90);
    CanonicalEncoder encoder = new CanonicalEncoder();
    mechanism.distribution(counts(7, 90)).encodeInput(encoder);
    assertThat(encoder.digest())
        .isEqualTo(
            new CanonicalEncoder()
                .text("bounds")
                .text(NOISE.method())
                .number(NOISE.steps())
                .numbers(counts(7, 90).values())
                .digest());
  }

  @Test
  void isChargedAndToldByItsNoise() {
    CountMeasurement<BucketQuery> mechanism = measured(Sensitivity.addOrRemove(3));
    assertThat(mechanism.method()).isEqualTo("laplace");
    assertThat(mechanism.parameters()).isNotEmpty().isEqualTo(NOISE.parameters());
    assertThat(mechanism.charge().pure().orElseThrow()).isCloseTo(0.75, within(1e-12));
    assertThat(mechanism.divergence(2, counts(7, 5), counts(7, 8)).getAsDouble())
        .isCloseTo(NOISE.divergence(2, new long[] {5}, new long[] {8}), within(1e-15));
    assertThat(BucketThreshold.seen(NOISE))
        .isEqualTo(BucketThreshold.of(NOISE) + NOISE.halfWidth(1));
  }

  /** Also where epsilon is a whole number of steps, of which the charge is rounded upward. */
  @ParameterizedTest
  @ValueSource(strings = {"0.5", "1", "0.3", "0.0009765625", "7.77"})
  void aPureDrawCostsNoMoreThanItsEpsilonAndHardlyLess(String epsilon) {
    for (int records : new int[] {1, 3}) {
      Calibrated<CountMeasurement<BucketQuery>> plan =
          pure(epsilon, Sensitivity.addOrRemove(records)).orElseThrow();
      double most = Double.parseDouble(epsilon);
      assertThat(plan.charge().pure().orElseThrow())
          .isBetween(most - 2.0 * records / (1 << 20), Math.nextDown(most + Math.ulp(most)));
      assertThat(new BigDecimal(plan.charge().pure().orElseThrow()))
          .isLessThanOrEqualTo(new BigDecimal(epsilon));
      assertThat(plan.releases()).isEqualTo(1);
    }
  }

  @Test
  void aPureDrawHasItsLimits() {
    Sensitivity one = Sensitivity.addOrRemove(1);
    assertThat(pure("0.0000001", one)).isEmpty();
    assertThat(pure("0.00000095367431640625", one))
        .as("one step, whose charge is rounded upward")
        .isEmpty();
    Calibrated<CountMeasurement<BucketQuery>> least = pure("999999", one).orElseThrow();
    assertThat(least.mechanism().noise().steps()).isEqualTo(1L << 30);
  }

  @Test
  void theNoiseWithTheLowerThresholdComesFirst() {
    for (String delta : new String[] {"0.01", "1e-9"}) {
      List<Calibrated<CountMeasurement<BucketQuery>>> plans =
          BucketThreshold.lowestFirst(
              VectorCalibrator.once(
                  new CalibrationTarget("range", Epsilon.of("0.5"), Delta.of(delta), 1),
                  new BucketQuery(),
                  Sensitivity.replaceOne()));
      assertThat(plans).hasSize(2);
      assertThat(plans).extracting(plan -> BucketThreshold.of(plan.mechanism().noise())).isSorted();
      assertThat(plans.get(0).mechanism().noise())
          .isInstanceOf(delta.equals("0.01") ? GaussianNoise.class : LaplaceNoise.class);
      assertThat(plans).allSatisfy(plan -> assertThat(plan.releases()).isEqualTo(1));
    }
  }

  @Test
  void bucketsThatReachTheThresholdPass() {
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[3] = 70;
    counts[9] = 71;
    counts[12] = 69;
    NoisyBuckets drawn = new NoisyBuckets(new NoisyVector(OptionalLong.of(5), counts), 70);
    assertThat(drawn.passed()).containsExactly(3, 9);
    assertThat(drawn.bounds()).contains(new PowerBounds(3, 9));
    assertThatThrownBy(() -> new NoisyBuckets(new NoisyVector(0, 0, 0), 70))
        .hasMessageContaining("every bucket");
  }

  @Test
  void countsAreNeverNegativeAndOfEveryBucket() {
    BucketQuery query = new BucketQuery();
    assertThat(query.vector(counts(7, 4))).isEqualTo(counts(7, 4).values());
    assertThat(query.records(counts(7, 4))).hasValue(4);
    assertThat(query.records(counts(7, 0))).hasValue(0);
    assertThatThrownBy(() -> query.vector(counts(7, -1))).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> query.vector(ExactVector.none(3)))
        .hasMessageContaining("every bucket");
  }

  @Test
  void sumsAreThoseOfNumbersBetweenZeroAndOne() {
    long[] sums = new long[BucketSums.SIZE];
    sums[0] = 2;
    sums[1] = 2 << PowerBuckets.DIGITS;
    sums[2] = 2L << 2 * PowerBuckets.DIGITS;
    BucketSums most = new BucketSums(sums);
    assertThat(most).isEqualTo(new BucketSums(sums)).hasSameHashCodeAs(new BucketSums(sums));
    assertThat(most).isNotEqualTo(new BucketSums(new long[BucketSums.SIZE])).isNotEqualTo("sums");
    assertThat(most.hashCode()).isNotEqualTo(new BucketSums(new long[BucketSums.SIZE]).hashCode());
    assertThat(most.count(0)).isEqualTo(2);
    assertThat(most.records()).isEqualTo(2);
    for (int i = 0; i < 3; i++) {
      long[] wrong = sums.clone();
      wrong[i] = -1;
      assertThatThrownBy(() -> new BucketSums(wrong)).hasMessageContaining("[0, 1]");
    }
    assertThatThrownBy(() -> new BucketSums(new long[3])).hasMessageContaining("expected");
    assertThat(bounded(2, 5, 10, 50).first()).isEqualTo(BigInteger.TEN);
    for (long[] wrong :
        new long[][] {{2, 0, 0, 0}, {2, 5, 11, 50}, {2, 5, 10, 51}, {2, 5, 10, -1}}) {
      assertThatThrownBy(() -> bounded(wrong)).hasMessageContaining("[0, 1]");
    }
    assertThat(bounded(0, 5, 0, 0).second()).isZero();
  }

  private static BoundedSums bounded(long... numbers) {
    BigInteger[] n =
        Arrays.stream(numbers).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
    return new BoundedSums(n[0], n[1], n[2], n[3]);
  }

  @Test
  void bucketsAndBoundsHaveTheirEnds() {
    int last = PowerBuckets.NUMBER - 1;
    assertThat(PowerBuckets.lower(0)).isEqualTo(-0x1.0p64);
    assertThat(PowerBuckets.upper(last)).isEqualTo(0x1.0p64);
    for (int wrong : new int[] {-1, PowerBuckets.NUMBER}) {
      assertThatThrownBy(() -> PowerBuckets.lower(wrong)).hasMessageContaining("no bucket");
    }
    assertThat(new PowerBounds(0, 0).low()).isEqualTo(-0x1.0p64);
    assertThat(new PowerBounds(0, 0).high()).isEqualTo(-0x1.0p63);
    assertThat(new PowerBounds(last, last).high()).isEqualTo(0x1.0p64);
    for (int[] wrong : new int[][] {{-1, 3}, {4, 3}, {3, PowerBuckets.NUMBER}}) {
      assertThatThrownBy(() -> new PowerBounds(wrong[0], wrong[1])).hasMessageContaining("bounds");
    }
    PowerBounds zero = new PowerBounds(PowerBuckets.ZERO, PowerBuckets.ZERO);
    assertThat(zero.low()).isEqualTo(-0x1.0p-32);
    assertThat(zero.high()).isEqualTo(0x1.0p-32);
    assertThat(zero.lowSteps()).isEqualTo(BigInteger.valueOf(-(1 << 15)));
    assertThat(new PowerBounds(PowerBuckets.ZERO, last).low()).isZero();
    assertThat(new PowerBounds(0, PowerBuckets.ZERO).high()).isZero();
  }
}
