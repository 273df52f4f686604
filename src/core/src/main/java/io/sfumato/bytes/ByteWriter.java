// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Appends fields to a growing byte array; the counterpart of {@link ByteReader}. */
public final class ByteWriter {
  /** Eight bytes of an array at once. */
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[64];
  private int size;

  /** One byte: of the value the lowest eight bits. */
  public ByteWriter fixed8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Eight bytes, big-endian, sign bit flipped: byte order is numeric order. */
  public ByteWriter sortable(long value) {
    long flipped = value ^ Long.MIN_VALUE;
    room(8);
    LONGS.set(bytes, size, flipped);
    size += Long.BYTES;
    return this;
  }

  /** A whole number from 0, seven bits a byte, low bits first. */
  public ByteWriter unsigned(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("an unsigned number is at least 0: " + value);
    }
    room(9);
    long rest = value;
    while (rest > 0x7F) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /** A whole number of either sign, small magnitudes short (zigzag). */
  public ByteWriter signed(long value) {
    long zigzag = (value << 1) ^ (value >> 63);
    if (zigzag >= 0) {
      return unsigned(zigzag);
    }
    // Beyond 63 bits: ten bytes.
    room(10);
    long rest = zigzag;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /** Bytes without their length. */
  public ByteWriter raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /** Bytes after their length. */
  public ByteWriter block(byte[] value) {
    return unsigned(value.length).raw(value);
  }

  /** Eight bytes each, after their number. */
  public ByteWriter doubles(List<Double> values) {
    unsigned(values.size());
    values.forEach(value -> fixed64(Double.doubleToRawLongBits(value)));
    return this;
  }

  /** Eight bytes, big-endian. */
  public ByteWriter fixed64(long value) {
    return sortable(value ^ Long.MIN_VALUE);
  }

  /** UTF-8 after its length. */
  public ByteWriter text(String value) {
    return block(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Texts after their number. */
  public ByteWriter texts(List<String> texts) {
    unsigned(texts.size());
    texts.forEach(this::text);
    return this;
  }

  /** All that was written so far. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
