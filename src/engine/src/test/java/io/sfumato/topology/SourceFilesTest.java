// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.Encoding;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.CloudEventSerializer;
import io.debezium.data.Envelope;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalEntry.Contribution;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of {@code topology/sources}, on bytes that the writers they name write themselves. */
class SourceFilesTest {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final Instant NOON = DAY.plus(Duration.ofHours(12));

  @TempDir Path state;

  private Fixture pipeline(String name) throws Exception {
    return pipeline(name, "payload.", "payload.");
  }

  private Fixture pipeline(String name, String part, String other) throws Exception {
    Path file = Path.of("topology", "sources", name + ".yaml");
    return new Fixture(Files.readString(file).replace(part, other), state);
  }

  /** How many records of a day count, and that all others are passed over in silence. */
  private static void assertCounted(
      Fixture pipeline, String name, String topic, int north, int south, int passedOver) {
    assertThat(pipeline.records(name + "-dead-letters")).isEmpty();
    assertThat(pipeline.counts.seen)
        .isEqualTo(Map.of("accepted", north + south, "unselected", passedOver));
    assertThat(pipeline.contributions())
        .extracting(Contribution::subject)
        .containsOnly("north", "south")
        .filteredOn("north"::equals)
        .hasSize(north);
    pipeline.tickTo(topic, DAY.plus(Duration.ofHours(26)));
    assertThat(pipeline.releases(name + "-counts", CountRelease.class))
        .extracting(CountRelease::getSubject)
        .containsExactlyInAnyOrder("north", "south");
  }

