// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which message of its schema's file a record is: indexes of messages from the file inwards, in
 * front of the message. They are zig-zag numbers, first how many there are; a single 0 is the first
 * message of the file.
 *
 * @param path at least one index
 * @param end where the message begins
 */
record MessageIndexes(List<Integer> path, int end) {
  /** As deep as Protobuf's own readers go. */
  private static final int DEEPEST = 100;

  private static final int FIRST_FIELD_OF_TEXT = 0x0A;
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * Reads them.
   *
   * @param framed begins with a schema's id
   * @throws RejectedRecordException if there are none
   */
  static MessageIndexes in(byte[] framed) throws RejectedRecordException {
    ProtobufWire in = new ProtobufWire(framed, RegistryFrame.HEADER, framed.length);
    try {
      int size = index(in);
      if (size > DEEPEST) {
        throw none();
      }
      List<Integer> path = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        path.add(index(in));
      }
      return new MessageIndexes(size == 0 ? List.of(0) : path, in.position());
    } catch (RejectedRecordException e) {
      throw namesType(framed) ? otherVendor() : e;
    }
  }

  private static int index(ProtobufWire in) throws RejectedRecordException {
    long number = in.varint();
    long index = number >>> 1 ^ -(number & 1);
    if (index < 0 || index > Integer.MAX_VALUE) {
      throw none();
    }
    return (int) index;
  }

  private static RejectedRecordException none() {
    return ProtobufWire.malformed(
        "no message indexes follow the schema's id: the producer must write Confluent's wire format, without use.deprecated.format");
  }

  private static RejectedRecordException otherVendor() {
    return ProtobufWire.malformed(
        "the name of the message type follows the schema's id, as Apicurio's serializer writes it: the producer must write Confluent's wire format, with message indexes");
  }

  /** Apicurio writes a message of one text there, behind its length. */
  private static boolean namesType(byte[] framed) {
    ProtobufWire in = new ProtobufWire(framed, RegistryFrame.HEADER, framed.length);
    try {
      ProtobufWire name = in.part();
      return name.tag() == FIRST_FIELD_OF_TEXT
          && IDENTIFIER.matcher(name.text()).matches()
          && name.isAtEnd();
    } catch (RejectedRecordException e) {
      return false;
    }
  }

  /**
   * The type of the record's message.
   *
   * @param framed the record that they are of
   * @throws RejectedRecordException if the file has no such message, or writers count otherwise
   */
  Descriptor of(FileDescriptor file, byte[] framed) throws RejectedRecordException {
    List<Descriptor> types = file.getMessageTypes();
    Descriptor type = null;
    for (int index : path) {
      if (type != null) {
        types = declared(type);
      }
      if (index >= types.size()) {
        throw namesType(framed)
            ? otherVendor()
            : ProtobufWire.malformed("the record's schema has no message with its index");
      }
      type = types.get(index);
    }
    return type;
  }

  /**
   * Messages within a message. Some writers count the entries of its maps, and its groups, among
   * them, and others do not.
   */
  private static List<Descriptor> declared(Descriptor type) throws RejectedRecordException {
    boolean ambiguous =
        type.getFields().stream()
            .anyMatch(field -> field.isMapField() || ProtobufTypes.isGroup(field));
    if (ambiguous) {
      throw RejectedRecordException.withHint(
          RejectionCode.SCHEMA_MISMATCH,
          "the record is a message within one that has maps or groups, where producers count differently: declare it outside");
    }
    return type.getNestedTypes();
  }
}
