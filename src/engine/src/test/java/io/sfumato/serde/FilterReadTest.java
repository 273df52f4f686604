// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.UserRecords.NOW;
import static io.sfumato.serde.UserRecords.encoded;
import static io.sfumato.serde.UserRecords.registered;
import static io.sfumato.serde.UserRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.release.PipelineFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Which records of a topic are read, and what of them is no field of their value. */
class FilterReadTest {
  private static final String FILE =
      """
      pipeline: p
      input: { topic: t, format: %s, user: %s, subject: %s, time: %s, category: %s, categories: [a, b], where: %s }
      contributions: { per-window: 4 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-05-31 }
      budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, share: { epsilon: 0.5, delta: 1e-7 } }
      """;

  private static final String CLICK =
      "{\"type\":\"click\",\"who\":\"ann\",\"shop\":\"north\",\"at\":%d,\"what\":\"a\"}"
          .formatted(NOW);

  private static EventReader json(String where) throws Exception {
    return reader("json", "who", "shop", "at", "what", where, id -> Optional.empty());
  }

  private static EventReader reader(
      String format,
      String user,
      String subject,
      String time,
      String category,
      String where,
      SchemaSource schemas)
      throws Exception {
    Pipeline pipeline =
        PipelineFile.parse("p", FILE.formatted(format, user, subject, time, category, where));
    return EventReader.of(pipeline, schemas);
  }

  private static boolean selects(String where, String value) throws Exception {
    return json(where).read(SourceRecords.record(null, utf8(value), NOW)).isPresent();
  }

  private static String with(String more) {
    return CLICK.replace("}", "," + more + "}");
  }

  @Test
  void shouldSelectByNamesAsRecordsSpellThem() throws Exception {
    assertThat(selects("{ type: click }", CLICK)).isTrue();
    assertThat(selects("{ type: [view, click] }", CLICK)).isTrue();
    assertThat(selects("{ type: view }", CLICK)).isFalse();
    assertThat(selects("{ type: { not: view } }", CLICK)).isTrue();
    assertThat(selects("{ type: { not: [view, click] } }", CLICK)).isFalse();
    assertThat(selects("{ n: 100000 }", with("\"n\":1e5"))).isTrue();
    assertThat(selects("{ n: 100000 }", with("\"n\":100000.0"))).isTrue();
    assertThat(selects("{ ok: true }", with("\"ok\":true"))).isTrue();
    assertThat(selects("{ a.b: x }", with("\"a\":{\"b\":\"x\"}"))).isTrue();
    assertThat(selects("{ 'a[1]': x }", with("\"a\":[1,\"x\"]"))).isTrue();
    assertThat(selects("{ a.b: x }", with("\"a\":{\"b\":\"y\"},\"a.b\":\"x\"")))
        .as("a field of the very name")
        .isTrue();
  }

  @Test
  void shouldTakeWhatIsNullForMissing() throws Exception {
    for (String none : List.of("\"b\":1", "\"a\":null")) {
      assertThat(selects("{ a: { exists: true } }", with(none))).isFalse();
      assertThat(selects("{ a: { exists: false } }", with(none))).isTrue();
      assertThat(selects("{ a: { not: x } }", with(none))).isTrue();
      assertThat(selects("{ a: x }", with(none))).isFalse();
      assertThat(selects("{ a: { exists: true, not: x } }", with(none))).isFalse();
    }
    assertThat(selects("{ a: { exists: true } }", with("\"a\":{\"c\":1}"))).isTrue();
    assertThat(selects("{ a: { exists: true, not: x } }", with("\"a\":[]"))).isTrue();
    assertThat(selects("{ a: x }", with("\"a\":[\"x\"]"))).isFalse();
  }

  /** Whatever is wrong with others is nobody's business; what cannot be read, nobody can judge. */
  @Test
  void shouldPassOverOthersWhateverTheyLack() throws Exception {
    assertThat(selects("{ type: click }", "{\"type\":\"view\"}")).isFalse();
    assertThat(selects("{ type: click }", "{\"type\":\"view\",\"at\":\"never\",\"what\":[]}"))
        .isFalse();
    assertThatThrownBy(() -> selects("{ type: click }", "{\"type\":\"click\"}"))
        .hasMessage("NO_SUBJECT");
    assertThatThrownBy(() -> selects("{ type: click }", "{\"type\":\"view\""))
        .hasMessage("MALFORMED");
    assertThatThrownBy(() -> selects("{ type: click }", "{\"type\":\"view\",\"type\":\"click\"}"))
        .hasMessageStartingWith("MALFORMED");
    assertThat(json("{ type: click }").read(SourceRecords.record(null, null, NOW)))
        .as("a tombstone")
        .isEmpty();
    assertThat(json("{ $header.kind: x }").read(SourceRecords.record(null, utf8("{"), NOW)))
        .as("headers are read first")
        .isEmpty();
  }

  @Test
  void shouldReadTopicHeadersAndKey() throws Exception {
    EventReader reader =
        reader(
            "json",
            "$header.ce_user",
            "$topic",
            "$header.ce_time",
            "$header.ce_type",
            "{ $header.ce_type: [a, b], $key: k }",
            id -> Optional.empty());
    RecordHeaders headers = new RecordHeaders();
    headers.add("ce_user", utf8("ann"));
    headers.add("ce_time", utf8("2026-06-01T00:00:00Z"));
    headers.add("ce_type", utf8("b"));
    SourceRecord record = new SourceRecord("north", utf8("k"), utf8("{}"), NOW, headers);
    assertThat(reader.read(record))
        .contains(new Event(Optional.of("ann"), "north", NOW, 1, List.of()));
    assertThat(reader.read(new SourceRecord("north", utf8("l"), utf8("{}"), NOW, headers)))
        .isEmpty();
    assertThat(reader.read(new SourceRecord("north", null, utf8("{}"), NOW, headers))).isEmpty();
    headers.add("ce_user", utf8("bob"));
    assertThatThrownBy(() -> reader.read(record)).hasMessageStartingWith("MALFORMED");
    headers.remove("ce_user");
    assertThatThrownBy(() -> reader.read(record)).hasMessage("NO_USER");
    headers.add("ce_user", new byte[] {(byte) 0xFF});
    assertThatThrownBy(() -> reader.read(record)).hasMessage("MALFORMED");
  }

