// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one user may add to names, what is drawn of a name, when it is tested and when it passes.
 */
class NamesAtLimitsTest {
  private static final GridLaplace NOISE = new GridLaplace(4, 8);

  @Test
  void aUserMovesAsMuchAsBoundsAllow() {
    NameBounds uneven = new NameBounds(3, 7, 4);
    assertThat(uneven.counted()).isEqualTo(7);
    assertThat(uneven.squaredNorm()).isEqualTo(16 + 9);
    GridSensitivity moved = uneven.sensitivity();
    assertThat(moved.word()).isEqualTo("add-or-remove-7 of 3 names, 4 each");
    assertThat(List.of(moved.parts(), (int) moved.each())).containsExactly(1, 7);
    assertThat(moved.l2()).isGreaterThan(5).isCloseTo(5, within(1e-12));
    NameBounds even = new NameBounds(2, 8, 4);
    moved = even.sensitivity();
    assertThat(List.of(moved.parts(), (int) moved.each())).containsExactly(2, 4);
    assertThat(new NameBounds(1, 7, 4).counted()).as("one name of four").isEqualTo(4);
    assertThat(new NameBounds(1, 7, 4).squaredNorm()).isEqualTo(16);
  }

  /** Whatever is told of names that were not public moves besides. */
  @Test
  void theRestMovesAsOften() {
    NameBounds bounds = new NameBounds(3, 7, 4);
    assertThat(UnlistedCount.UNTOLD.l1(bounds)).isEqualTo(7);
    assertThat(UnlistedCount.UNTOLD.squaredL2(bounds)).isEqualTo(25);
    assertThat(UnlistedCount.UNTOLD.sensitivity(bounds)).isEqualTo(bounds.sensitivity());
    assertThat(UnlistedCount.COUNTED.l1(bounds)).isEqualTo(14);
    assertThat(UnlistedCount.COUNTED.squaredL2(bounds)).isEqualTo(25 + 49);
    GridSensitivity moved = UnlistedCount.COUNTED.sensitivity(bounds);
    assertThat(moved.word()).isEqualTo("add-or-remove-7 of 3 names, 4 each and the rest");
    assertThat(moved.l1()).isEqualTo(14);
    assertThat(moved.l2()).isGreaterThan(Math.sqrt(74)).isCloseTo(Math.sqrt(74), within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 1", "0, 1, 1", "1, 1, 0", "3, 2, 1", "1, 2, 3", "1, 1000001, 1"})
  void otherBoundsAreRefused(int names, int records, int perName) {
    assertThatThrownBy(() -> new NameBounds(names, records, perName))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of a user are 1 to");
  }

  @Test
  void theLargestBoundsAreAllowed() {
    NameBounds largest = new NameBounds(NameBounds.MOST, NameBounds.MOST, NameBounds.MOST);
    assertThat(largest.counted()).isEqualTo(NameBounds.MOST);
    assertThat(largest.squaredNorm()).isEqualTo((long) NameBounds.MOST * NameBounds.MOST);
  }

  /** Every third window, and the last. */
  @Test
  void namesAreTestedAtTheEndOfEachRow() {
    TestSchedule tests = new TestSchedule(10, 3);
    assertThat(tests.count()).isEqualTo(4);
    assertThat(IntStream.rangeClosed(1, 10).map(tests::of))
        .containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3, 4);
    assertThat(IntStream.rangeClosed(1, 10).filter(tests::after)).containsExactly(3, 6, 9, 10);
    assertThat(IntStream.rangeClosed(1, 4).map(tests::last)).containsExactly(3, 6, 9, 10);
    for (int window : new int[] {0, 11}) {
      assertThatThrownBy(() -> tests.of(window)).hasMessageContaining("was " + window);
    }
    assertThat(new TestSchedule(65_536, 64).count()).isEqualTo(1024);
    assertThat(new TestSchedule(1024, 1).count()).isEqualTo(1024);
    assertThat(new TestSchedule(7, 7).count()).isEqualTo(1);
    assertThat(new TestSchedule(1, 1).count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1 to 65536 windows",
    "65537, 65537, 1 to 65536 windows",
    "10, 0, every 1 to 10",
    "10, 11, every 1 to 10",
    "1025, 1, 'were 1025: test every 2 windows'",
    "65536, 63, 'were 1041: test every 64 windows'"
  })
  void otherTestsAreRefused(int windows, int every, String message) {
    assertThatThrownBy(() -> new TestSchedule(windows, every)).hasMessageContaining(message);
  }

  @Test
  void aNamePassesFromTheThresholdOn() {
    Threshold nine = new Threshold(9);
    assertThat(new NoisyName(9 << 4, 4).passes(nine)).isTrue();
    assertThat(new NoisyName((9 << 4) - 1, 4).passes(nine)).isFalse();
    assertThat(new NoisyName(9 << 4, 4).count()).isEqualTo(9);
    assertThat(new NameCount(7).values()).containsExactly(7);
  }

  @Test
  void aNamesCountGetsTheNoiseThatIsChargedFor() {
    GridSensitivity moved = new NameBounds(3, 7, 4).sensitivity();
    DiscoveryMechanism mechanism = new DiscoveryMechanism(NOISE, moved, new Threshold(9));
    PrivacyCost noisy = NOISE.charge(moved);
    assertThat(mechanism.charge().mechanism()).isEqualTo(noisy.mechanism() + " from-9");
    assertThat(mechanism.charge().pure()).isEqualTo(noisy.pure());
    assertThat(mechanism.charge().unit()).isEqualTo(noisy.unit());
    assertThat(mechanism.method()).isEqualTo("laplace");
    assertThat(mechanism.parameters()).isEqualTo(NOISE.parameters());
    KeyedRandom one = KeyedRandom.ofPublicSeed("name");
    KeyedRandom other = KeyedRandom.ofPublicSeed("name");
    for (int users = 0; users < 20; users++) {
      assertThat(mechanism.distribution(new NameCount(users)).draw(one))
          .isEqualTo(new NoisyName((users << 4) + new DiscreteLaplace(8, 1).sample(other), 4));
    }
    assertThat(mechanism.divergence(2, new NameCount(3), new NameCount(5)))
        .hasValue(NOISE.divergence(2, new long[] {48}, new long[] {80}));
  }

  /** All that its randomness depends on. */
  @Test
  void theExactCountAndTheNoiseAreFramed() {
    DiscoveryMechanism mechanism =
        new DiscoveryMechanism(NOISE, new NameBounds(1, 1, 1).sensitivity(), new Threshold(9));
    CanonicalEncoder encoded = new CanonicalEncoder();
    mechanism.distribution(new NameCount(5)).encodeInput(encoded);
    assertThat(encoded.toBytes())
        .isEqualTo(
            new CanonicalEncoder()
                .text("name")
                .text("laplace")
                .number(8)
                .number(4)
                .number(5)
                .toBytes());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1e-9, 0.250001, 1, Double.NaN})
  void otherChancesAreRefused(double chance) {
    assertThatThrownBy(() -> Threshold.of(NOISE, new NameBounds(1, 1, 1), chance))
        .hasMessageContaining("a chance");
  }

