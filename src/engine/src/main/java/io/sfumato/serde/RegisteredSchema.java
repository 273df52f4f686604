// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.avro.Schema;

/** A schema of a registry, of one of its three types. */
public sealed interface RegisteredSchema {
  /** What records of the type are called. */
  String type();

  /** The word of {@code input.format} that reads records of the type. */
  String format();

  /**
   * Of Avro.
   *
   * @param schema parsed, with all that it refers to
   */
  record Avro(Schema schema) implements RegisteredSchema {
    @Override
    public String type() {
      return "Avro";
    }

    @Override
    public String format() {
      return "avro";
    }
  }

  /**
   * Of Protobuf: a file, of which each record names one message.
   *
   * @param file parsed, with all that it imports
   */
  record Protobuf(FileDescriptor file) implements RegisteredSchema {
    @Override
    public String type() {
      return "Protobuf";
    }

    @Override
    public String format() {
      return "protobuf";
    }
  }

  /** A JSON Schema. It decides nothing about how JSON is read, so that it is not parsed. */
  record Json() implements RegisteredSchema {
    @Override
    public String type() {
      return "JSON Schema";
    }

    @Override
    public String format() {
      return "json-schema";
    }
  }
}
