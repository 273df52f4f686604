// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Framings of other serializers, which are not read: what a dead letter says of them. */
enum OtherFraming {
  /** Of a record's value. */
  OF_VALUE("record", "value", "input.format"),

  /** Of a record's key. */
  OF_KEY("key", "key", "input.key-format");

  private static final byte GLUE = 3;

  /** Version, compression and UUID. */
  private static final int GLUE_HEADER = 18;

  private static final int LONG_ID = 1 + Long.BYTES;

  /** Four zero bytes, then an id of 32 letters. */
  private static final int AZURE_HEADER = 4 + 32;

  private static final Pattern AZURE_ID = Pattern.compile("[0-9a-f]{32}");

  private final String name;
  private final String setting;

  /** In which serializers put a schema's id, instead of in front of the bytes. */
  private final List<String> idHeaders;

  OtherFraming(String name, String part, String setting) {
    this.name = name;
    this.setting = setting;
    this.idHeaders =
        List.of(
            "__%s_schema_id".formatted(part),
            "apicurio.%s.globalId".formatted(part),
            "apicurio.%s.contentId".formatted(part));
  }

  /**
   * Why bytes cannot be read, if they or their headers are framed otherwise; else as it was.
   *
   * @param registered whether they should begin with a schema's id
   */
  RejectedRecordException explained(
      RejectedRecordException rejected, boolean registered, byte[] bytes, Headers headers) {
    boolean ofFraming =
        rejected.code() == RejectionCode.MALFORMED
            || rejected.code() == RejectionCode.UNKNOWN_SCHEMA;
    return ofFraming
        ? hint(registered, bytes, headers)
            .map(hint -> RejectedRecordException.withHint(rejected.code(), hint))
            .orElse(rejected)
        : rejected;
  }

  private Optional<String> hint(boolean registered, byte[] bytes, Headers headers) {
    if (!registered) {
      return RegistryFrame.hasContent(bytes)
          ? Optional.of(
              "the %s starts with a schema registry's id: set %s to json-schema, avro or protobuf"
                  .formatted(name, setting))
          : Optional.empty();
    }
    for (Header header : headers) {
      if (idHeaders.contains(header.key())) {
        return Optional.of(
            "the schema's id is in header '%s': the producer must write it in front of the %s"
                .formatted(header.key(), name));
      }
    }
    return framing(bytes)
        .map(
            framing ->
                "the %s starts with %s: the producer must write a zero byte and the id in 4 bytes"
                    .formatted(name, framing));
  }

  private static Optional<String> framing(byte[] value) {
    if (value.length >= GLUE_HEADER && value[0] == GLUE) {
      return Optional.of("the header of AWS Glue");
    }
    if (value.length > AZURE_HEADER
        && startsWithZeros(value, 4)
        && AZURE_ID.matcher(text(value)).matches()) {
      return Optional.of("the header of Azure Schema Registry");
    }
    // Ids of 4 bytes begin with 1; those of 8 bytes are no larger.
    if (value.length > LONG_ID && startsWithZeros(value, 1 + Integer.BYTES)) {
      return Optional.of("a schema's id in 8 bytes");
    }
    return value.length > 0 && value[0] == '{'
        ? Optional.of("a JSON object and no schema's id")
        : Optional.empty();
  }

  private static String text(byte[] value) {
    return new String(value, 4, AZURE_HEADER - 4, StandardCharsets.ISO_8859_1);
  }

  private static boolean startsWithZeros(byte[] value, int zeros) {
    for (int i = 0; i < zeros; i++) {
      if (value[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
