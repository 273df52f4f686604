// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import java.util.Map;

/**
 * A decoded message, or what of it is wanted.
 *
 * @param fields by number. Whole numbers and enums are a {@code Long}, {@code uint64} by its bits;
 *     bytes are an array, repeated fields a {@code List}, maps a {@code Map} by the text of their
 *     keys
 */
record ProtobufMessage(Map<Integer, Object> fields) {
  static final ProtobufMessage EMPTY = new ProtobufMessage(Map.of());

  private static final long UNSIGNED = 0xFFFF_FFFFL;

  /**
   * The value of a field. One that is not there has its default, if its schema declares one, or
   * cannot tell it from absence (proto3 without {@code optional}).
   *
   * @return null if there is none
   */
  Object get(FieldDescriptor field) {
    Object value = fields.get(field.getNumber());
    return value != null || !hasDefault(field) ? value : defaultOf(field);
  }

  private static boolean hasDefault(FieldDescriptor field) {
    return !field.isRepeated()
        && field.getContainingOneof() == null
        && (!field.hasPresence() || field.hasDefaultValue());
  }

  /** What a field of one value is where nothing is written. */
  static Object defaultOf(FieldDescriptor field) {
    if (field.getJavaType() == JavaType.MESSAGE) {
      return EMPTY;
    }
    Object value = field.getDefaultValue();
    if (value instanceof Integer number) {
      return field.getType() == FieldDescriptor.Type.UINT32
              || field.getType() == FieldDescriptor.Type.FIXED32
          ? (Object) (number & UNSIGNED)
          : (Object) (long) number;
    }
    if (value instanceof EnumValueDescriptor symbol) {
      return (long) symbol.getNumber();
    }
    return value instanceof ByteString bytes ? bytes.toByteArray() : value;
  }
}
