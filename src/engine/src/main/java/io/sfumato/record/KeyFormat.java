// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/**
 * How record keys are written: {@code input.key-format} of a pipeline file. Those that have fields
 * are read as values of the same format are.
 */
public enum KeyFormat {
  /** UTF-8. A key with a control character, such as a registry's magic byte, has no name. */
  TEXT("text", "1 to 256 bytes of UTF-8 without control characters") {
    @Override
    public Optional<String> name(byte[] key) {
      try {
        return CanonicalName.ofText(StrictUtf8.decode(key));
      } catch (CharacterCodingException e) {
        return Optional.empty();
      }
    }
  },

  /** Kafka's IntegerSerializer: 4 bytes, big-endian. */
  INT("int", "4 bytes") {
    @Override
    public Optional<String> name(byte[] key) {
      return key.length == Integer.BYTES
          ? Optional.of(CanonicalName.ofNumber(ByteBuffer.wrap(key).getInt()))
          : Optional.empty();
    }
  },

  /** Kafka's LongSerializer: 8 bytes, big-endian. */
  LONG("long", "8 bytes") {
    @Override
    public Optional<String> name(byte[] key) {
      return key.length == Long.BYTES
          ? Optional.of(CanonicalName.ofNumber(ByteBuffer.wrap(key).getLong()))
          : Optional.empty();
    }
  },

  /** 16 bytes, or Kafka's UUIDSerializer: 36 letters. */
  UUID("uuid", "16 bytes, or a UUID as text") {
    @Override
    public Optional<String> name(byte[] key) {
      if (key.length == 2 * Long.BYTES) {
        return Optional.of(CanonicalName.ofUuid(key));
      }
      return TEXT.name(key).flatMap(CanonicalName::ofUuid);
    }
  },

  /** A JSON text, number or truth value; or an object, of which a field is named. */
  JSON("json", "text of 1 to 256 bytes, a number of at most 40 digits, or a truth value"),

  /** Avro of a schema registry. */
  AVRO("avro", JSON.expected),

  /** JSON of a schema registry. */
  JSON_SCHEMA("json-schema", JSON.expected),

  /** Protobuf of a schema registry. */
  PROTOBUF("protobuf", JSON.expected);

  private final String word;
  private final String expected;

  KeyFormat(String word, String expected) {
    this.word = word;
    this.expected = expected;
  }

  /** What a key or the named field of it is, in words. */
  public String expected() {
    return expected;
  }

  /** Whether a key has fields, of which one may be named: {@code $key.customer_id}. */
  public boolean hasFields() {
    return this == JSON || this == AVRO || this == JSON_SCHEMA || this == PROTOBUF;
  }

  /** The word of the pipeline file. */
  public String word() {
    return word;
  }

  /**
   * The name that a key without fields is.
   *
   * @return nothing if it is not of this format, or no name
   */
  public Optional<String> name(byte[] key) {
    throw new IllegalStateException("a key with fields needs a reader of them");
  }
}
