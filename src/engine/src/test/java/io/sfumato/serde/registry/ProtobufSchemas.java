// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.List;
import java.util.Objects;

/** Protobuf schemas as a registry's texts are parsed, without a registry. */
public final class ProtobufSchemas {
  private ProtobufSchemas() {}

  /** A file that imports nothing but what is built in. */
  public static FileDescriptor parsed(String text) {
    FileDescriptorProto file =
        ProtobufText.parse("schema.proto", ProtobufSource.plain(text, 0).text());
    List<FileDescriptor> imports =
        file.getDependencyList().stream()
            .map(ProtobufImports::builtIn)
            .filter(Objects::nonNull)
            .toList();
    return ProtobufImports.linked(file, imports);
  }
}
