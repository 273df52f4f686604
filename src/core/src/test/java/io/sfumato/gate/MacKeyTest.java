// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MacKeyTest {
  private static final NoiseKey MINE =
      NoiseSecret.parse("00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f")
          .derive();
  private static final byte[] SECRET = new byte[32];

  private final MacKey key = MINE.entriesOf("budget/a");
  private final byte[] signature = key.sign(facts("sealed", "now"));

  @Test
  void shouldKnowItsOwnSignatureAfterARestart() {
    assertThat(MINE.entriesOf("budget/a").verifies(facts("sealed", "now"), signature)).isTrue();
    assertThat(signature).hasSize(MacKey.WHOLE);
  }

  @Test
  void shouldTakeNoSignatureForAnythingElse() {
    assertThat(key.verifies(facts("started", "now"), signature)).isFalse();
    assertThat(key.verifies(facts("sealed", "then"), signature)).isFalse();
    assertThat(key.verifies(facts("seale", "dnow"), signature))
        .as("where one field ends is signed")
        .isFalse();
  }

  @Test
  void shouldTakeNobodyElsesSignature() {
    for (MacKey other :
        new MacKey[] {
          MINE.entriesOf("budget/b"),
          MINE.entriesOf("pipeline/a"),
          NoiseSecret.random().derive().entriesOf("budget/a")
        }) {
      assertThat(other.verifies(facts("sealed", "now"), signature)).isFalse();
    }
  }

  /** Who may choose the length of a signature guesses one of a byte. */
  @Test
  void shouldTakeNoSignatureOfAnotherLength() {
    MacKey whole = new MacKey(SECRET, MacKey.WHOLE);
    MacKey half = new MacKey(SECRET, 16);
    byte[] signed = whole.sign(facts("sealed", "now"));
    assertThat(half.sign(facts("sealed", "now"))).isEqualTo(Arrays.copyOf(signed, 16));
    for (int length = 0; length <= 64; length++) {
      byte[] cut = Arrays.copyOf(signed, length);
      assertThat(whole.verifies(facts("sealed", "now"), cut)).isEqualTo(length == 32);
      assertThat(half.verifies(facts("sealed", "now"), cut)).isEqualTo(length == 16);
    }
  }

  @Test
  void shouldBeCutToAByteAtTheShortest() {
    assertThat(new MacKey(SECRET, 1).sign(facts("sealed", "now"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 33})
  void shouldHaveAKeyOfNoOtherLength(int length) {
    assertThatThrownBy(() -> new MacKey(SECRET, length))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static CanonicalEncoder facts(String name, String value) {
    return new CanonicalEncoder().text(name).text(value);
  }
}
