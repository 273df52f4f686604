// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FieldDescriptor.Type;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.WireFormat;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes what is wanted of messages. All messages within a message are walked through, wanted or
 * not: a field of one value that is there twice, or two members of a oneof, are refused wherever
 * they are. Protobuf's readers take the last one, so that who checks the first sees another record.
 */
final class ProtobufDecoder {
  /** As Protobuf's own readers bound it. */
  private static final int DEEPEST = 100;

  private static final int NO_GROUP = 0;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private static final ProtobufWanted KEY_ALONE = ProtobufWanted.field(KEY, ProtobufWanted.ALL);

  private ProtobufDecoder() {}

  /**
   * The message that bytes are.
   *
   * @param from where it begins
   * @throws RejectedRecordException if they are no message of the type
   */
  static ProtobufMessage message(byte[] bytes, int from, Descriptor type, ProtobufWanted wanted)
      throws RejectedRecordException {
    return message(new ProtobufWire(bytes, from, bytes.length), type, wanted, NO_GROUP, 0);
  }

  /**
   * @param group whose end ends the message; {@link #NO_GROUP} if its bytes do
   */
  private static ProtobufMessage message(
      ProtobufWire in, Descriptor type, ProtobufWanted wanted, int group, int depth)
      throws RejectedRecordException {
    if (depth > DEEPEST) {
      throw ProtobufWire.malformed("the Protobuf message is nested too deeply");
    }
    Once once = new Once();
    Map<Integer, Object> values = new HashMap<>();
    while (group != NO_GROUP || !in.isAtEnd()) {
      int tag = in.tag();
      int number = WireFormat.getTagFieldNumber(tag);
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP && number == group) {
        return new ProtobufMessage(values);
      }
      FieldDescriptor field = type.findFieldByNumber(number);
      if (field == null || ProtobufTypes.isUnknown(field)) {
        in.skip(tag);
        continue;
      }
      once.require(field);
      field(in, tag, field, wanted.ofField(number), depth, values);
    }
    return new ProtobufMessage(values);
  }

  /** Which fields of one message were there. */
  private static final class Once {
    private final BitSet fields = new BitSet();
    private final BitSet oneofs = new BitSet();

    void require(FieldDescriptor field) throws RejectedRecordException {
      if (field.isRepeated()) {
        return;
      }
      OneofDescriptor oneof = field.getRealContainingOneof();
      boolean again = oneof == null ? fields.get(field.getIndex()) : oneofs.get(oneof.getIndex());
      if (again) {
        throw ProtobufWire.malformed(
            oneof == null
                ? "two Protobuf fields have the same name"
                : "two members of a Protobuf oneof are set");
      }
      if (oneof == null) {
        fields.set(field.getIndex());
      } else {
        oneofs.set(oneof.getIndex());
      }
    }
  }

  /**
   * @param wanted of the field; null if nothing is
   */
  private static void field(
      ProtobufWire in,
      int tag,
      FieldDescriptor field,
      ProtobufWanted wanted,
      int depth,
      Map<Integer, Object> values)
      throws RejectedRecordException {
    int written = WireFormat.getTagWireType(tag);
    boolean packed = field.isPackable() && written == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    if (!packed && written != ProtobufTypes.wireType(field)) {
      throw ProtobufWire.malformed(
          "a Protobuf field is not encoded as the type that its schema declares");
    }
    int number = field.getNumber();
    if (field.isMapField()) {
      entry(in.part(), field, wanted, depth, values);
    } else if (wanted == null && field.getJavaType() != JavaType.MESSAGE) {
      in.skip(tag);
    } else if (packed) {
      ProtobufWire items = in.part();
      while (!items.isAtEnd()) {
        list(values, number).add(value(items, field, wanted, depth));
      }
    } else {
      Object value = value(in, field, wanted, depth);
      if (wanted == null) {
        return;
      }
      if (field.isRepeated()) {
        list(values, number).add(value);
      } else {
        values.put(number, value);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Map<Integer, Object> values, int number) {
    return (List<Object>) values.computeIfAbsent(number, n -> new ArrayList<>());
  }

  /** An entry is a message of a key and a value, in any order. */
  private static void entry(
      ProtobufWire in,
      FieldDescriptor map,
      ProtobufWanted wanted,
      int depth,
      Map<Integer, Object> values)
      throws RejectedRecordException {
    Descriptor type = map.getMessageType();
    ProtobufWire again = in.copy();
    if (wanted == null) {
      message(in, type, ProtobufWanted.NOTHING, NO_GROUP, depth + 1);
      return;
    }
    FieldDescriptor keys = type.findFieldByNumber(KEY);
    FieldDescriptor contents = type.findFieldByNumber(VALUE);
    Object key = message(in, type, KEY_ALONE, NO_GROUP, depth + 1).fields().get(KEY);
    String text = keyText(keys, key == null ? ProtobufMessage.defaultOf(keys) : key);
    ProtobufWanted within = wanted.ofEntry(text);
    if (within == null) {
      return;
    }
    Object value =
        message(again, type, ProtobufWanted.field(VALUE, within), NO_GROUP, depth + 1)
            .fields()
            .get(VALUE);
    if (entries(values, map.getNumber())
            .put(text, value == null ? ProtobufMessage.defaultOf(contents) : value)
        != null) {
      throw ProtobufWire.malformed("two entries of a Protobuf map have the same key");
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> entries(Map<Integer, Object> values, int number) {
    return (Map<String, Object>) values.computeIfAbsent(number, n -> new HashMap<>());
  }

  private static String keyText(FieldDescriptor keys, Object key) {
    return keys.getType() == Type.UINT64 || keys.getType() == Type.FIXED64
        ? Long.toUnsignedString((long) key)
        : key.toString();
  }

  private static Object value(
      ProtobufWire in, FieldDescriptor field, ProtobufWanted wanted, int depth)
      throws RejectedRecordException {
    ProtobufWanted within = wanted == null ? ProtobufWanted.NOTHING : wanted;
    return switch (field.getType()) {
      case MESSAGE -> message(in.part(), field.getMessageType(), within, NO_GROUP, depth + 1);
      case GROUP -> message(in, field.getMessageType(), within, field.getNumber(), depth + 1);
      case STRING -> in.text();
      case BYTES -> in.content();
      case BOOL -> in.varint() != 0;
      case FLOAT -> Float.intBitsToFloat(in.fixed32());
      case DOUBLE -> Double.longBitsToDouble(in.fixed64());
      case SFIXED32 -> (long) in.fixed32();
      case FIXED32 -> in.fixed32() & 0xFFFF_FFFFL;
      case SFIXED64, FIXED64 -> in.fixed64();
      case INT64, UINT64 -> in.varint();
      case SINT64 -> zigZag(in.varint());
      case INT32, ENUM -> signed32(in.varint());
      case UINT32 -> unsigned32(in.varint());
      case SINT32 -> zigZag(unsigned32(in.varint()));
    };
  }

  private static long zigZag(long number) {
    return number >>> 1 ^ -(number & 1);
  }

  /** Negative numbers are written in 64 bits, by some in 32. */
  private static long signed32(long number) throws RejectedRecordException {
    return number == (int) number ? number : (int) unsigned32(number);
  }

  /** Protobuf's own readers drop what is above 32 bits: another number than was written. */
  private static long unsigned32(long number) throws RejectedRecordException {
    if (number >>> Integer.SIZE != 0) {
      throw ProtobufWire.malformed("a Protobuf number does not fit the type of its field");
    }
    return number;
  }
}
