// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A canonical, prefix-free encoding: every field is preceded by its length, every number has eight
 * bytes. Concatenation without lengths would let two different inputs share their noise.
 */
public final class CanonicalEncoder {
  /** Never used itself: a copy costs less than to look for a new one. */
  private static final MessageDigest SHA_256 = Sha256.digest();

  private byte[] encoded = new byte[256];
  private int size;

  /**
   * Appends a text as UTF-8.
   *
   * @param value of any length
   */
  public CanonicalEncoder text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Appends bytes after their length.
   *
   * @param value of any length
   */
  public CanonicalEncoder bytes(byte[] value) {
    append(value.length, Integer.BYTES);
    room(value.length);
    System.arraycopy(value, 0, encoded, size, value.length);
    size += value.length;
    return this;
  }

  /**
   * Appends a whole number, big-endian.
   *
   * @param value 8 bytes of the encoding
   */
  public CanonicalEncoder number(long value) {
    append(value, Long.BYTES);
    return this;
  }

  /**
   * Appends an array of whole numbers after its length.
   *
   * @param values 8 bytes of the encoding each
   */
  public CanonicalEncoder numbers(long[] values) {
    append(values.length, Integer.BYTES);
    for (long value : values) {
      append(value, Long.BYTES);
    }
    return this;
  }

  /** What was encoded so far. */
  public byte[] toBytes() {
    return Arrays.copyOf(encoded, size);
  }

  /** SHA-256 of what was encoded so far. */
  public byte[] digest() {
    try {
      MessageDigest digest = (MessageDigest) SHA_256.clone();
      digest.update(encoded, 0, size);
      return digest.digest();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(
          "the security provider " + SHA_256.getProvider() + " cannot copy a digest; use the JDK's",
          e);
    }
  }

  private void append(long value, int bytes) {
    room(bytes);
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      encoded[size++] = (byte) (value >>> shift);
    }
  }

  private void room(int more) {
    if (size + more > encoded.length) {
      encoded = Arrays.copyOf(encoded, Math.max(2 * encoded.length, size + more));
    }
  }
}
