// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ChaCha20Test {
  private static final int LONGS = 5_000;

  @Test
  void shouldBeTheStreamOfTheJdk() throws Exception {
    SplittableRandom random = new SplittableRandom(8439);
    for (int i = 0; i < 50; i++) {
      byte[] key = new byte[32];
      random.nextBytes(key);
      int counter = i == 0 ? 0 : random.nextInt(1 << 30);
      assertSame(key, counter);
    }
  }

  @Test
  void shouldTakeKeysOfAllBitsAndOfNone() throws Exception {
    byte[] key = new byte[32];
    assertSame(key, 0);
    Arrays.fill(key, (byte) 0xff);
    assertSame(key, 0);
  }

  @Test
  void shouldEndRatherThanRepeatItself() {
    ChaCha20 last = new ChaCha20(new byte[32], -1);
    for (int i = 0; i < 8; i++) {
      last.nextLong();
    }
    assertThatThrownBy(last::nextLong).hasMessageContaining("exhausted");
  }

  /** Blocks that are made side by side never reach over the end, wherever that lies among them. */
  @Test
  void shouldEndWhereverBlocksAreMadeSideBySide() {
    byte[] key = new byte[32];
    new SplittableRandom(9).nextBytes(key);
    for (int blocks : new int[] {31, 32, 33, 95, 96, 97, 200}) {
      ChaCha20 stream = new ChaCha20(key, -blocks, ChaCha20.ALONE);
      for (int counter = -blocks; counter < 0; counter++) {
        ChaCha20 one = new ChaCha20(key, counter);
        for (int i = 0; i < 8; i++) {
          assertThat(stream.nextLong()).isEqualTo(one.nextLong());
        }
      }
      assertThatThrownBy(stream::nextLong).hasMessageContaining("exhausted");
    }
  }

  @Test
  void shouldRefuseAKeyOfAnotherLength() {
    assertThatThrownBy(() -> new ChaCha20(new byte[16])).hasMessageContaining("32 bytes");
  }

  /** However many blocks are made side by side. */
  private static void assertSame(byte[] key, int counter) throws Exception {
    byte[] expected = jdk(key, counter);
    assertThat(bytes(new ChaCha20(key, counter))).isEqualTo(expected);
    assertThat(bytes(new ChaCha20(key, counter, ChaCha20.ALONE))).isEqualTo(expected);
    assertThat(bytes(new ChaCha20(key, counter, Integer.MAX_VALUE))).isEqualTo(expected);
  }

  private static byte[] bytes(ChaCha20 stream) {
    ByteBuffer bytes = ByteBuffer.allocate(LONGS * Long.BYTES);
    for (int i = 0; i < LONGS; i++) {
      bytes.putLong(stream.nextLong());
    }
    return bytes.array();
  }

  private static byte[] jdk(byte[] key, int counter) throws Exception {
    Cipher cipher = Cipher.getInstance("ChaCha20");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(key, "ChaCha20"),
        new ChaCha20ParameterSpec(new byte[12], counter));
    return cipher.update(new byte[LONGS * Long.BYTES]);
  }
}
