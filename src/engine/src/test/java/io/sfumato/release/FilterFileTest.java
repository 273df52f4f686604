// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.RecordFilter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code input.where} and other parts of a record in a pipeline file. */
class FilterFileTest {
  private static final String USERS =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, category: what, categories: [a, b], where: { type: click } }
      contributions: { per-window: 4 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, share: { epsilon: 0.5, delta: 1e-7 } }
      """;

  private static final String RECORDS =
      """
      pipeline: p
      input: { topic: t, subject: shop, time: at, category: order.what, categories: [a, b], where: { type: click } }
      window: { size: 1d }
      budget: { name: p, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 0.5, delta: 1e-7 } }
      """;

  private static RecordFilter filter(String where) throws Exception {
    return plan(USERS.replace("{ type: click }", where)).pipeline().input().where();
  }

  @Test
  void shouldReadEveryFormOfACondition() throws Exception {
    assertThat(
            filter(
                    "{ op: [r, c], n: 7, \"after.status\": { not: [test, 'x y'] }, user: { exists: true }, old: { exists: false }, ok: true, $topic: t, $header.kind: { in: a, not: b } }")
                .words())
        .isEqualTo(
            "op is 'c' or 'r', and n is '7', and after.status is not 'test' or 'x y', and user exists, and old is missing, and ok is 'true', and $topic is 't', and $header.kind is 'a' and is not 'b'");
    assertThat(filter("{ op: c, $topic: t }").onFields()).hasSize(1);
    assertThat(filter("{ op: c, $topic: t }").onSurroundings()).hasSize(1);
  }

  /** It bears on what is released; other files keep the digest and the layout that they had. */
  @Test
  void shouldBePartOfTheDigestAndTheLayout() throws Exception {
    Plan without = plan(USERS.replace(", where: { type: click }", ""));
    assertThat(plan(USERS).digestText())
        .isNotEqualTo(without.digestText())
        .isNotEqualTo(plan(USERS.replace("click", "clicks")).digestText())
        .isEqualTo(plan(USERS.replace("type: click", "type: [click]")).digestText());
    assertThat(plan(USERS).layout()).containsKey("input.where");
    assertThat(without.layout()).doesNotContainKey("input.where");
    assertThat(CanonicalText.of(without.pipeline().input()))
        .endsWith("values=[], maxBytes=1000000]");
    assertThat(filter("{ a: [b, c] }").canonical())
        .as("names may hold what stands between names")
        .isNotEqualTo(filter("{ a: 'b, 1:c' }").canonical());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 'input.where': found 0 conditions",
        "{ type: [] } | 'input.where.type': found a list of 0, allowed is a list of 1 to 1,000 values",
        "{ type: {} } | 'input.where.type': found none of 'in', 'not', 'exists', allowed is one of them, or a value",
        "{ type: 1.5 } | 'input.where.type': found '1.5', allowed is text, whole numbers, true or false",
        "{ type: { is: a } } | 'input.where.type.is': unknown, allowed are in, not, exists",
        "{ type: { exists: 1 } } | 'input.where.type.exists': found '1', allowed is one of",
        "{ type: { exists: false, not: a } } | 'input.where.type.exists': found 'false' beside 'in' or 'not'",
        "{ $timestamp: a } | 'input.where': found '$timestamp', allowed is the name of a field",
        "{ $.type: a } | 'input.where': found '$.type', allowed is the path from the record on: 'type'",
        "{ 'tags[]': a } | 'input.where': found 'tags[]'",
        "{ $key.x: a } | 'input.where': found '$key.x' with 'input.key-format: text'",
        "{ type: '' } | 'input.where.type': found an empty name",
      })
  void shouldSayWhatIsWrong(String where, String expected) {
    assertThatThrownBy(() -> filter(where)).hasMessageContaining(expected);
  }

  /** Somebody who replaces what is protected must not decide whether the record counts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: click | order.what: a",
        "type: click | order: { exists: true }",
        "type: click | /order/what: a",
        "type: click | order.what.more: { exists: false }",
      })
  void shouldRefuseProtectedFieldsWhereARecordIsProtected(String part, String other) {
    assertThatThrownBy(() -> plan(RECORDS.replace(part, other)))
        .hasMessageContaining("found with unit 'record', which protects 'order.what'");
  }

  @Test
  void shouldTakePublicPartsWhereARecordIsProtected() throws Exception {
    for (String where : List.of("type: click", "$topic: t", "$header.kind: a", "order.id: 7")) {
      assertThat(plan(RECORDS.replace("type: click", where)).releases()).hasSize(1);
    }
    assertThatThrownBy(() -> plan(RECORDS.replace("category: order.what", "category: $topic")))
        .hasMessageContaining("'input.category': found '$topic' with unit 'record'");
    assertThat(plan(USERS.replace("category: what", "category: $topic")).releases()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subject: shop | subject: $timestamp | 'input.subject': found '$timestamp'",
        "user: who | user: $topic | 'input.user': found '$topic'",
        "time: at | time: $topic | 'input.time': found '$topic'",
        "time: at | time: $key | 'input.time': found '$key'",
        "category: what | category: $key | 'input.category': found '$key'",
        "subject: shop | subject: { constant: '' } | 'input.subject.constant': found",
        "subject: shop | subject: { constant: all, more: 1 } | 'input.subject.more': unknown",
        "subject: shop | subject: { constant: all } | 'subjects': found beside 'input.subject: {constant: all}'",
      })
  void shouldRefusePartsWhereTheyCannotBe(String part, String other, String expected) {
    assertThatThrownBy(() -> plan(USERS.replace(part, other))).hasMessageContaining(expected);
  }

  @Test
  void shouldSayInThePlanWhatIsRead() throws Exception {
    assertThat(
            PlanReport.text(
                plan(
                    USERS
                        .replace("subject: shop", "subject: $topic")
                        .replace("time: at", "time: $header.at"))))
        .contains("subject: the record's topic", "time: the header 'at'", "where: type is 'click'");
  }

  @Test
  void shouldListAConstantSubjectByItself() throws Exception {
    Pipeline pipeline =
        plan(USERS
                .replace("subject: shop", "subject: { constant: all }")
                .replace("subjects: [north, south]\n", ""))
            .pipeline();
    assertThat(pipeline.listed()).containsExactly("all");
    assertThat(pipeline.input().constantSubject()).contains("all");
    assertThat(
            plan(RECORDS.replace("subject: shop", "subject: { constant: all }"))
                .pipeline()
                .subjects())
        .isEqualTo(Pipeline.Subjects.OBSERVED);
  }

  private static List<String> warnings(String yaml) throws Exception {
    return PlanReport.warnings(plan(yaml));
  }

  @Test
  void shouldWarnOfCategoriesThatNoSelectedRecordHas() throws Exception {
    assertThat(warnings(USERS)).isEmpty();
    String excluding = USERS.replace("{ type: click }", "{ what: { not: b } }");
    String warning =
        "field 'input.where': it excludes 'b', which 'input.categories' lists, so their counts are"
            + " noise alone. Leave them out of 'categories', or change 'where'";
    assertThat(warnings(excluding)).containsExactly(warning);
    assertThat(PlanReport.text(plan(excluding))).contains("warning    " + warning);
    assertThat(warnings(excluding.replace("categories: [a, b]", "categories: [a, c], other: b")))
        .as("others are still counted as one")
        .isEmpty();
    assertThat(warnings(USERS.replace("{ type: click }", "{ what: [a, b, x] }"))).isEmpty();
  }

  @Test
  void shouldWarnOfConditionsThatContradictEachOther() throws Exception {
    assertThat(warnings(USERS.replace("{ type: click }", "{ type: { in: [x], not: [x] } }")))
        .singleElement()
        .asString()
        .startsWith("field 'input.where': 'where' selects no record")
        .contains("conditions on 'type'");
    for (String fine : List.of("{ in: [x, y], not: x }", "{ exists: false }", "{ not: [x] }")) {
      assertThat(warnings(USERS.replace("{ type: click }", "{ type: " + fine + " }")))
          .as(fine)
          .isEmpty();
    }
  }

  @Test
  void shouldWarnOfTheFiltersOfSingleOutputs() throws Exception {
    String own = USERS + "  - count: { name: own, %s, share: { epsilon: 0.5, delta: 1e-7 } }\n";
    assertThat(warnings(own.formatted("where: { kind: { in: x, not: x } }, by: total")))
        .singleElement()
        .asString()
        .startsWith("release 'own': 'where' selects no record");
    assertThat(warnings(own.formatted("where: { what: a }")))
        .containsExactly(
            "release 'own': 'where' excludes 'b' of its categories, so their counts are noise alone."
                + " Count 'by: total', or give it a 'category' of its own");
    assertThat(warnings(own.formatted("where: { what: a }, by: total"))).isEmpty();
    assertThat(warnings(own.formatted("where: { what: a }, category: land, categories: [x, y]")))
        .isEmpty();
    assertThat(warnings(own.formatted("where: { land: x }, category: land, categories: [x, y, z]")))
        .singleElement()
        .asString()
        .contains("excludes 'y', 'z'");
  }
}
