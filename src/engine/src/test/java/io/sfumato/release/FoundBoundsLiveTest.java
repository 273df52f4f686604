// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.PowersRule;
import java.util.HexFormat;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What live states have of bounds: these bytes, texts and places never change. */
class FoundBoundsLiveTest {
  @Test
  void boundsThatHoldAreTheseBytes() {
    BoundsMemory memory =
        new BoundsMemory(new PowerBounds(PowerBuckets.of(-4), PowerBuckets.of(100)));
    assertThat(HexFormat.of().formatHex(memory.encode())).isEqualTo("013d8701");
    assertThat(BoundsMemory.decode(memory.encode())).isEqualTo(memory);
    assertThatThrownBy(() -> BoundsMemory.decode(new byte[] {2, 0, 0}))
        .hasMessageContaining("bounds that hold");
  }

  /** Buckets that wrap around when they are cut to an int are none. */
  @Test
  void bytesThatNobodyWroteAreNoBounds() {
    byte[] hostile = HexFormat.of().parseHex("019a808080702a");
    assertThatThrownBy(() -> BoundsMemory.decode(hostile))
        .isInstanceOf(CorruptBytesException.class);
  }

  /** Whatever outputs are called: a number keeps its bounds, and never has another's. */
  @Test
  void boundsAreKeptByTheNumberThatTheyAreOf() throws Exception {
    for (String[] names : new String[][] {{"a", "b"}, {"b", "a"}, {"c", "d"}}) {
      Plan plan =
          Plans.plan(
              """
                  pipeline: p
                  input: { topic: in, subject: who, time: at, values: [x, y] }
                  window: { size: 1d }
                  budget: { name: p, unit: record, epsilon: 4, delta: 1e-6, period: 30d }
                  releases:
                    - bounds: { name: %s, value: x, share: { epsilon: 1 } }
                    - bounds: { name: %s, value: y, share: { epsilon: 1 } }
                  """
                  .formatted((Object[]) names));
      assertThat(plan.releases())
          .extracting(release -> release.spec().memory())
          .containsExactly("bounds of x", "bounds of y");
    }
  }

  @Test
  void numbersAreKeptAtThesePlaces() {
    PowersRule rule = new PowersRule(1, 2);
    assertThat(rule.canonical()).isEqualTo("powers of two of 1 by 2");
    assertThat(rule.places()).isEqualTo(2 * 3 * 193);
    TreeMap<Integer, Long> sums = new TreeMap<>();
    rule.add(1, new double[] {7, 1.5}, (place, amount) -> sums.merge(place, amount, Long::sum));
    rule.add(0, new double[] {7, 0}, (place, amount) -> sums.merge(place, amount, Long::sum));
    // Zero lies at 96, powers of two above it from 2^-32 on: 1.5 at 96 + 33, with u = 1/2.
    assertThat(sums)
        .containsEntry(3 * 96, 1L)
        .containsEntry(3 * (193 + 129), 1L)
        .containsEntry(3 * (193 + 129) + 1, 1L << 14)
        .containsEntry(3 * (193 + 129) + 2, 1L << 28);
  }
}
