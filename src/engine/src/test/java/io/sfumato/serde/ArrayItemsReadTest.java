// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.Event.Item;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items of an array are read alike from JSON and Avro, and each is known by its place. */
class ArrayItemsReadTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final String FILE =
      """
      pipeline: p
      input: { topic: t, format: %s, user: who, subject: shop, time: at, category: "%s", categories: [a, b, c]%s }
      contributions: { per-window: 2, max-items: 3 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-06-01 }
      budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              """
              {"type":"record","name":"Order","fields":[
                {"name":"who","type":"string"},
                {"name":"shop","type":"string"},
                {"name":"at","type":"string"},
                {"name":"tags","type":["null",{"type":"array","items":["null","string"]}]},
                {"name":"order","type":["null",{"type":"record","name":"Basket","fields":[
                  {"name":"lines","type":{"type":"array","items":{"type":"record","name":"Line","fields":[
                    {"name":"price","type":"double"},
                    {"name":"product","type":["null","string"]}]}}}]}]}]}
              """);

  private static EventReader reader(String format, String category, String more)
      throws PipelineFileException {
    Pipeline pipeline = PipelineFile.parse("p", FILE.formatted(format, category, more));
    return EventReader.of(pipeline, id -> Optional.of(SCHEMA));
  }

  private static byte[] json(String more) {
    return ("{\"who\":\"ann\",\"shop\":\"north\",\"at\":\"2026-06-01T00:00:00Z\"," + more + "}")
        .replace('\'', '"')
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Event read(String category, String more) throws Exception {
    return reader("json", category, "").read(record(null, json(more), NOW)).orElseThrow();
  }

  private static byte[] avro(String tags, String order) throws Exception {
    String text = new String(json("'tags':" + tags + ",'order':" + order), StandardCharsets.UTF_8);
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(SCHEMA)
            .read(null, DecoderFactory.get().jsonDecoder(SCHEMA, text));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, 1});
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static Event expected(Item... items) {
    return new Event(Optional.of("ann"), "north", NOW, List.of(items), List.of());
  }

  private static void refused(RejectionCode code, ThrowingReader reading) {
    assertThatThrownBy(reading::read)
        .isInstanceOfSatisfying(
            RejectedRecordException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private interface ThrowingReader {
    Event read() throws Exception;
  }

  /** An unknown one, or none, does not take the others with it; the same one again counts again. */
  @Test
  void shouldReadEachItemThatIsACategory() throws Exception {
    Event found = expected(new Item(0, 1), new Item(3, 0), new Item(4, 1));
    assertThat(read("tags[]", "'tags':['b','zebra',null,'a','b','c']")).isEqualTo(found);
    assertThat(
            reader("avro", "tags[]", "")
                .read(
                    record(
                        null,
                        avro(
                            "{'array':[{'string':'b'},{'string':'zebra'},null,{'string':'a'},{'string':'b'},{'string':'c'}]}",
                            "null"),
                        NOW))
                .orElseThrow())
        .isEqualTo(found);
  }

  @Test
  void shouldReadAFieldOfEachItem() throws Exception {
    Event found = expected(new Item(0, 2), new Item(2, 0));
    assertThat(
            read(
                "order.lines[].product",
                "'order':{'id':[1,2],'lines':[{'price':1.5,'product':'c'},{'price':1},{'product':'a'}]}"))
        .isEqualTo(found);
    assertThat(
            reader("avro", "order.lines[].product", "")
                .read(
                    record(
                        null,
                        avro(
                            "null",
                            "{'Basket':{'lines':[{'price':1.5,'product':{'string':'c'}},{'price':1.0,'product':null},{'price':2.0,'product':{'string':'a'}}]}}"),
                        NOW))
                .orElseThrow())
        .isEqualTo(found);
  }

  @Test
  void shouldReadItemsBesidePlaces() throws Exception {
    String more = "'a':[{'b':['a','c']},{'b':['b']},{'b':[]},{'b':'c'},5]";
    assertThat(read("a[0].b[]", more)).isEqualTo(expected(new Item(0, 0), new Item(1, 2)));
    assertThat(read("a[].b[0]", more)).isEqualTo(expected(new Item(0, 0), new Item(1, 1)));
  }

  @Test
  void shouldCountUnknownItemsAsOtherWhereThereIsOne() throws Exception {
    assertThat(
            reader("json", "tags[]", ", other: c")
                .read(record(null, json("'tags':['zebra',null,{},['a'],7,'a']"), NOW))
                .orElseThrow())
        .isEqualTo(expected(new Item(0, 2), new Item(4, 2), new Item(5, 0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'tags':[] | NO_CATEGORY",
        "'tags':null | NO_CATEGORY",
        "'tags':'a' | NO_CATEGORY",
        "'tags':{'[]':'a','0':'a'} | NO_CATEGORY",
        "'other':['a'] | NO_CATEGORY",
        "'tags':[null,{},[]] | NO_CATEGORY",
        "'tags':['zebra',null] | UNKNOWN_CATEGORY",
        "'tags':['a' | MALFORMED",
        "'tags':['a',,'b'] | MALFORMED",
      })
  void shouldRefuseARecordOfWhichNothingCounts(String more, RejectionCode code) {
    refused(code, () -> read("tags[]", more.strip()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | NO_CATEGORY",
        "{'array':[]} | NO_CATEGORY",
        "{'array':[null]} | NO_CATEGORY",
        "{'array':[null,{'string':'zebra'}]} | UNKNOWN_CATEGORY",
      })
  void shouldRefuseTheSameOfAvro(String tags, RejectionCode code) {
    refused(
        code,
        () ->
            reader("avro", "tags[]", "")
                .read(record(null, avro(tags.strip(), "null"), NOW))
                .orElseThrow());
  }

  @Test
  void shouldNotFindAnArrayThatTheSchemaLacks() {
    for (String category : List.of("who[]", "order[]", "lines[]")) {
      refused(
          RejectionCode.SCHEMA_MISMATCH,
          () ->
              reader("avro", category, "")
                  .read(record(null, avro("null", "null"), NOW))
                  .orElseThrow());
    }
    assertThat(SchemaCheck.problems(SCHEMA, input("order.lines[].product"), Optional.of("who")))
        .isEmpty();
    assertThat(SchemaCheck.problems(SCHEMA, input("order.lines[].kind"), Optional.of("who")))
        .hasSize(1);
  }

  private static InputSpec input(String category) {
    try {
      return PipelineFile.parse("p", FILE.formatted("avro", category, "")).input();
    } catch (PipelineFileException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** However deep: another reader may take the other of two fields. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tags':['a','b'],'tags':['c']",
        "'tags':['a'],'tags':null",
        "'lines':[{'x':'a','x':'b'},{'x':'a'}]",
        "'order':{'tags':['a']},'order':null",
        "'tags':['a'],'other':[{'deep':{'x':1,'x':2}}]",
      })
  void shouldRefuseTwoFieldsWithOneName(String fields) {
    for (String category : List.of("tags[]", "lines[].x", "order.tags[]")) {
      refused(RejectionCode.MALFORMED, () -> read(category, fields));
    }
  }

  /** A row of a CSV file has no arrays: its column is one item. */
  @Test
  void shouldReadAFieldOfTheVeryNameAsOneItem() throws Exception {
    assertThat(read("tags[]", "'tags[]':'b'")).isEqualTo(expected(new Item(0, 1)));
    assertThat(read("tags[]", "'tags':['a','c'],'tags[]':'b'")).isEqualTo(expected(new Item(0, 1)));
    assertThat(read("tags[]", "'tags[]':'b','tags':['a','c']")).isEqualTo(expected(new Item(0, 1)));
  }

  /** However many there are: what lies behind those that count is not kept. */
  @Test
  void shouldTakeNoMoreItemsThanTheFileSays() throws Exception {
    List<String> tags = new ArrayList<>(List.of("'zebra'"));
    tags.addAll(Collections.nCopies(50_000, "'a'"));
    assertThat(read("tags[]", "'tags':[" + String.join(",", tags) + "]"))
        .isEqualTo(expected(new Item(1, 0), new Item(2, 0), new Item(3, 0)));
  }

  /** Whoever would take them without a bound is stopped, whatever read the file. */
  @Test
  void shouldReadNoArraysWhereNothingBoundsThem() {
    assertThatThrownBy(
            () ->
                new EventReader(
                    input("tags[]"), Optional.empty(), SchemaSource.none(), WindowSpec.MAX_AHEAD))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> expected(new Item(0, 1), new Item(1, 1)).category())
        .isInstanceOf(IllegalStateException.class);
  }
}
