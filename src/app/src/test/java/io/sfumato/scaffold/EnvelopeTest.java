// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code new} proposes for records that other programs have put into an envelope. */
class EnvelopeTest {
  /** Records with fields of these names and values. */
  private static SampleRecords records(String... namesAndValues) {
    Map<String, String> record = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      record.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return SampleRecords.of(IntStream.range(0, 20).mapToObj(i -> record).toList());
  }

  @Test
  void shouldLookIntoTheRowsOfDebezium() {
    for (String outer : List.of("", "payload.")) {
      SampleRecords sample =
          records(
              outer + "op", "c",
              outer + "ts_ms", "1767607200000",
              outer + "source.table", "orders",
              outer + "after.customer", "ann",
              outer + "after.region", "north",
              outer + "after.created_at", "2026-01-05T10:00:00Z",
              outer + "after.product", "tea");
      Guess guess = new Guess(sample);
      assertThat(guess.subject()).contains(outer + "after.customer");
      assertThat(guess.group(List.of())).contains(outer + "after.region");
      assertThat(guess.time()).contains(outer + "after.created_at");
      assertThat(guess.category(List.of(outer + "after.customer")))
          .contains(outer + "after.product");
      assertThat(TopicField.of("t", sample).inFile())
          .contains("%n  where: { %sop: [c, r] }".formatted(outer));
      assertThat(sample.envelope().orElseThrow())
          .startsWith("The records have the envelope of Debezium, so only fields within")
          .endsWith("the file selects '%sop: [c, r]'.".formatted(outer));
    }
  }

  @Test
  void shouldLookIntoDocumentsOfMongoAndDataOfCloudEvents() {
    SampleRecords mongo =
        records(
            "operationType", "insert",
            "ns.coll", "orders",
            "fullDocument.customer", "ann",
            "fullDocument.kind", "tea");
    assertThat(new Guess(mongo).category(List.of())).contains("fullDocument.kind");
    assertThat(TopicField.of("t", mongo).inFile()).contains("where: { operationType: insert }");
    SampleRecords events =
        records(
            "specversion", "1.0",
            "id", "7",
            "source", "/shop",
            "type", "bought",
            "time", "2026-01-05T10:00:00Z",
            "data.customer", "ann",
            "data.product", "tea");
    Guess guess = new Guess(events);
    assertThat(guess.time()).contains("time");
    assertThat(guess.subject()).contains("data.customer");
    assertThat(guess.category(List.of("data.customer"))).contains("data.product");
    assertThat(TopicField.of("t", events).inFile())
        .as("which types are meant only values tell")
        .contains("# id: id\1")
        .doesNotContain("where");
  }

  /** Only a field that is called so: it is proposed in a comment, and changes nothing. */
  @Test
  void shouldProposeTheIdOfEvents() {
    for (String id :
        List.of("event_id", "eventId", "MessageID", "meta.transaction_id", "idempotency_key")) {
      SampleRecords sample = records("who", "ann", id, "x", "kind", "tea");
      assertThat(TopicField.of("t", sample).inFile()).contains("%n  # id: ".formatted() + id);
    }
    for (String other : List.of("id", "customer_id", "event", "eventidea")) {
      SampleRecords sample = records("who", "ann", other, "x", "kind", "tea");
      assertThat(TopicField.of("t", sample).inFile()).as(other).doesNotContain("# id");
    }
  }

  @Test
  void shouldLeaveOtherRecordsAsTheyAre() {
    SampleRecords plain = records("op", "c", "ts_ms", "1", "after", "x", "kind", "tea");
    assertThat(plain.events()).isSameAs(plain);
    assertThat(plain.envelope()).isEmpty();
    assertThat(TopicField.of("t", plain).inFile()).doesNotContain("where");
  }
}
