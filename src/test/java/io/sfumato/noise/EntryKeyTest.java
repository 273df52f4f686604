// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.noise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EntryKeyTest {
  private static final NoiseKey MINE =
      NoiseSecret.parse("00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f")
          .derive();
  private static final byte[] NAME = bytes("sealed");
  private static final byte[] VALUE = bytes("{\"at\":\"now\"}");

  private final EntryKey key = MINE.entriesOf("budget/a");
  private final byte[] signature = key.sign("topic", NAME, VALUE);

  @Test
  void shouldKnowItsOwnSignatureAfterARestart() {
    assertThat(MINE.entriesOf("budget/a").isMine(signature, "topic", NAME, VALUE)).isTrue();
    assertThat(key.signer()).isEqualTo(MINE.tag());
    assertThat(signature).hasSize(32);
  }

  @Test
  void shouldTakeNoSignatureForAnythingElse() {
    assertThat(key.isMine(signature, "other", NAME, VALUE)).isFalse();
    assertThat(key.isMine(signature, "topic", bytes("started"), VALUE)).isFalse();
    assertThat(key.isMine(signature, "topic", NAME, bytes("{}"))).isFalse();
    assertThat(
            key.isMine(
                key.sign("topic", bytes("seal"), bytes("ed")), "topic", bytes("sea"), bytes("led")))
        .as("where one field ends is signed")
        .isFalse();
    assertThat(key.isMine(new byte[0], "topic", NAME, VALUE)).isFalse();
  }

  @Test
  void shouldTakeNobodyElsesSignature() {
    assertThat(MINE.entriesOf("budget/b").isMine(signature, "topic", NAME, VALUE)).isFalse();
    assertThat(MINE.entriesOf("pipeline/a").isMine(signature, "topic", NAME, VALUE)).isFalse();
    EntryKey others = NoiseSecret.random().derive().entriesOf("budget/a");
    assertThat(others.isMine(signature, "topic", NAME, VALUE)).isFalse();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
