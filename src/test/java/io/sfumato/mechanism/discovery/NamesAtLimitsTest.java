// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.noise.DiscreteLaplace;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
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
    assertThat(Rest.UNTOLD.l1(bounds)).isEqualTo(7);
    assertThat(Rest.UNTOLD.squaredL2(bounds)).isEqualTo(25);
    assertThat(Rest.UNTOLD.sensitivity(bounds)).isEqualTo(bounds.sensitivity());
    assertThat(Rest.COUNTED.l1(bounds)).isEqualTo(14);
    assertThat(Rest.COUNTED.squaredL2(bounds)).isEqualTo(25 + 49);
    GridSensitivity moved = Rest.COUNTED.sensitivity(bounds);
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
    Tests tests = new Tests(10, 3);
    assertThat(tests.count()).isEqualTo(4);
    assertThat(IntStream.rangeClosed(1, 10).map(tests::of))
        .containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3, 4);
    assertThat(IntStream.rangeClosed(1, 10).filter(tests::after)).containsExactly(3, 6, 9, 10);
    assertThat(IntStream.rangeClosed(1, 4).map(tests::last)).containsExactly(3, 6, 9, 10);
    for (int window : new int[] {0, 11}) {
      assertThatThrownBy(() -> tests.of(window)).hasMessageContaining("was " + window);
    }
    assertThat(new Tests(65_536, 64).count()).isEqualTo(1024);
    assertThat(new Tests(1024, 1).count()).isEqualTo(1024);
    assertThat(new Tests(7, 7).count()).isEqualTo(1);
    assertThat(new Tests(1, 1).count()).isEqualTo(1);
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
    assertThatThrownBy(() -> new Tests(windows, every)).hasMessageContaining(message);
  }

  @Test
  void aNamePassesFromTheThresholdOn() {
    Threshold nine = new Threshold(9);
    assertThat(new NoisyName(9 << 4, 4).passes(nine)).isTrue();
    assertThat(new NoisyName((9 << 4) - 1, 4).passes(nine)).isFalse();
    assertThat(new NoisyName(9 << 4, 4).count()).isEqualTo(9);
  }

  @Test
  void aNamesCountGetsTheNoiseThatIsChargedFor() {
    GridSensitivity moved = new NameBounds(3, 7, 4).sensitivity();
    DiscoveryMechanism mechanism = new DiscoveryMechanism(NOISE, moved, new Threshold(9));
    Charge noisy = NOISE.charge(moved);
    assertThat(mechanism.charge().mechanism()).isEqualTo(noisy.mechanism() + " from-9");
    assertThat(mechanism.charge().pure()).isEqualTo(noisy.pure());
    assertThat(mechanism.charge().unit()).isEqualTo(noisy.unit());
    assertThat(mechanism.method()).isEqualTo("laplace");
    assertThat(mechanism.parameters()).isEqualTo(NOISE.parameters());
    ReplayableRandom one = ReplayableRandom.ofPublicSeed("name");
    ReplayableRandom other = ReplayableRandom.ofPublicSeed("name");
    for (int users = 0; users < 20; users++) {
      assertThat(mechanism.law(new NameCount(users)).draw(one))
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
    Framing framed = new Framing();
    mechanism.law(new NameCount(5)).frame(framed);
    assertThat(framed.toBytes())
        .isEqualTo(
            new Framing().text("name").text("laplace").number(8).number(4).number(5).toBytes());
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
}
