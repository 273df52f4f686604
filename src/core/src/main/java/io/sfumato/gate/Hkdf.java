// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** HKDF with SHA-256 (RFC 5869). JDK 17 has HMAC but no HKDF. */
final class Hkdf {
  private static final int HASH_BYTES = 32;

  private Hkdf() {}

  /** Derives 32 bytes for one purpose; distinct labels give independent keys. */
  static byte[] derive(byte[] secret, String label) {
    byte[] salt = "sfumato/hkdf/v1".getBytes(StandardCharsets.UTF_8);
    return expand(extract(salt, secret), label.getBytes(StandardCharsets.UTF_8), HASH_BYTES);
  }

  static byte[] extract(byte[] salt, byte[] inputKey) {
    return hmac(salt.length == 0 ? new byte[HASH_BYTES] : salt, inputKey);
  }

  /** RFC 5869 section 2.3; {@code length} is at most 255 * 32 bytes. */
  static byte[] expand(byte[] pseudoRandomKey, byte[] info, int length) {
    if (length < 1 || length > 255 * HASH_BYTES) {
      throw new IllegalArgumentException("HKDF length must be in 1..8160, was " + length);
    }
    byte[] output = new byte[length];
    byte[] block = new byte[0];
    for (int counter = 1, at = 0; at < length; counter++) {
      byte[] input = Arrays.copyOf(block, block.length + info.length + 1);
      System.arraycopy(info, 0, input, block.length, info.length);
      input[input.length - 1] = (byte) counter;
      block = hmac(pseudoRandomKey, input);
      int taken = Math.min(block.length, length - at);
      System.arraycopy(block, 0, output, at, taken);
      at += taken;
    }
    return output;
  }

  static byte[] hmac(byte[] key, byte[] message) {
    return new Hmac(key).of(message);
  }
}
