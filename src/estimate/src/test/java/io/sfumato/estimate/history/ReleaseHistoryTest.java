// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ReleaseHistoryTest {
  private static final double[] SHARES = {0.25, 0.75};

  private static double[][] seen(double log) {
    double[][] seen = new double[Model.ALL.size() + 1][2];
    for (double[] model : seen) {
      model[0] = log;
    }
    return seen;
  }

  private static ReleaseHistory after(long... windows) {
    ReleaseHistory past = ReleaseHistory.none(2);
    for (long window : windows) {
      past = past.at(window).plus(SHARES, seen(-3));
    }
    return past;
  }

  @Test
  void weighsWindowsByTheirAge() {
    ReleaseHistory past = after(5, 6, 9).at(10);
    assertThat(past.releases()).isEqualTo(3);
    for (int pace = 0; pace < Model.FADES.size(); pace++) {
      double fade = Model.FADES.get(pace);
      double weight = Math.pow(fade, 5) + Math.pow(fade, 4) + fade;
      assertThat(past.weight(pace)).isCloseTo(weight, within(1e-12));
      assertThat(past.share(pace, 1)).isCloseTo(0.75 * weight, within(1e-12));
    }
    double evidence = -3 * (Math.pow(0.95, 5) + Math.pow(0.95, 4) + 0.95);
    assertThat(past.evidence(0, 0)).isCloseTo(evidence, within(1e-12));
    assertThat(past.evidence(0, 1)).isZero();
  }

  @Test
  void neverRemembersMoreThanItSays() {
    ReleaseHistory past = ReleaseHistory.none(2);
    int most = 0;
    for (long window = -40; window < 400; window++) {
      ReleaseHistory before = past.at(window);
      assertThat(before.releases()).isLessThan(ReleaseHistory.WINDOWS);
      assertThat(before.releases()).isGreaterThanOrEqualTo((int) Math.min(window + 40, 32));
      past = before.plus(SHARES, seen(-1));
      most = Math.max(most, past.releases());
      assertThat((long) past.encode().length).isLessThanOrEqualTo(ReleaseHistory.bytes(2));
    }
    assertThat(most).isEqualTo(ReleaseHistory.WINDOWS);
    assertThat(after(0).at(64).releases()).as("two spans later").isZero();
    assertThat(after(31).at(32).releases()).isEqualTo(1);
    assertThat(after(31).at(64).releases()).isZero();
  }

  /** States live with these bytes: of two releases, one in each span, the doubles of their sums. */
  @Test
  void isKeptAsItAlwaysWas() {
    double[][] seen = new double[Model.ALL.size() + 1][1];
    seen[0][0] = -1;
    seen[6][0] = -0.5;
    ReleaseHistory past = ReleaseHistory.none(1).at(31).plus(new double[] {0.5}, seen).at(32);
    assertThat(HexFormat.of().formatHex(past.plus(new double[] {0.25}, seen).encode()))
        .isEqualTo(
            "010140"
                + "013ff00000000000003ff00000000000003ff0000000000000"
                + "3fd00000000000003fd00000000000003fd0000000000000"
                + "bff000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000bfe0000000000000"
                + "013fe00000000000003fe999999999999a3fee666666666666"
                + "3fd00000000000003fd999999999999a3fde666666666666"
                + "bfee66666666666600000000000000000000000000000000000000000000000000000000000000000000000000000000bfde666666666666");
  }

  /** A state that was put back sees nothing that comes later. */
  @Test
  void seesNothingFromEarlierWindows() {
    assertThat(after(7, 8).at(8).releases()).isZero();
    assertThat(after(7, 8).at(3).releases()).isZero();
    assertThat(after(7, 8).at(Long.MAX_VALUE).releases()).isZero();
    assertThat(after(Long.MIN_VALUE + 1).at(Long.MAX_VALUE).releases()).isZero();
  }

  @Test
  void isKeptToTheLastBit() {
    ReleaseHistory past = after(3, 4, 40, 41);
    byte[] kept = past.encode();
    assertThat(ReleaseHistory.decode(kept, 2).encode()).isEqualTo(kept);
    assertThat(ReleaseHistory.decode(kept, 2).at(43).plus(SHARES, seen(-2)).encode())
        .isEqualTo(past.at(43).plus(SHARES, seen(-2)).encode());
    assertThat(ReleaseHistory.decode(kept, 3).releases()).as("of other categories").isZero();
    assertThatThrownBy(() -> ReleaseHistory.decode(Arrays.copyOf(kept, kept.length - 1), 2))
        .isInstanceOf(RuntimeException.class);
    assertThat((long) kept.length).isGreaterThan(ReleaseHistory.bytes(2) - 20);
  }
}
