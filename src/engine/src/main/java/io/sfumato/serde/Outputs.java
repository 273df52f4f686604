// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;

/** The public records in Avro's single-object encoding: C3 01, schema fingerprint, fields. */
public final class Outputs {
  static {
    AvroTrust.establish();
  }

  private static final int HEADER_BYTES = 10;

  /** What Avro's single-object encoding begins with. */
  private static final short SINGLE_OBJECT = (short) 0xC301;

  /** Every public schema with its decoder. */
  private static final Map<Schema, BinaryMessageDecoder<? extends IndexedRecord>> PUBLIC =
      PublicSchemas.all().stream()
          .collect(Collectors.toUnmodifiableMap(Function.identity(), Outputs::decoder));

  /** By the writer's fingerprint, of now or of an earlier release. */
  private static final Map<Long, BinaryMessageDecoder<? extends IndexedRecord>> DECODERS =
      decoders();

  private static final Map<String, Schema> BY_NAME =
      PUBLIC.keySet().stream()
          .collect(Collectors.toUnmodifiableMap(Schema::getName, Function.identity()));

  private static final Map<String, SingleObjectEncoder<SpecificRecord>> ENCODERS =
      PUBLIC.keySet().stream()
          .collect(Collectors.toUnmodifiableMap(Schema::getName, SingleObjectEncoder::new));

  private Outputs() {}

  private static BinaryMessageDecoder<? extends IndexedRecord> decoder(Schema schema) {
    return new BinaryMessageDecoder<IndexedRecord>(SpecificData.getForSchema(schema), schema);
  }

  private static Map<Long, BinaryMessageDecoder<? extends IndexedRecord>> decoders() {
    Map<Long, BinaryMessageDecoder<? extends IndexedRecord>> decoders = new HashMap<>();
    PUBLIC.forEach(
        (now, decoder) ->
            ReleasedSchemas.writers(now)
                .forEach(
                    (fingerprint, writer) -> {
                      decoder.addSchema(writer);
                      decoders.put(fingerprint, decoder);
                    }));
    return Map.copyOf(decoders);
  }

  /** A public record in Avro's single-object encoding. */
  public static byte[] encode(SpecificRecord record) {
    return ENCODERS.get(record.getSchema().getName()).encode(record);
  }

