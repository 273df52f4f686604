// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.release.Plans;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Under unit {@code record} no protected field decides whether, when or for whom a record counts.
 */
class PublicPartsTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: a.b, categories: [x, y], where: { kind: x } }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "where: { kind: x } | where: { a.b: x } | input.where.a.b",
        "where: { kind: x } | where: { /a.b: x } | input.where./a.b",
        "where: { kind: x } | where: { /a/b: x } | input.where./a/b",
        "where: { kind: x } | where: { a: { exists: true } } | input.where.a",
        "where: { kind: x } | where: { a.b.c: x } | input.where.a.b.c",
        "where: { kind: x } | id: /a.b | 'input.id': found '/a.b'",
        "where: { kind: x } | id: a | 'input.id': found 'a'",
        "subject: who | subject: a.b | 'input.subject': found 'a.b'",
        "subject: who | subject: /a.b | 'input.subject': found '/a.b'",
        "time: at | time: a.b | 'input.time': found 'a.b'",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThatThrownBy(() -> Plans.plan(YAML.replace(part, other)))
        .hasMessageContaining(expected)
        .hasMessageContaining("with unit 'record', which protects 'a.b'");
    assertThatCode(() -> Plans.plan(YAML)).doesNotThrowAnyException();
  }

  private static final List<String> NAMES =
      List.of(
          "a", "a.b", "/a.b", "/a/b", "a[0]", "/a[0]", "/a/0", "a.0", "/k", "/~1k", "k", "a.b.c",
          "/a/b/c", "/a.b/c", "/a/b.c", "b", "a.c", "a~1b", "/a~1b", "a/b");

  private static final List<String> RECORDS =
      List.of(
          "{'a':'x'}",
          "{'a.b':'x'}",
          "{'a':{'b':'x'}}",
          "{'/a.b':'x'}",
          "{'/a/b':'x'}",
          "{'a[0]':'x'}",
          "{'a':['x']}",
          "{'a':{'0':'x'}}",
          "{'a.0':'x'}",
          "{'/k':'x'}",
          "{'k':'x'}",
          "{'/~1k':'x'}",
          "{'a.b.c':'x'}",
          "{'a':{'b':{'c':'x'}}}",
          "{'a.b':{'c':'x'}}",
          "{'a':{'b.c':'x'}}",
          "{'a/b':'x'}",
          "{'a~1b':'x'}");

  private static boolean reads(String name, String json) {
    InputSpec spec =
        new InputSpec(
            "in",
            InputSpec.Format.JSON,
            name,
            "$timestamp",
            Optional.empty(),
            List.of(),
            Optional.empty(),
            List.of(),
            1_000);
    byte[] value = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try {
      return new EventReader(spec).read(record(null, value, 1_767_225_600_000L)).isPresent();
    } catch (RejectedRecordException e) {
      return false;
    }
  }

  /** A record with one value: two names that both read it must be known to overlap. */
  @Test
  void shouldKnowEveryTwoNamesThatReadOneValue() {
    int both = 0;
    for (String json : RECORDS) {
      for (String one : NAMES) {
        for (String other : NAMES) {
          if (reads(one, json) && reads(other, json)) {
            assertThat(FieldPath.overlap(one, other)).as("%s: %s, %s", json, one, other).isTrue();
            both += one.equals(other) ? 0 : 1;
          }
        }
      }
    }
    assertThat(both).isGreaterThan(20);
    assertThat(FieldPath.overlap("a.b", "a.c")).isFalse();
    assertThat(FieldPath.overlap("a.b", "b")).isFalse();
    assertThat(FieldPath.overlap("tags[]", "tags[3]")).isTrue();
  }

  private static Schema schema(String alias) {
    return SchemaBuilder.record("Event")
        .fields()
        .requiredString("who")
        .requiredLong("at")
        .name("kind")
        .aliases(alias)
        .type()
        .stringType()
        .noDefault()
        .endRecord();
  }

  /** By an alias, the condition's field and the category are one, whatever the record holds. */
  @Test
  void shouldRefuseASchemaWhoseAliasMakesTwoNamesOne() throws Exception {
    InputSpec spec =
        Plans.plan(YAML.replace("category: a.b", "format: avro, category: type"))
            .pipeline()
            .input();
    assertThatThrownBy(() -> AvroReading.of(schema("type"), spec, Optional.empty()))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> {
              assertThat(e.code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH);
              assertThat(e.hint().orElseThrow()).contains("'kind' and 'type' are one field");
            });
    InputSpec apart =
        Plans.plan(
                YAML.replace("category: a.b", "format: avro, category: kind")
                    .replace("where: { kind: x }", "where: { who: x }"))
            .pipeline()
            .input();
    assertThat(AvroReading.of(schema("type"), apart, Optional.empty())).isNotNull();
  }
}