  private static final Schema ROW =
      SchemaBuilder.struct()
          .name("shop.public.orders.Value")
          .optional()
          .field("id", Schema.INT64_SCHEMA)
          .field("customer_id", Schema.INT64_SCHEMA)
          .field("region", Schema.STRING_SCHEMA)
          .field("product", Schema.OPTIONAL_STRING_SCHEMA)
          .field(
              "created_at",
              SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").version(1).build())
          .build();

  private static final Schema SOURCE =
      SchemaBuilder.struct().name("source").field("table", Schema.STRING_SCHEMA).build();

  private static final Envelope ENVELOPE =
      Envelope.defineSchema()
          .withName("shop.public.orders.Envelope")
          .withRecord(ROW)
          .withSource(SOURCE)
          .build();

  private static Struct row(long id, long customer, String region) {
    return new Struct(ROW)
        .put("id", id)
        .put("customer_id", customer)
        .put("region", region)
        .put("product", "tea")
        .put("created_at", NOON.toEpochMilli() * 1000);
  }

  /** What a table's life makes of its changes: an insert, an update, a delete and its tombstone. */
  private static List<Struct> changes() {
    Struct source = new Struct(SOURCE).put("table", "orders");
    List<Struct> changes = new ArrayList<>();
    changes.add(ENVELOPE.read(row(1, 7, "north"), source, NOON));
    changes.add(ENVELOPE.create(row(2, 8, "north"), source, NOON));
    changes.add(ENVELOPE.create(row(3, 9, "south"), source, NOON));
    changes.add(ENVELOPE.update(row(3, 9, "south"), row(3, 9, "north"), source, NOON));
    changes.add(ENVELOPE.delete(row(2, 8, "north"), source, NOON));
    changes.add(null);
    return changes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldCountInsertedRowsOfDebezium(boolean schemas) throws Exception {
    try (JsonConverter converter = new JsonConverter();
        Fixture pipeline = schemas ? pipeline("debezium") : pipeline("debezium", "payload.", "")) {
      converter.configure(Map.of("schemas.enable", schemas), false);
      for (Struct change : changes()) {
        byte[] value =
            change == null
                ? null
                : converter.fromConnectData("shop.public.orders", ENVELOPE.schema(), change);
        pipeline.sendTo("shop.public.orders", value, new RecordHeaders(), NOON);
      }
      assertCounted(pipeline, "debezium", "shop.public.orders", 2, 1, 3);
    }
  }

  private static CloudEvent event(String type, String customer, String region) {
    return CloudEventBuilder.v1()
        .withId(type + customer)
        .withType(type)
        .withSource(URI.create("/shop"))
        .withTime(NOON.atOffset(ZoneOffset.UTC))
        .withData(
            "application/json",
            "{\"customer\":\"%s\",\"region\":\"%s\",\"product\":\"tea\"}"
                .formatted(customer, region)
                .getBytes(StandardCharsets.UTF_8))
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudevents", "cloudevents-structured"})
  void shouldCountCloudEventsOfOneType(String file) throws Exception {
    Encoding mode = file.equals("cloudevents") ? Encoding.BINARY : Encoding.STRUCTURED;
    try (CloudEventSerializer serializer = new CloudEventSerializer();
        Fixture pipeline = pipeline(file)) {
      serializer.configure(
          mode == Encoding.BINARY
              ? Map.of(CloudEventSerializer.ENCODING_CONFIG, mode)
              : Map.of(
                  CloudEventSerializer.ENCODING_CONFIG,
                  mode,
                  CloudEventSerializer.EVENT_FORMAT_CONFIG,
                  JsonFormat.CONTENT_TYPE),
          false);
      for (CloudEvent event :
          List.of(
              event("com.example.purchase", "ann", "north"),
              event("com.example.login", "ann", "north"),
              event("com.example.purchase", "bob", "south"))) {
        Headers headers = new RecordHeaders();
        byte[] value = serializer.serialize("events", headers, event);
        pipeline.sendTo("events", value, headers, NOON);
      }
      assertCounted(pipeline, file, "events", 1, 1, 1);
    }
  }

  private static BsonDocument change(String operation, String id, String region) {
    BsonDocument change =
        new BsonDocument("_id", new BsonDocument("_data", new BsonString("826F")))
            .append("operationType", new BsonString(operation))
            .append(
                "ns",
                new BsonDocument("db", new BsonString("shop"))
                    .append("coll", new BsonString("orders")));
    return operation.equals("delete")
        ? change
        : change.append(
            "fullDocument",
            new BsonDocument("_id", new BsonObjectId(new ObjectId()))
                .append("customer", new BsonObjectId(new ObjectId(id)))
                .append("region", new BsonString(region))
                .append("product", new BsonString("tea"))
                .append("at", new BsonDateTime(NOON.toEpochMilli())));
  }

  @Test
  void shouldCountInsertedDocumentsOfMongo() throws Exception {
    JsonWriterSettings canonical =
        JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    try (Fixture pipeline = pipeline("mongodb")) {
      for (BsonDocument change :
          List.of(
              change("insert", "64f1a2b3c4d5e6f708192a3b", "north"),
              change("update", "64f1a2b3c4d5e6f708192a3b", "north"),
              change("delete", "64f1a2b3c4d5e6f708192a3b", "north"),
              change("insert", "64f1a2b3c4d5e6f708192a3c", "south"))) {
        byte[] value = change.toJson(canonical).getBytes(StandardCharsets.UTF_8);
        pipeline.sendTo("shop.orders", value, new RecordHeaders(), NOON);
      }
      assertCounted(pipeline, "mongodb", "shop.orders", 1, 1, 2);
    }
  }

  /**
   * Eight types of events, of which three are meant: the others have no field that the file names.
   */
  @Test
  void shouldPassOverEventsOfOtherTypes() throws Exception {
    List<String> others = List.of("login", "logout", "ping", "error", "consent");
    try (Fixture pipeline = pipeline("event-types")) {
      for (int i = 0; i < 20_000; i++) {
        String value =
            i % 8 < 3
                ? "{\"type\":\"%s\",\"customer\":%d,\"region\":\"%s\",\"at\":\"%s\"}"
                    .formatted(
                        List.of("viewed", "added", "bought").get(i % 8),
                        i,
                        i % 2 == 0 ? "north" : "south",
                        NOON)
                : "{\"type\":\"%s\",\"device\":{\"id\":%d},\"at\":{}}"
                    .formatted(others.get(i % 8 - 3), i);
        pipeline.sendTo(
            "shop-events", value.getBytes(StandardCharsets.UTF_8), new RecordHeaders(), NOON);
      }
      assertCounted(pipeline, "event-types", "shop-events", 5_000, 2_500, 12_500);
    }
  }
}