  /**
   * An output as {@code JsonRecords} writes it, with or without its schema's name.
   *
   * @param line one JSON object
   * @throws CorruptBytesException if it is no record of the schema
   */
  public static IndexedRecord decodeLine(String line, Schema schema) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    Optional<String> type = JsonRecords.type(bytes);
    if (type.filter(name -> !name.equals(schema.getName())).isPresent()) {
      throw new CorruptBytesException("a " + type.get() + ", not a " + schema.getName());
    }
    return JsonRecords.decode(bytes, schema);
  }

  /** A public record in Confluent's wire format: 00 and the schema's id. */
  static byte[] encodeRegistered(SpecificRecord record, int id) {
    return ENCODERS.get(record.getSchema().getName()).encode(record, RegistryFrame.header(id));
  }

  /**
   * Any public output, also one whose schema lies in a registry.
   *
   * @throws CorruptBytesException if the bytes are none
   * @throws SchemasUnavailableException if the registry cannot be asked
   */
  public static IndexedRecord decodeAny(byte[] bytes, SchemaSource schemas) {
    if (bytes == null || !RegistryFrame.isIn(bytes)) {
      return decodeAny(bytes);
    }
    Schema writer =
        schemas
            .byId(RegistryFrame.schemaId(bytes))
            .orElseThrow(() -> new CorruptBytesException("not an output of Sfumato"));
    Schema reader = BY_NAME.get(writer.getName());
    if (reader == null || !reader.getFullName().equals(writer.getFullName())) {
      throw new CorruptBytesException("not an output of Sfumato");
    }
    return ForeignBytes.orCorrupt(
        "not the expected Avro record",
        () ->
            new SpecificDatumReader<IndexedRecord>(
                    writer, reader, SpecificData.getForSchema(reader))
                .read(
                    null,
                    DecoderFactory.get()
                        .binaryDecoder(
                            bytes,
                            RegistryFrame.HEADER,
                            bytes.length - RegistryFrame.HEADER,
                            null)));
  }

  /**
   * Any public output in either format, told apart by its first byte and then by its schema's
   * fingerprint or name.
   *
   * @throws CorruptBytesException if the bytes are none
   */
  public static IndexedRecord decodeAny(byte[] bytes) {
    if (bytes != null && JsonRecords.isObject(bytes)) {
      return JsonRecords.decode(
          bytes,
          JsonRecords.type(bytes)
              .map(BY_NAME::get)
              .orElseThrow(() -> new CorruptBytesException("not an output of Sfumato")));
    }
    if (bytes == null || bytes.length < HEADER_BYTES) {
      throw new CorruptBytesException("not an output of Sfumato");
    }
    long fingerprint = ByteBuffer.wrap(bytes, 2, 8).order(ByteOrder.LITTLE_ENDIAN).getLong();
    BinaryMessageDecoder<? extends IndexedRecord> decoder = DECODERS.get(fingerprint);
    if (decoder == null) {
      throw new CorruptBytesException("not an output of Sfumato, or of a newer version");
    }
    return decode(decoder, bytes);
  }

  /** How an output was written; nothing if these bytes are none. */
  public static Optional<OutputFormat> formatOf(byte[] bytes) {
    if (JsonRecords.isObject(bytes)) {
      return Optional.of(OutputFormat.JSON);
    }
    if (RegistryFrame.isIn(bytes)) {
      return Optional.of(OutputFormat.REGISTERED);
    }
    return bytes.length >= HEADER_BYTES && ByteBuffer.wrap(bytes).getShort() == SINGLE_OBJECT
        ? Optional.of(OutputFormat.AVRO)
        : Optional.empty();
  }

  /** A histogram of the Dirichlet mechanism. */
  public static DirichletRelease decodeRelease(byte[] bytes) {
    return of(DirichletRelease.class, bytes);
  }

  /**
   * A modeller's candidate, as JSON or in Avro's single-object encoding.
   *
   * @throws CorruptBytesException if the bytes are none
   */
  public static AbcCandidate decodeCandidate(byte[] bytes) {
    if (JsonRecords.isObject(bytes)) {
      return (AbcCandidate) JsonRecords.decode(bytes, AbcCandidate.getClassSchema());
    }
    return decode(AbcCandidate.getDecoder(), bytes);
  }

  /** What is published where nothing is released. */
  public static Refusal decodeRefusal(byte[] bytes) {
    return of(Refusal.class, bytes);
  }

  /** Place and code of a record that was not taken in. */
  public static DeadLetter decodeDeadLetter(byte[] bytes) {
    return of(DeadLetter.class, bytes);
  }

  /**
   * An operator's command, with everything that its kind needs, from no later than the year 9999.
   *
   * @throws CorruptBytesException if it is none
   */
  public static ControlEntry decodeControl(byte[] bytes) {
    return ForeignBytes.orCorrupt("no command", () -> control(bytes));
  }

  private static ControlEntry control(byte[] bytes) {
    ControlEntry entry = decode(ControlEntry.getDecoder(), bytes);
    boolean complete =
        switch (entry.getCommand()) {
          case ENROL, LEAVE, FORGET -> entry.getSubject() != null;
          case SKIP ->
              entry.getBudget() != null
                  && entry.getRelease() != null
                  && entry.getRelease().matches(NoiseKey.LOG_TAG);
          case ACTIVATE ->
              entry.getBudget() != null
                  && entry.getFrom() != null
                  && entry.getVersion() != null
                  && entry.getVersion() > 0
                  && entry.getDigest() != null
                  && entry.getNoiseKey() != null
                  && isShort(entry.getDigest())
                  && isShort(entry.getNoiseKey());
          case SEAL -> entry.getBudget() != null;
        };
    if (!complete) {
      throw new CorruptBytesException("a command lacks what it needs");
    }
    if (entry.getFrom() != null && entry.getFrom().toEpochMilli() > EventReader.LATEST) {
      throw new CorruptBytesException("a command's time lies behind the year 9999");
    }
    if (entry.getSubject() != null) {
      int length = entry.getSubject().getBytes(StandardCharsets.UTF_8).length;
      if (length < 1 || length > FieldLimits.SUBJECT) {
        throw new CorruptBytesException("a subject has 1 to " + FieldLimits.SUBJECT + " bytes");
      }
    }
    return entry;
  }

  /** Digests and tags are; whatever else stands there would be kept in the journal. */
  private static boolean isShort(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length <= FieldLimits.SUBJECT;
  }

  private static <T extends IndexedRecord> T of(Class<T> type, byte[] bytes) {
    IndexedRecord record = decodeAny(bytes);
    if (!type.isInstance(record)) {
      throw new CorruptBytesException(
          "a " + record.getSchema().getName() + ", not a " + type.getSimpleName());
    }
    return type.cast(record);
  }

  private static <T> T decode(BinaryMessageDecoder<T> decoder, byte[] bytes) {
    // Of foreign bytes Avro makes exceptions of any kind.
    return ForeignBytes.orCorrupt("not the expected Avro record", () -> decoder.decode(bytes));
  }
}
