// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is drawn, charged and granted for counts and for the nodes of running ones. */
class CountQueryTest {
  private static final Sensitivity ONE = Sensitivity.addOrRemove(1);

  private static CalibrationTarget request(String epsilon, long windows) {
    return new CalibrationTarget("n", Epsilon.of(epsilon), Delta.of("1e-6"), windows);
  }

  private static KeyedRandom random() {
    return KeyedRandom.ofPublicSeed("noisy counts");
  }

  @Test
  void everyCountHasANoiseOfItsOwn() {
    for (AdditiveNoise noise : List.of(new GaussianNoise(400 << 10), new LaplaceNoise(1 << 15))) {
      CountMeasurement<CountQuery> mechanism = new CountMeasurement<>(new CountQuery(), ONE, noise);
      KeyedRandom random = random();
      ToLongFunction<KeyedRandom> sampler = noise.sampler();
      long[] wanted = {
        5 + sampler.applyAsLong(random),
        sampler.applyAsLong(random),
        sampler.applyAsLong(random) - 9
      };
      assertThat(mechanism.distribution(new ExactVector(5, 0, -9)).draw(random()))
          .isEqualTo(new NoisyVector(wanted));
      CanonicalEncoder encoder = new CanonicalEncoder();
      mechanism.distribution(new ExactVector(5, 6)).encodeInput(encoder);
      assertThat(encoder.digest())
          .isEqualTo(
              new CanonicalEncoder()
                  .text("count")
                  .text(noise.method())
                  .number(noise.steps())
                  .numbers(new long[] {5, 6})
                  .digest());
      assertThat(mechanism.method()).isEqualTo(noise.method());
      assertThat(mechanism.parameters()).isNotEmpty().isEqualTo(noise.parameters());
      assertThat(mechanism.charge().mechanism()).isEqualTo(noise.charge(ONE).mechanism());
      assertThat(mechanism.charge().curve()).isEqualTo(noise.charge(ONE).curve());
    }
    CountMeasurement<CountQuery> mechanism =
        new CountMeasurement<>(new CountQuery(), ONE, new GaussianNoise(400 << 10));
    // L d^2 / (2 sigma^2)
    assertThat(mechanism.divergence(3, new ExactVector(5, 6), new ExactVector(7, 6)).getAsDouble())
        .isCloseTo(3 * 4 / 800.0, within(1e-15));
    assertThatThrownBy(
            () -> {
              for (long most : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
                mechanism.distribution(new ExactVector(most, most, most, most)).draw(random());
              }
            })
        .isInstanceOf(ArithmeticException.class);
  }

  /** The sensitivity of running counts rests on it. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1", "0.5, 3, 30", "8, 2, 365", "3, 1, 7"})
  void sharesGrantExactlyTheWindowsThatWereAskedFor(String epsilon, int records, long windows) {
    Sensitivity single = Sensitivity.addOrRemove(records);
    Sensitivity tree = new CountTree(64).perWindow(single, windows);
    for (Sensitivity sensitivity : List.of(single, tree)) {
      for (Calibrated<CountMeasurement<CountQuery>> plan :
          List.of(
              VectorCalibrator.gaussianWindows(
                      request(epsilon, windows), new CountQuery(), sensitivity)
                  .orElseThrow(),
              VectorCalibrator.laplaceWindows(
                      request(epsilon, windows), new CountQuery(), sensitivity)
                  .orElseThrow())) {
        assertThat(plan.releases()).isEqualTo(windows);
        PrivacyFilter filter = plan.share().filter();
        assertThat(filter.cap()).isEqualTo(windows * filter.cost(plan.mechanism().charge()));
      }
    }
  }

  /** Of one noise there is one way of counting, of several the one that needs less noise. */
  @Test
  void oneNoiseIsCountedAtAnOrderAndSeveralByWhateverIsLess() {
    assertThat(
            VectorCalibrator.laplaceWindows(request("1", 1), new CountQuery(), ONE)
                .orElseThrow()
                .share()
                .filter())
        .isInstanceOf(PrivacyFilter.RenyiFilter.class);
    Sensitivity tree = new CountTree(64).perWindow(ONE, 1);
    assertThat(
            VectorCalibrator.laplaceWindows(request("1", 1), new CountQuery(), tree)
                .orElseThrow()
                .share()
                .filter())
        .isInstanceOf(PrivacyFilter.PureDpFilter.class);
  }

  @Test
  void treesHaveTheirLimits() {
    assertThat(new CountTree(1).levels()).isEqualTo(1);
    assertThat(new CountTree(CountTree.LARGEST).levels()).isEqualTo(21);
    assertThatThrownBy(() -> new CountTree(CountTree.LARGEST + 1)).hasMessageContaining("1 to");
    assertThat(new CountTree(7).meanDraws()).isEqualTo(12 / 7.0);
    CountTree tree = new CountTree(8);
    Sensitivity three = tree.perWindow(Sensitivity.addOrRemove(2), 3);
    assertThat(three.shifts())
        .containsExactly(new Shift(2, 1), new Shift(2, 2), new Shift(2, 3), new Shift(2, 3));
    assertThat(three.word()).isEqualTo(" add-or-remove-2 tree-8-3");
    assertThat(three.unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(tree.perWindow(ONE, 1).shifts()).containsOnly(new Shift(1, 1));
    assertThatThrownBy(() -> tree.perWindow(ONE, 0)).hasMessageContaining("at least 1");
  }

  @Test
  void countsAreAddedGroupByGroupAndKeptAsTheyWere() {
    ExactVector counts = new ExactVector(3, -4);
    assertThat(counts.plus(new ExactVector(1, 2))).isEqualTo(new ExactVector(4, -2));
    assertThatThrownBy(() -> new ExactVector(Long.MAX_VALUE).plus(new ExactVector(1)))
        .isInstanceOf(ArithmeticException.class);
    counts.values()[0] = 9;
    assertThat(counts).isEqualTo(new ExactVector(3, -4)).hasSameHashCodeAs(new ExactVector(3, -4));
    assertThat(counts).isNotEqualTo(new ExactVector(3, 4)).isNotEqualTo("counts");
    assertThat(counts).as("exact ones stay private").hasToString("ExactVector[2 numbers]");
    assertThat(counts.size()).isEqualTo(2);
    assertThat(counts.of(1)).isEqualTo(-4);
    assertThat(ExactVector.none(2)).isEqualTo(new ExactVector(0, 0));
    assertThat(ExactVector.byCategory(new Histogram(2, 5))).isEqualTo(new ExactVector(2, 5));
    assertThat(ExactVector.total(new Histogram(2, 5))).isEqualTo(new ExactVector(7));
  }

  @Test
  void runningCountsRefuseNodesThatTheirWindowsDoNotHave() {
    RunningCount.Node node = new RunningCount.Node(new ExactVector(1), new NoisyVector(1));
    assertThat(new RunningCount(4, List.of(node)).draws()).isEqualTo(1);
    assertThatThrownBy(() -> new RunningCount(3, List.of(node)))
        .hasMessageContaining("whole nodes");
    RunningCount three = new RunningCount(3, List.of(node, node));
    assertThat(three.completedBy(new ExactVector(5))).isEqualTo(new ExactVector(7));
    assertThat(three.plus(node)).isEqualTo(new RunningCount(4, List.of(node)));
    assertThat(three.noisy()).isEqualTo(new NoisyVector(2));
  }
}
