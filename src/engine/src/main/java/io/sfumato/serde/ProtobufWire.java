// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.WireFormat;
import io.sfumato.record.StrictUtf8;
import java.nio.charset.CharacterCodingException;

/**
 * Protobuf's wire format, part by part, without copies. Stricter than Protobuf's own reader, which
 * drops the upper bits of long tags: two readers of one record must not see different fields.
 */
final class ProtobufWire {
  /** Groups within each other that are passed over. */
  private static final int DEEPEST_GROUP = 100;

  private static final int MOST_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int at;
  private final int end;

  /** The bytes from a place on, up to another. */
  ProtobufWire(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  static RejectedRecordException malformed(String hint) {
    return RejectedRecordException.withHint(RejectionCode.MALFORMED, hint);
  }

  private static RejectedRecordException truncated() {
    return malformed("the Protobuf message ends within a field");
  }

  boolean isAtEnd() {
    return at == end;
  }

  /** Where the next byte is, from the beginning of the array. */
  int position() {
    return at;
  }

  /** The same bytes from here on, to be read again. */
  ProtobufWire copy() {
    return new ProtobufWire(bytes, at, end);
  }

  /** A field's number and wire type, as {@link WireFormat} takes them apart. */
  int tag() throws RejectedRecordException {
    long tag = varint();
    int number = (int) (tag >>> 3);
    if (tag >>> 32 != 0 || number == 0) {
      throw malformed("the Protobuf message has a field with an impossible number");
    }
    return (int) tag;
  }

  long varint() throws RejectedRecordException {
    long value = 0;
    for (int i = 0; i < MOST_VARINT_BYTES; i++) {
      long next = next();
      // Of the tenth byte one bit is left.
      if (i == MOST_VARINT_BYTES - 1 && next > 1) {
        break;
      }
      value |= (next & 0x7F) << 7 * i;
      if (next < 0x80) {
        return value;
      }
    }
    throw malformed("the Protobuf message has a number of more than 64 bits");
  }

  private int next() throws RejectedRecordException {
    if (at == end) {
      throw truncated();
    }
    return bytes[at++] & 0xFF;
  }

  /** Of four bytes, little-endian. */
  int fixed32() throws RejectedRecordException {
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value |= next() << 8 * i;
    }
    return value;
  }

  /** Of eight bytes, little-endian. */
  long fixed64() throws RejectedRecordException {
    return fixed32() & 0xFFFF_FFFFL | (long) fixed32() << 32;
  }

  /** The content of a field that says how long it is. */
  ProtobufWire part() throws RejectedRecordException {
    int from = skipPart();
    return new ProtobufWire(bytes, from, at);
  }

  /** Passes over a part; returns where it begins. */
  private int skipPart() throws RejectedRecordException {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw truncated();
    }
    int from = at;
    at += (int) length;
    return from;
  }

  /** A text of valid UTF-8. */
  String text() throws RejectedRecordException {
    int from = skipPart();
    try {
      return StrictUtf8.decode(bytes, from, at - from);
    } catch (CharacterCodingException e) {
      throw malformed("a text of the Protobuf message is not valid UTF-8");
    }
  }

  /** Bytes, copied. */
  byte[] content() throws RejectedRecordException {
    int from = skipPart();
    byte[] content = new byte[at - from];
    System.arraycopy(bytes, from, content, 0, content.length);
    return content;
  }

  /** Passes over the field behind a tag. */
  void skip(int tag) throws RejectedRecordException {
    skip(tag, 0);
  }

  private void skip(int tag, int depth) throws RejectedRecordException {
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> varint();
      case WireFormat.WIRETYPE_FIXED64 -> fixed64();
      case WireFormat.WIRETYPE_FIXED32 -> fixed32();
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> skipPart();
      case WireFormat.WIRETYPE_START_GROUP -> skipGroup(WireFormat.getTagFieldNumber(tag), depth);
      default -> throw malformed("the Protobuf message has a field of an unknown wire type");
    }
  }

  private void skipGroup(int number, int depth) throws RejectedRecordException {
    if (depth == DEEPEST_GROUP) {
      throw malformed("the Protobuf message is nested too deeply");
    }
    int tag = tag();
    while (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_END_GROUP) {
      skip(tag, depth + 1);
      tag = tag();
    }
    if (WireFormat.getTagFieldNumber(tag) != number) {
      throw malformed("the Protobuf message has a group that does not end");
    }
  }
}
