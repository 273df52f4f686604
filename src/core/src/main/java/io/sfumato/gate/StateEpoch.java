// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * 128 random bits that name one life of a partition's state, committed before its first release. A
 * reset starts a new life, hence new noise and a new charge.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record StateEpoch(long high, long low) {
  /** Length of the encoding, in bytes. */
  public static final int BYTES = 16;

  /** A new one from the operating system's generator. */
  public static StateEpoch random() {
    SecureRandom random = new SecureRandom();
    return new StateEpoch(random.nextLong(), random.nextLong());
  }

  /**
   * Inverse of {@link #toBytes()}.
   *
   * @param bytes 16, big-endian
   * @throws IllegalArgumentException unless there are 16 bytes
   */
  public static StateEpoch fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("an incarnation has 16 bytes, found " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new StateEpoch(buffer.getLong(), buffer.getLong());
  }

  /**
   * Inverse of {@link #toString()}.
   *
   * @param digits 32 hexadecimal digits
   * @throws IllegalArgumentException unless these are 32 hexadecimal digits
   */
  public static StateEpoch parse(String digits) {
    return fromBytes(HexFormat.of().parseHex(digits));
  }

  /** Its 16 bytes, the higher half first. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(toBytes());
  }
}