  @Test
  void shouldHaveOneSubjectWhereTheFileSaysSo() throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "p",
            FILE.formatted("json", "who", "{ constant: all }", "at", "what", "{ type: click }")
                .replace("subjects: [north, south]\n", ""));
    assertThat(
            EventReader.of(pipeline, SchemaSource.none())
                .read(SourceRecords.record(null, utf8(CLICK), NOW))
                .orElseThrow()
                .subject())
        .isEqualTo("all");
  }

  private static Schema schema(String name, String... fields) {
    List<String> all = new ArrayList<>();
    for (String field : fields) {
      all.add("{\"name\":\"%s\",\"type\":[\"null\",\"string\"]}".formatted(field));
    }
    return new Schema.Parser()
        .parse(
            "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[%s]}"
                .formatted(name, String.join(",", all)));
  }

  private static byte[] avro(int id, Schema schema, Map<String, String> fields) throws Exception {
    GenericData.Record record = new GenericData.Record(schema);
    fields.forEach(record::put);
    return registered(id, encoded(schema, record));
  }

  /** Several types of events in one topic, each with a schema of its own. */
  @Test
  void shouldPassOverAvroRecordsOfOtherTypes() throws Exception {
    Schema click = schema("Click", "type", "who", "shop", "at", "what");
    Schema login = schema("Login", "type", "device");
    Schema bare = schema("Bare", "x");
    Schema text = Schema.create(Schema.Type.STRING);
    Map<Integer, Schema> known = Map.of(1, click, 2, login, 3, bare, 4, text);
    EventReader reader =
        reader(
            "avro",
            "who",
            "shop",
            "at",
            "what",
            "{ type: click }",
            id -> Optional.ofNullable(known.get(id)));
    Map<String, String> fields =
        Map.of("who", "ann", "shop", "north", "at", "2026-06-01T00:00:00Z", "what", "a");
    assertThat(reader.read(record(avro(1, click, with(fields, "click")))))
        .contains(new Event(Optional.of("ann"), "north", NOW, 0, List.of()));
    assertThat(reader.read(record(avro(1, click, with(fields, "view"))))).isEmpty();
    assertThat(reader.read(record(avro(2, login, Map.of("type", "login"))))).isEmpty();
    assertThat(reader.read(record(avro(2, login, Map.of())))).isEmpty();
    assertThat(reader.read(record(avro(3, bare, Map.of("x", "1"))))).isEmpty();
    assertThat(reader.read(record(registered(4, encoded(text, "click"))))).isEmpty();
    assertThatThrownBy(() -> reader.read(record(avro(2, login, Map.of("type", "click")))))
        .as("it says that it is one of ours")
        .hasMessage("SCHEMA_MISMATCH");
  }

  private static Map<String, String> with(Map<String, String> fields, String type) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("type", type);
    return all;
  }

  /** JSON and Avro agree with the definition of a filter. */
  @Property
  void shouldSelectAsDefinedInEveryFormat(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<String> texts = List.of("x", "y", "z");
    Schema schema = schema("Any", "type", "who", "shop", "at", "what", "p", "q");
    String where = "{ p: %s, q: %s }".formatted(condition(random, texts), condition(random, texts));
    Map<String, String> fields =
        new HashMap<>(
            Map.of("who", "ann", "shop", "north", "at", "2026-06-01T00:00:00Z", "what", "a"));
    StringBuilder json = new StringBuilder(CLICK);
    for (String field : List.of("p", "q")) {
      if (random.nextInt(4) > 0) {
        String value = texts.get(random.nextInt(texts.size()));
        fields.put(field, value);
        json.insert(json.length() - 1, ",\"%s\":\"%s\"".formatted(field, value));
      }
    }
    boolean expected =
        PipelineFile.parse("p", FILE.formatted("json", "who", "shop", "at", "what", where))
            .input()
            .where()
            .conditions()
            .stream()
            .allMatch(condition -> meets(condition, fields.get(condition.part())));
    assertThat(json(where).read(record(utf8(json.toString()))).isPresent())
        .as("%s of %s", where, fields)
        .isEqualTo(expected);
    EventReader avro =
        reader("avro", "who", "shop", "at", "what", where, id -> Optional.of(schema));
    assertThat(avro.read(record(avro(1, schema, fields))).isPresent()).isEqualTo(expected);
  }

  private static String condition(Random random, List<String> texts) {
    return switch (random.nextInt(5)) {
      case 0 -> texts.get(random.nextInt(texts.size()));
      case 1 -> "[x, y]";
      case 2 -> "{ not: [y, z] }";
      case 3 -> "{ exists: " + random.nextBoolean() + " }";
      default -> "{ exists: true, not: x }";
    };
  }

  /** By the words of the reference. */
  private static boolean meets(Condition condition, String value) {
    boolean in =
        condition.in().isEmpty() || condition.in().get().stream().anyMatch(n -> n.equals(value));
    boolean not = condition.not().stream().noneMatch(n -> n.equals(value));
    boolean there = condition.exists().isEmpty() || condition.exists().get().equals(value != null);
    return in && not && there;
  }

  private static SourceRecord record(byte[] value) {
    return SourceRecords.record(null, value, NOW);
  }
}
