// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.ProtobufRecords.encoded;
import static io.sfumato.serde.ProtobufRecords.framed;
import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static io.sfumato.serde.UserRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.TextFormat;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.KeyFormat;
import io.sfumato.serde.registry.ProtobufSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;

/** One value has one name in every format that can hold it, and another value has another one. */
class NamesAcrossFormatsTest {
  private static final String SCHEMA =
      """
      syntax = "proto3";
      import "google/protobuf/wrappers.proto";
      message R {
        string ward = 1;
        string text = 2;
        int64 whole = 3;
        sint64 zigzag = 4;
        uint64 unsigned = 5;
        sfixed64 fixed = 6;
        double real = 7;
        float single = 8;
        bool truth = 9;
        map<string, int64> map = 10;
        google.protobuf.StringValue boxed = 11;
        google.protobuf.Int64Value number = 12;
        google.protobuf.BoolValue flag = 13;
        repeated sint32 few = 14;
      }
      """;

  private static final FileDescriptor FILE = ProtobufSchemas.parsed(SCHEMA);
  private static final SchemaSource SCHEMAS = ProtobufRecords.source(Map.of(7, SCHEMA));

  private static Optional<String> protobuf(String field, String text) throws Exception {
    byte[] record = framed(7, encoded(FILE, "R", "ward: 'n' " + text));
    return named(() -> ProtobufRecords.reader(Map.of("user", field), SCHEMAS), record);
  }

  private interface Made {
    EventReader reader();
  }

  private static Optional<String> named(Made made, byte[] record) {
    try {
      return made.reader().read(record(null, record, NOW)).orElseThrow().user();
    } catch (RejectedRecordException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> json(String user) {
    byte[] record =
        utf8(
            "{\"user\":%s,\"ward\":\"north\",\"at\":%d,\"what\":\"a\",\"x\":1}"
                .formatted(user, NOW));
    return named(() -> UserRecords.reader(Format.JSON, "user", "at", KeyFormat.TEXT, null), record);
  }

  private static Optional<String> avro(Schema.Type type, Object value) throws Exception {
    Schema schema = UserRecords.schema(Schema.create(type), Schema.create(Schema.Type.LONG));
    byte[] record = UserRecords.avro(schema, value, NOW);
    return named(
        () -> UserRecords.reader(Format.AVRO, "user", "at", KeyFormat.TEXT, schema), record);
  }

  private static List<Optional<String>> names(long number) throws Exception {
    String text = Long.toString(number);
    List<Optional<String>> names =
        new ArrayList<>(
            List.of(
                json(text),
                json(text + ".0"),
                avro(Schema.Type.LONG, number),
                avro(Schema.Type.STRING, text),
                protobuf("text", "text: '" + text + "'"),
                protobuf("boxed", "boxed { value: '" + text + "' }"),
                protobuf("whole", "whole: " + text),
                protobuf("zigzag", "zigzag: " + text),
                protobuf("fixed", "fixed: " + text),
                protobuf("number", "number { value: " + text + " }"),
                protobuf("map.k", "map { key: 'k' value: " + text + " }")));
    if (number >= 0) {
      names.add(protobuf("unsigned", "unsigned: " + text));
    }
    if (Math.abs(number) < 1L << 53) {
      names.add(avro(Schema.Type.DOUBLE, (double) number));
      names.add(protobuf("real", "real: " + text));
    }
    if (Math.abs(number) < 1L << 24) {
      names.add(avro(Schema.Type.FLOAT, (float) number));
      names.add(protobuf("single", "single: " + text));
      names.add(protobuf("few[0]", "few: " + text));
    }
    return names;
  }

  @Property(seed = "55")
  void shouldNameWholeNumbersAlike(@ForAll Random random) throws Exception {
    long number = random.nextLong() >> random.nextInt(64);
    assertThat(names(number)).containsOnly(Optional.of(Long.toString(number)));
    assertThat(names(number ^ 1L << random.nextInt(40)))
        .doesNotContain(Optional.of(Long.toString(number)));
  }

  @Property(seed = "56")
  void shouldNameOtherNumbersAlike(@ForAll Random random) throws Exception {
    double real = random.nextGaussian() * Math.pow(10, random.nextInt(12) - 4);
    Optional<String> name = avro(Schema.Type.DOUBLE, real);
    assertThat(name).isPresent();
    assertThat(protobuf("real", "real: " + real)).isEqualTo(name);
    float single = (float) real;
    assertThat(protobuf("single", "single: " + single))
        .isEqualTo(avro(Schema.Type.FLOAT, single))
        .isPresent();
  }

  @Property(seed = "57")
  void shouldNameTextsAlike(@ForAll Random random) throws Exception {
    String letters = "ab\u00e9e\u0301 \u0000\u0007\u00df\u212b\ud83d\ude00\u0378/\"'";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      int at =
          letters.offsetByCodePoints(
              0, random.nextInt(letters.codePointCount(0, letters.length())));
      text.appendCodePoint(letters.codePointAt(at));
    }
    String escaped = TextFormat.escapeDoubleQuotesAndBackslashes(text.toString());
    Optional<String> name = json(new TextNode(text.toString()).toString());
    assertThat(avro(Schema.Type.STRING, text.toString())).isEqualTo(name);
    assertThat(protobuf("text", "text: \"" + escaped + "\"")).isEqualTo(name);
    assertThat(protobuf("boxed", "boxed { value: \"" + escaped + "\" }")).isEqualTo(name);
  }

  @Property(tries = 4, seed = "58")
  void shouldNameTruthAlike(@ForAll Random random) throws Exception {
    boolean truth = random.nextBoolean();
    assertThat(
            List.of(
                json(Boolean.toString(truth)),
                avro(Schema.Type.BOOLEAN, truth),
                protobuf("truth", "truth: " + truth),
                protobuf("flag", "flag { value: " + truth + " }")))
        .containsOnly(Optional.of(Boolean.toString(truth)));
  }
}
