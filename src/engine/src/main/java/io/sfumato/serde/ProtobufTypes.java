// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FieldDescriptor.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What types of Protobuf mean, beyond what Protobuf's descriptors say. */
final class ProtobufTypes {
  private static final String GOOGLE = "google.protobuf.";

  private static final Map<String, Type> WRAPPERS =
      Map.of(
          GOOGLE + "StringValue", Type.STRING,
          GOOGLE + "BoolValue", Type.BOOL,
          GOOGLE + "Int32Value", Type.INT32,
          GOOGLE + "Int64Value", Type.INT64,
          GOOGLE + "UInt32Value", Type.UINT32,
          GOOGLE + "UInt64Value", Type.UINT64,
          GOOGLE + "FloatValue", Type.FLOAT,
          GOOGLE + "DoubleValue", Type.DOUBLE);

  private ProtobufTypes() {}

  /** A message that stands for one value. */
  enum Known {
    /** Seconds since 1970, and nanoseconds above them. */
    TIMESTAMP(GOOGLE + "Timestamp", List.of(Type.INT64, Type.INT32)),
    /** Year, month and day. */
    DATE("google.type.Date", List.of(Type.INT32, Type.INT32, Type.INT32)),
    /** Kafka Connect's decimal: digits as a whole number, precision, scale. */
    DECIMAL("confluent.type.Decimal", List.of(Type.BYTES, Type.UINT32, Type.INT32));

    private final String name;
    private final List<Type> fields;

    Known(String name, List<Type> fields) {
      this.name = name;
      this.fields = fields;
    }

    /** The one that a type is; nothing if it is another, or only called like it. */
    static Optional<Known> of(Descriptor type) {
      for (Known known : values()) {
        if (type.getFullName().equals(known.name)) {
          return Optional.of(known).filter(one -> one.fits(type));
        }
      }
      return Optional.empty();
    }

    private boolean fits(Descriptor type) {
      for (int i = 0; i < fields.size(); i++) {
        if (!isOne(type.findFieldByNumber(i + 1), fields.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /** The field of the value in a wrapper, such as {@code StringValue}; nothing in others. */
  static Optional<FieldDescriptor> wrapped(Descriptor type) {
    return Optional.ofNullable(WRAPPERS.get(type.getFullName()))
        .map(of -> type.findFieldByNumber(1))
        .filter(field -> isOne(field, WRAPPERS.get(type.getFullName())));
  }

  private static boolean isOne(FieldDescriptor field, Type type) {
    return field != null && field.getType() == type && !field.isRepeated();
  }

  /** Whether nobody knows the field's type: its import led nowhere. */
  static boolean isUnknown(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE
        && field.getMessageType().getFields().isEmpty()
        && field.getMessageType().toProto().getExtensionRangeCount() > 0;
  }

  /** Whether a field is a group, whose message is declared with it. */
  static boolean isGroup(FieldDescriptor field) {
    return field.getType() == Type.GROUP;
  }

  /** How values of a field are written, one by one. */
  static int wireType(FieldDescriptor field) {
    return field.getLiteType().getWireType();
  }
}
