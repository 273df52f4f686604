// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Links files of Protobuf with those that every registry has built in. */
final class ProtobufImports {
  private static final Map<String, FileDescriptor> BUILT_IN = new HashMap<>();

  /** Protobuf's own, which writes a line for every type that it does not find. */
  private static final Logger LINKER = Logger.getLogger(Descriptors.class.getName());

  static {
    LINKER.setLevel(Level.OFF);
    for (FileDescriptor file :
        List.of(
            AnyProto.getDescriptor(),
            ApiProto.getDescriptor(),
            DescriptorProtos.getDescriptor(),
            DurationProto.getDescriptor(),
            EmptyProto.getDescriptor(),
            FieldMaskProto.getDescriptor(),
            SourceContextProto.getDescriptor(),
            StructProto.getDescriptor(),
            TimestampProto.getDescriptor(),
            TypeProto.getDescriptor(),
            WrappersProto.getDescriptor())) {
      BUILT_IN.put(file.getName(), file);
    }
    // Of these types alone more is read than their fields.
    add(
        "google/type/date.proto",
        "package google.type; message Date { int32 year = 1; int32 month = 2; int32 day = 3; }");
    add(
        "confluent/type/decimal.proto",
        "package confluent.type; message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }");
  }

  private ProtobufImports() {}

  private static void add(String name, String types) {
    BUILT_IN.put(
        name, linked(ProtobufText.parse(name, "syntax = \"proto3\"; " + types), List.of()));
  }

  /** The file of a name, if it is built in; else null. */
  static FileDescriptor builtIn(String name) {
    return BUILT_IN.get(name);
  }

  /**
   * A file with those that it imports. Fields whose types lie in another file are unknown: they are
   * passed over, and the others can be read.
   *
   * @throws IllegalArgumentException if it contradicts itself
   */
  static FileDescriptor linked(FileDescriptorProto file, List<FileDescriptor> imports) {
    try {
      return FileDescriptor.buildFrom(file, imports.toArray(new FileDescriptor[0]), true);
    } catch (DescriptorValidationException e) {
      throw new IllegalArgumentException("a schema that contradicts itself", e);
    }
  }
}