  /** A step for the noise, another one for "at least", on one of two sides. */
  @Test
  void tailsAreThoseOfTheNoise() {
    GridLaplace whole = new GridLaplace(0, 10);
    assertThat(Threshold.tail(whole, 5)).isCloseTo(Math.exp(-0.3) / 2, within(1e-12));
    assertThat(Threshold.tail(whole, 0)).isEqualTo(0.5);
    assertThat(Threshold.tail(NOISE, 2)).isCloseTo(Math.exp(-30 / 8.0) / 2, within(1e-12));
    // The largest chance: one name of one record, e^-((x - 2) / 10) / 2 at x = tau - 1.
    long least = Threshold.of(whole, new NameBounds(1, 1, 1), 0.25).least();
    assertThat(Math.exp(-(least - 3) / 10.0) / 2).isLessThanOrEqualTo(0.25);
    assertThat(Math.exp(-(least - 4) / 10.0) / 2).isGreaterThan(0.25);
  }

  /**
   * Within a block a name's records of several windows come together before it is tested; windows
   * that stand alone are tested one by one.
   */
  @Test
  void namesOfOneUserHoldWhatItsWindowsGiveThem() {
    NameBounds window = new NameBounds(2, 6, 3);
    RunningBounds five = new RunningBounds.PerWindow(window, 5);
    assertThat(five.exposed(new TestSchedule(1, 1)))
        .isEqualTo(new RunningBounds.Exposed(window, 5));
    assertThat(five.windowsOf(new TestSchedule(3, 1))).isEqualTo(3);
    assertThat(five.exposed(new TestSchedule(3, 1)))
        .isEqualTo(new RunningBounds.Exposed(new NameBounds(10, 30, 9), 1));
    RunningBounds two = new RunningBounds.PerWindow(window, 2);
    assertThat(two.windowsOf(new TestSchedule(3, 1))).isEqualTo(2);
    assertThat(two.exposed(new TestSchedule(3, 2)))
        .isEqualTo(new RunningBounds.Exposed(new NameBounds(4, 12, 6), 1));
    RunningBounds period = new RunningBounds.PerPeriod(6, 3);
    for (TestSchedule tests : List.of(new TestSchedule(1, 1), new TestSchedule(3, 1))) {
      assertThat(period.windowsOf(tests)).isEqualTo(1);
      assertThat(period.exposed(tests))
          .isEqualTo(new RunningBounds.Exposed(new NameBounds(6, 6, 3), 1));
    }
    assertThat(List.of(five.horizon(), two.horizon(), period.horizon()))
        .containsExactly(5L, 2L, 6L);
  }

