// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import static org.assertj.core.api.Assertions.assertThat;
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
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketQueryTest {
  /** P[Z >= x] of the discrete Gaussian law, summed as it is defined. */
  private static double gaussianTail(double sigma, long x) {
    double all = 0;
    double tail = 0;
    for (long k = -(long) (40 * sigma); k <= 40 * sigma; k++) {
      double density = Math.exp(-k * k / (2 * sigma * sigma));
      all += density;
      tail += k >= x ? density : 0;
    }
    return tail / all;
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 10, 25 << 10, 2500 << 10})
  void emptyBucketsSeldomPassUnderGaussianNoise(long variance) {
    GaussianNoise noise = new GaussianNoise(variance);
    long threshold = BucketThreshold.of(noise);
    double any = -Math.expm1(193 * Math.log1p(-gaussianTail(noise.deviation(), threshold)));
    assertThat(any).isLessThanOrEqualTo(1e-3);
    assertThat(-Math.expm1(193 * Math.log1p(-gaussianTail(noise.deviation(), threshold - 2))))
        .as("no more than a step above the least")
        .isGreaterThan(1e-3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 18, 1 << 20, 1 << 24})
  void emptyBucketsSeldomPassUnderLaplaceNoise(long rate) {
    LaplaceNoise noise = new LaplaceNoise(rate);
    long threshold = BucketThreshold.of(noise);
    // (1 - a) / (1 + a) sum_(k >= x) a^k = a^x / (1 + a), with a = e^(-1/b), in decimals.
    double a = Math.exp(-1 / noise.scale());
    assertThat(any(a, threshold)).isLessThanOrEqualTo(1e-3);
    assertThat(any(a, threshold - 1)).isGreaterThan(1e-3);
  }

  private static double any(double a, long threshold) {
    BigDecimal p =
        new BigDecimal(a)
            .pow((int) threshold, MathContext.DECIMAL64)
            .divide(BigDecimal.ONE.add(new BigDecimal(a)), MathContext.DECIMAL64);
    return 1 - BigDecimal.ONE.subtract(p).pow(193, MathContext.DECIMAL128).doubleValue();
  }

  private static CountMeasurement<BucketQuery> laplace(long steps) {
    return new CountMeasurement<>(
        new BucketQuery(), Sensitivity.addOrRemove(1), new LaplaceNoise(steps));
  }

  private static NoisyBuckets drawn(
      CountMeasurement<BucketQuery> mechanism, ExactVector counts, KeyedRandom random) {
    return new NoisyBuckets(
        mechanism.distribution(counts).draw(random), BucketThreshold.of(mechanism.noise()));
  }

  /**
   * 20,000 draws of nothing: as many as 60 would show bounds by a chance below 1e-11, were it 1e-3
   * each (Poisson of mean 20).
   */
  @Test
  void nothingSeldomHasBounds() {
    CountMeasurement<BucketQuery> mechanism = laplace(1 << 19);
    ExactVector none = ExactVector.none(PowerBuckets.NUMBER);
    KeyedRandom random = KeyedRandom.ofPublicSeed("bounds of nothing");
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      found += drawn(mechanism, none, random).bounds().isPresent() ? 1 : 0;
    }
    assertThat(found).isLessThan(60);
  }

  /** As many as are said to be seen are: of 2,000 all but 50, by a chance below 1e-9 not 120. */
  @Test
  void enoughRecordsAreSeen() {
    CountMeasurement<BucketQuery> mechanism = laplace(1 << 18);
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[100] = BucketThreshold.seen(mechanism.noise());
    KeyedRandom random = KeyedRandom.ofPublicSeed("bounds of enough");
    int missed = 0;
    for (int i = 0; i < 2_000; i++) {
      List<Integer> passed = drawn(mechanism, new ExactVector(counts), random).passed();
      missed += passed.contains(100) ? 0 : 1;
    }
    assertThat(missed).isLessThan(120);
  }

  @Test
  void boundsAreTheEdgesOfWhatPasses() {
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[PowerBuckets.of(-5)] = 70;
    counts[PowerBuckets.of(3)] = 69;
    counts[PowerBuckets.of(100)] = 71;
    NoisyBuckets drawn = new NoisyBuckets(new NoisyVector(counts), 70);
    assertThat(drawn.bounds().map(PowerBounds::low)).contains(-8.0);
    assertThat(drawn.bounds().map(PowerBounds::high)).contains(128.0);
    assertThat(new NoisyBuckets(new NoisyVector(counts), 72).bounds()).isEqualTo(Optional.empty());
  }

  /** Laplace noise of scale C / epsilon; with a delta whatever has the lower threshold. */
  @Test
  void sharesAffordOneDraw() {
    Calibrated<CountMeasurement<BucketQuery>> pure =
        VectorCalibrator.oncePure(
                "range",
                new Epsilon(new BigDecimal("0.5")),
                new BucketQuery(),
                Sensitivity.addOrRemove(3))
            .orElseThrow();
    assertThat(pure.mechanism().noise().continuousDeviation())
        .isCloseTo(Math.sqrt(2) * 6, within(1e-3));
    assertThat(pure.releases()).isEqualTo(1);
    assertThat(pure.charge().pure().orElseThrow()).isLessThanOrEqualTo(0.5);
    List<Calibrated<CountMeasurement<BucketQuery>>> both =
        BucketThreshold.lowestFirst(
            VectorCalibrator.once(
                new CalibrationTarget(
                    "range", new Epsilon(new BigDecimal("0.5")), Delta.of("1e-6"), 1),
                new BucketQuery(),
                Sensitivity.replaceOne()));
    assertThat(both).hasSize(2);
    assertThat(BucketThreshold.of(both.get(0).mechanism().noise()))
        .isLessThanOrEqualTo(BucketThreshold.of(both.get(1).mechanism().noise()));
  }
}
