// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bytes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads what {@link ByteWriter} wrote; anything else is a {@link CorruptBytesException}. */
public final class ByteReader {
  private final byte[] bytes;
  private int at;

  public ByteReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** One byte, 0 to 255. */
  public int fixed8() {
    need(1);
    return bytes[at++] & 0xFF;
  }

  /** Inverse of {@link ByteWriter#sortable}. */
  public long sortable() {
    need(8);
    long value = (long) ByteWriter.LONGS.get(bytes, at);
    at += Long.BYTES;
    return value ^ Long.MIN_VALUE;
  }

  /** Inverse of {@link ByteWriter#unsigned}: at least 0. */
  public long unsigned() {
    long value = varint();
    if (value < 0) {
      throw new CorruptBytesException("number out of range");
    }
    return value;
  }

  /** Inverse of {@link ByteWriter#signed}. */
  public long signed() {
    long zigzag = varint();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  /** Bytes of a length that the caller knows. */
  public byte[] raw(int length) {
    need(length);
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /** Inverse of {@link ByteWriter#block}. */
  public byte[] block() {
    long length = unsigned();
    if (length > bytes.length) {
      throw new CorruptBytesException("length out of range");
    }
    return raw((int) length);
  }

  /** Inverse of {@link ByteWriter#doubles}; immutable. */
  public List<Double> doubles() {
    long count = unsigned();
    if (count > (bytes.length - at) / 8) {
      throw new CorruptBytesException("bytes end early");
    }
    if (count == 1) {
      return List.of(Double.longBitsToDouble(fixed64())); // of most records: many are read again
    }
    Double[] values = new Double[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(fixed64());
    }
    return List.of(values);
  }

  /** Inverse of {@link ByteWriter#fixed64}. */
  public long fixed64() {
    return sortable() ^ Long.MIN_VALUE;
  }

  /** Inverse of {@link ByteWriter#text}. */
  public String text() {
    return new String(block(), StandardCharsets.UTF_8);
  }

  /** Inverse of {@link ByteWriter#texts}. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (long left = unsigned(); left > 0; left--) {
      texts.add(text());
    }
    return List.copyOf(texts);
  }

  /** What is left. */
  public byte[] rest() {
    return raw(bytes.length - at);
  }

  /** What is left, as UTF-8. */
  public String restAsText() {
    return new String(rest(), StandardCharsets.UTF_8);
  }

  /** Whether nothing is left. */
  public boolean atEnd() {
    return at == bytes.length;
  }

  /** Refuses trailing bytes. */
  public void end() {
    if (!atEnd()) {
      throw new CorruptBytesException("unexpected bytes at the end");
    }
  }

  /** Checks the format byte that stands first in every value. */
  public ByteReader format(int expected, String what) {
    int found = fixed8();
    if (found != expected) {
      throw new CorruptBytesException(
          what + " has format " + found + ", this program reads format " + expected);
    }
    return this;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = fixed8();
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new CorruptBytesException("number too long");
  }

  private void need(int count) {
    if (count < 0 || count > bytes.length - at) {
      throw new CorruptBytesException("bytes end early");
    }
  }
}
