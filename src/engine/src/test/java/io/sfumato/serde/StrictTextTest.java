// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static io.sfumato.serde.UserRecords.encoded;
import static io.sfumato.serde.UserRecords.reader;
import static io.sfumato.serde.UserRecords.registered;
import static io.sfumato.serde.UserRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.KeyFormat;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid bytes are no text: replaced by a question mark, two people would become one. */
class StrictTextTest {
  private static final Schema TEXT = Schema.create(Schema.Type.STRING);
  private static final Schema BYTES = Schema.create(Schema.Type.BYTES);
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  private static byte[] json(byte[] user) {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(
        utf8("{\"ward\":\"north\",\"at\":%d,\"what\":58,\"x\":1,\"user\":\"".formatted(NOW)));
    record.writeBytes(user);
    record.writeBytes(utf8("\"}"));
    return record.toByteArray();
  }

  private static Optional<String> userOfJson(byte[] record) throws RejectedRecordException {
    return reader(Format.JSON, "user", "at", KeyFormat.TEXT, null)
        .read(record(null, record, NOW))
        .orElseThrow()
        .user();
  }

  /** The encoding of bytes is that of text. */
  private static byte[] avro(byte[] user) throws Exception {
    return UserRecords.avro(UserRecords.schema(BYTES, LONG), ByteBuffer.wrap(user), NOW);
  }

  private static Optional<String> userOfAvro(Schema text, byte[] user) throws Exception {
    Schema schema = UserRecords.schema(text, LONG);
    return reader(Format.AVRO, "user", "at", KeyFormat.TEXT, schema)
        .read(record(null, avro(user), NOW))
        .orElseThrow()
        .user();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "61FF",
        "61FE",
        "61C3",
        "C1A1",
        "E081A1",
        "F08081A1",
        "EDA0BDEDB880",
        "F5808080",
        "4BE47365"
      })
  void shouldRefuseInvalidTextWhenARecordIsRead(String hex) throws Exception {
    byte[] user = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> userOfJson(json(user))).hasMessage("MALFORMED");
    assertThat(RecordTrees.ofJson().of(json(user))).isEmpty();
    Schema java = Schema.create(Schema.Type.STRING);
    java.addProp("avro.java.string", "String");
    for (Schema text : new Schema[] {TEXT, java}) {
      Schema schema = UserRecords.schema(text, LONG);
      assertThatThrownBy(() -> userOfAvro(text, user)).hasMessage("MALFORMED");
      assertThat(new RecordTrees(id -> Optional.of(schema), true).of(avro(user))).isEmpty();
      byte[] key = registered(1, encoded(BYTES, ByteBuffer.wrap(user)));
      assertThatThrownBy(
              () ->
                  reader(Format.JSON, "$key", "at", KeyFormat.AVRO, text)
                      .read(record(key, json(utf8("ann")), NOW))
                      .orElseThrow())
          .hasMessage("MALFORMED");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE"})
  void shouldRefuseJsonWhenItIsInAnotherEncoding(String encoding) {
    byte[] record =
        new String(json(utf8("ann")), StandardCharsets.UTF_8).getBytes(Charset.forName(encoding));
    assertThatThrownBy(() -> userOfJson(record)).hasMessage("MALFORMED");
    assertThat(RecordTrees.ofJson().of(record)).isEmpty();
    byte[] key = "7".getBytes(Charset.forName(encoding));
    assertThatThrownBy(
            () ->
                reader(Format.JSON, "$key", "at", KeyFormat.JSON, null)
                    .read(record(key, json(utf8("ann")), NOW))
                    .orElseThrow())
        .hasMessage("MALFORMED");
  }

  @Test
  void shouldRefuseJsonWhenItStartsWithAByteOrderMark() {
    String text = "\uFEFF" + new String(json(utf8("ann")), StandardCharsets.UTF_8);
    assertThatThrownBy(() -> userOfJson(utf8(text)))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElseThrow()).contains("byte order mark"));
    assertThat(RecordTrees.ofJson().of(utf8(text))).isEmpty();
  }

  /** One name per sequence of bytes, whatever they are, and the same in JSON and Avro. */
  @Property(seed = "8")
  void shouldReadBytesAsTheirTextOrNotAtAll(@ForAll Random random) throws Exception {
    byte[] user = new byte[1 + random.nextInt(3)];
    do {
      random.nextBytes(user);
    } while (new String(user, StandardCharsets.ISO_8859_1).matches("(?s).*[\"\\\\].*"));
    Optional<String> found = named(() -> userOfAvro(TEXT, user));
    assertThat(named(() -> userOfJson(json(user)))).isEqualTo(found);
    if (found.isPresent()) {
      assertThat(
              Normalizer.normalize(new String(user, StandardCharsets.UTF_8), Normalizer.Form.NFC))
          .isEqualTo(found.get());
      assertThat(new String(user, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8))
          .isEqualTo(user);
    }
  }

  private interface Reading {
    Optional<String> read() throws Exception;
  }

  private static Optional<String> named(Reading reading) throws Exception {
    try {
      return reading.read();
    } catch (RejectedRecordException e) {
      return Optional.empty();
    }
  }
}