  @Test
  void aUserHasAMillionRecordsAtMost() {
    NameBounds ten = new NameBounds(1, 10, 1);
    assertThat(new RunningBounds.PerWindow(ten, 100_000).windows()).isEqualTo(100_000);
    for (int windows : new int[] {0, 100_001}) {
      assertThatThrownBy(() -> new RunningBounds.PerWindow(ten, windows))
          .hasMessageContaining("were " + windows + " windows");
    }
    assertThat(new RunningBounds.PerWindow(ten, 1).windows()).isEqualTo(1);
    assertThatThrownBy(() -> new RunningBounds.PerPeriod(3, 4)).hasMessageContaining("1 to 3");
  }

  /**
   * Of two rows and three: r with r C = (1, ..., 1), solved by hand. What is told of each row but
   * the first is rounded to the nearest step, and "at least" is a step more.
   */
  @Test
  void tailsOfEstimatesAreThoseOfTheirRowsNoisesAndRoundings() {
    SquareRootCoefficients coefficients = new SquareRootCoefficients(3);
    GridGaussian noise = new GridGaussian(Coefficients.DIGITS, 30);
    CoarseEstimates estimates =
        new CoarseEstimates(
            new RunningMechanism(coefficients, noise, 0, new NameBounds(1, 1, 1).sensitivity()), 3);
    double c1 = coefficients.at(1) / (double) Coefficients.ONE;
    double c2 = coefficients.at(2) / (double) Coefficients.ONE;
    double b = 1 - c1;
    double a = 1 - c1 * b - c2;
    double[][] weights = {{1}, {b, 1}, {a, b, 1}};
    double[] roundings = {0, 0.5, (b + 1) / 2};
    for (int test = 1; test <= 3; test++) {
      for (double steps : new double[] {10, 40, 95}) {
        double expected = noise.tail(steps - roundings[test - 1] - 1, weights[test - 1]) / 2;
        assertThat(estimates.tail(test, Math.scalb(steps, -Coefficients.DIGITS)))
            .as("%s steps at test %d", steps, test)
            .isCloseTo(expected, within(1e-9 * expected));
      }
      double squares = Arrays.stream(weights[test - 1]).map(r -> r * r).sum();
      assertThat(estimates.deviation(test))
          .isCloseTo(
              Math.scalb(noise.deviation(), -Coefficients.DIGITS) * Math.sqrt(squares),
              within(1e-12));
    }
  }
}
