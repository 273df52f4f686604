// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.random.CanonicalEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SealKeyTest {
  private static final NoiseKey MINE =
      NoiseSecret.parse("00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f")
          .derive();
  private static final byte[] TEXT = "three charges".getBytes(StandardCharsets.UTF_8);

  private final SealKey key = MINE.countsOf("a");

  private static CanonicalEncoder context(String topic) {
    return new CanonicalEncoder().text(topic);
  }

  @Test
  void shouldOpenWhatItSealedWhenTheProgramStartsAgain() {
    byte[] sealed = key.seal(TEXT, context("here"));
    assertThat(sealed).hasSize(TEXT.length + 28);
    assertThat(MINE.countsOf("a").open(sealed, context("here"))).contains(TEXT);
  }

  @Test
  void shouldOpenATextWithoutAByte() {
    byte[] sealed = key.seal(new byte[0], context("here"));
    assertThat(sealed).hasSize(28);
    assertThat(key.open(sealed, context("here"))).contains(new byte[0]);
  }

  @Test
  void shouldNotPrintItsBytes() {
    assertThat(key).hasToString("SealKey[masked]");
  }

  @Test
  void shouldShowNeitherTheTextNorThatItIsTheSame() {
    byte[] sealed = key.seal(TEXT, context("here"));
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("charges");
    assertThat(key.seal(TEXT, context("here"))).isNotEqualTo(sealed);
  }

  @Test
  void shouldOpenNothingWhenKeyContextOrBytesDiffer() {
    byte[] sealed = key.seal(TEXT, context("here"));
    assertThat(key.open(sealed, context("there"))).isEmpty();
    assertThat(MINE.countsOf("b").open(sealed, context("here"))).isEmpty();
    assertThat(NoiseSecret.random().derive().countsOf("a").open(sealed, context("here"))).isEmpty();
    for (int at = 0; at < sealed.length; at++) {
      byte[] damaged = sealed.clone();
      damaged[at] ^= 1;
      assertThat(key.open(damaged, context("here"))).as("byte %d", at).isEmpty();
      assertThat(key.open(Arrays.copyOf(sealed, at), context("here"))).isEmpty();
    }
  }
}
