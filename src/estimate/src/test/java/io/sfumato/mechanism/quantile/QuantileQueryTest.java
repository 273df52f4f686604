// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.estimate.quantile.QuantileError;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.HexFormat;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Noise on bins: what it costs, and how far ranks are off. */
class QuantileQueryTest {
  private static final CalibrationTarget SHARE =
      new CalibrationTarget("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);

  private static final Bins BINS = Bins.of(0, 300, Bins.DEFAULT, Scale.LINEAR);

  private static GridMeasurement<QuantileQuery> ofUsers(Bins bins, int records) {
    return Plans.quantilesOfUsers(SHARE, bins, records).orElseThrow().mechanism();
  }

  /** One record a user, 4,096 bins, (1, 1e-6): 4.225 times 3.55. In proportion to C. */
  @Test
  void shouldHaveRanksWithin16Records() {
    QuantileError error = QuantileError.of(ofUsers(BINS, 1));
    assertThat(error.rankRms()).isCloseTo(15.0, within(0.05)).isLessThan(16);
    assertThat(error.rankWorst()).isCloseTo(4.225 * 3.714, within(0.01));
    assertThat(QuantileError.of(ofUsers(BINS, 3)).rankRms())
        .isCloseTo(3 * error.rankRms(), within(1e-4));
    GridMeasurement<QuantileQuery> ofRecords =
        Plans.quantilesOfRecords(SHARE, BINS).orElseThrow().mechanism();
    QuantileError replaced = QuantileError.of(ofRecords);
    assertThat(replaced.rankRms()).isCloseTo(Math.sqrt(2) * error.rankRms(), within(1e-4));
    // N is public: nothing but the cumulative count is noisy.
    assertThat(replaced.halfWidth())
        .isCloseTo(2.05374891064 * replaced.rankRms(), within(1e-9 * replaced.halfWidth()));
    assertThat(error.halfWidth()).isCloseTo(32.1, within(0.1));
  }

  /**
   * The binary tree over 4,096 bins at the same guarantee has 13 levels, hence noise of sqrt(13),
   * and as many noises in a cumulative count as the number of its bins has binary ones: 8.83 in
   * place of 3.55. By the formula, and by 300 draws of each; mean squares lie, in their normal
   * limit, within seven of their own standard errors: false alarms below 1e-11.
   */
  @Tag("deep")
  @Test
  void shouldBeMoreThanTwiceAsGoodAsATreeOfCounts() {
    int n = BINS.number();
    long ones = 0;
    for (int v = 1; v <= n; v++) {
      ones += Integer.bitCount(v);
    }
    GridSensitivity ofTree =
        new GridSensitivity(
            "tree", PrivacyUnit.USER, 13, 1 << 20, Math.sqrt(13) * (1 << 20) * (1 + 1e-15));
    GridNoise noise =
        NoiseCalibration.gaussian(SHARE, ofTree, GridNoise.DIGITS).orElseThrow().noise();
    double tree = noise.deviation() / (1 << 20) * Math.sqrt(ones / (double) n);
    assertThat(tree).isCloseTo(4.225 * 8.83, within(0.05));
    GridMeasurement<QuantileQuery> mechanism = ofUsers(BINS, 1);
    double factorised = QuantileError.of(mechanism).rankRms();
    assertThat(tree / factorised).isGreaterThan(2.4);

    KeyedRandom random = KeyedRandom.ofPublicSeed("tree or root");
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    RootEstimate estimate = new RootEstimate(mechanism.query().root());
    OutputDistribution<NoisyVector> none = mechanism.distribution(ExactVector.none(n));
    int draws = 300;
    double[] ofTrees = new double[draws];
    double[] ofRoots = new double[draws];
    for (int draw = 0; draw < draws; draw++) {
      double[][] nodes = new double[13][];
      for (int level = 0; level < 13; level++) {
        nodes[level] = new double[n >> level];
        for (int node = 0; node < nodes[level].length; node++) {
          nodes[level][node] = sampler.applyAsLong(random) / (double) (1 << 20);
        }
      }
      double[] sums = estimate.sums(none.draw(random).values());
      for (int v = 1; v <= n; v++) {
        double sum = 0;
        int from = 0;
        for (int level = 12; level >= 0; level--) {
          if ((v >>> level & 1) == 1) {
            sum += nodes[level][from >> level];
            from += 1 << level;
          }
        }
        ofTrees[draw] += sum * sum / n;
        ofRoots[draw] += sums[v - 1] * sums[v - 1] / n;
      }
    }
    assertMean(ofTrees, tree * tree);
    assertMean(ofRoots, factorised * factorised);
  }

  private static void assertMean(double[] sample, double expected) {
    double mean = 0;
    double squares = 0;
    for (double x : sample) {
      mean += x / sample.length;
      squares += x * x / sample.length;
    }
    double error = Math.sqrt((squares - mean * mean) / sample.length);
    assertThat(mean).isCloseTo(expected, within(7 * error));
    assertThat(error).isLessThan(0.05 * expected); // so that the test says something
  }

  /**
   * Up to C records of a user, in whatever bins, lose what is charged at most; one bin attains it.
   */
  @Test
  void shouldLoseNoMoreThanIsCharged() {
    GridMeasurement<QuantileQuery> mechanism = ofUsers(Bins.of(1, 100, 9, Scale.LOG), 3);
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    double charged = mechanism.charge().curve().at(2);
    ExactVector without = new ExactVector(5, 0, 0, 2, 8, 1, 0, 0, 3);
    double worst = 0;
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j < 9; j++) {
        for (int k = 0; k < 9; k++) {
          long[] with = without.values();
          with[i]++;
          with[j]++;
          with[k]++;
          worst =
              Math.max(
                  worst, mechanism.divergence(2, without, new ExactVector(with)).orElseThrow());
        }
      }
    }
    assertThat(worst).isBetween((1 - 1e-5) * charged, charged);
  }

  /** N is published where it is public, and nowhere else. */
  @Test
  void shouldTellThePublicNumberOfRecords() {
    Bins bins = Bins.of(0, 1, 4, Scale.LINEAR);
    ExactVector exact = new ExactVector(5, 0, 7, 1);
    KeyedRandom random = KeyedRandom.ofPublicSeed("any");
    GridMeasurement<QuantileQuery> ofRecords =
        Plans.quantilesOfRecords(SHARE, bins).orElseThrow().mechanism();
    assertThat(ofRecords.distribution(exact).draw(random).records()).hasValue(13);
    assertThat(ofUsers(bins, 2).distribution(exact).draw(random).records()).isEmpty();
    assertThat(ofRecords.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(ofRecords.method()).isEqualTo("gaussian");
    assertThat(ofRecords.parameters()).containsOnlyKeys("sigma");
  }

  private static String encoded(GridMeasurement<QuantileQuery> mechanism, ExactVector exact) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    mechanism.distribution(exact).encodeInput(encoder);
    return HexFormat.of().formatHex(encoder.digest());
  }

  /** The same counts over other bins are other data. */
  @Test
  void shouldFrameInputAndAllParameters() {
    ExactVector exact = new ExactVector(5, 0, 7, 1);
    GridMeasurement<QuantileQuery> mechanism = ofUsers(Bins.of(1, 2, 4, Scale.LINEAR), 2);
    String encoded = encoded(mechanism, exact);
    assertThat(encoded(mechanism, new ExactVector(5, 0, 7, 1))).isEqualTo(encoded);
    assertThat(
            new String[] {
              encoded(mechanism, new ExactVector(5, 0, 1, 7)),
              encoded(ofUsers(Bins.of(1, 2, 4, Scale.LOG), 2), exact),
              encoded(ofUsers(Bins.of(1, 3, 4, Scale.LINEAR), 2), exact),
              encoded(ofUsers(Bins.of(0, 2, 4, Scale.LINEAR), 2), exact),
              encoded(ofUsers(Bins.of(1, 2, 4, Scale.LINEAR), 1), exact),
              encoded
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldRefuseOtherNumbersOfBins() {
    GridMeasurement<QuantileQuery> mechanism = ofUsers(Bins.of(0, 1, 4, Scale.LINEAR), 1);
    assertThatThrownBy(
            () -> new QuantileQuery(Bins.of(0, 1, 5, Scale.LINEAR), mechanism.query().root(), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> mechanism.distribution(ExactVector.none(5)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
