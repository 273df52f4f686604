// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.EncoderFactory;

/** Records about a user, in JSON and Avro, and who reads them. */
final class UserRecords {
  private UserRecords() {}

  static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  static InputSpec spec(InputSpec.Format format, String time, ValueFormats formats) {
    return new InputSpec(
        InputTopics.of(List.of("in")),
        format,
        "ward",
        time,
        Optional.of("what"),
        Optional.empty(),
        List.of("58", "a"),
        Optional.empty(),
        List.of("x"),
        Optional.empty(),
        10_000,
        formats,
        RecordFilter.none(),
        Optional.empty());
  }

  static EventReader reader(
      InputSpec.Format format, String user, String time, KeyFormat keys, Schema schema) {
    return new EventReader(
        spec(format, time, new ValueFormats(TimeReader.auto(), keys)),
        Optional.of(user),
        id -> Optional.ofNullable(schema),
        WindowSpec.MAX_AHEAD);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Behind the id of a schema. */
  static byte[] registered(int id, byte[] payload) {
    return ByteBuffer.allocate(5 + payload.length).put((byte) 0).putInt(id).put(payload).array();
  }

  static byte[] encoded(Schema schema, Object datum) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<>(schema).write(datum, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  /** A record of a registry. */
  static byte[] avro(Schema schema, Object user, Object at, Object x) throws Exception {
    GenericRecord record = new GenericData.Record(schema);
    record.put("user", user);
    record.put("ward", "north");
    record.put("at", at);
    record.put("what", 58.0);
    record.put("x", x);
    return registered(7, encoded(schema, record));
  }

  /** The same with the number 1. */
  static byte[] avro(Schema schema, Object user, Object at) throws Exception {
    return avro(schema, user, at, 1.0);
  }

  static Schema schema(Schema user, Schema at, Schema x) {
    return Schema.createRecord(
        "R",
        null,
        "t",
        false,
        List.of(
            new Schema.Field("user", user),
            new Schema.Field("ward", Schema.create(Schema.Type.STRING)),
            new Schema.Field("at", at),
            new Schema.Field("what", Schema.create(Schema.Type.DOUBLE)),
            new Schema.Field("x", x)));
  }

  static Schema schema(Schema user, Schema at) {
    return schema(user, at, Schema.create(Schema.Type.DOUBLE));
  }
}
