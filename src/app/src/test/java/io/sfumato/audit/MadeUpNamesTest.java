// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.ofDatasets;
import static io.sfumato.audit.AuditedFiles.ofRecords;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.SchemaSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Made-up records say who is meant, in whatever form a file reads. */
class MadeUpNamesTest {
  private static final String COUNT =
      "count: { name: c, method: best, share: { epsilon: 1, delta: 1e-7 } }";

  private static final String WINDOW = "epsilon: 2, delta: 1e-6, period: window";

  private static String yaml(String input, String subjects) {
    return ofUsers(input + ", " + A_OR_B, "per-window: 2, subjects: 2", subjects, WINDOW, COUNT);
  }

  private static Pipeline pipeline(String input, String subjects) {
    return Audited.plan(yaml(input, subjects)).pipeline();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subject: ward, user: $key, key-format: int | [north, south]",
        "subject: ward, user: $key, key-format: long | [north, south]",
        "subject: ward, user: $key, key-format: uuid | [north, south]",
        "subject: ward, user: $key, key-format: json | [north, south]",
        "subject: ward, user: $key.a.b, key-format: json | [north, south]",
        "subject: ward, user: '$key.a[0].b', key-format: json | [north, south]",
        "subject: ward, user: $key./a/b, key-format: json-schema | [north, south]",
        "subject: $key, user: who, key-format: int | ['1001', '-5']",
        "subject: $key, user: who, key-format: long | ['1234567890123', '7']"
      })
  void shouldBeReadAsTheirNamesWhenTheyStandInKeys(String input, String subjects) throws Exception {
    Pipeline pipeline = pipeline(input, subjects);
    MadeUpNames names = new MadeUpNames(pipeline);
    LogWriter log = new LogWriter(pipeline, 1_800_000_000_000L);
    List<String> people = new ArrayList<>(ScenarioSetting.OTHERS);
    people.add(Scenes.TARGET);
    for (String who : people) {
      for (String subject : pipeline.listed()) {
        log.record(who, subject, 1_767_621_900_000L, 0);
      }
    }
    EventReader reader = EventReader.of(pipeline, SchemaSource.none());
    HashSet<String> users = new HashSet<>();
    for (AuditLog.Entry entry : log.log().entries()) {
      Event event =
          reader.read(record(entry.key(), entry.value(), entry.timestamp())).orElseThrow();
      AuditLog.Fact fact = entry.fact().orElseThrow();
      assertThat(event.user()).contains(fact.who());
      assertThat(event.subject()).isEqualTo(fact.subject()).isIn(pipeline.listed());
      assertThat(event.time()).isEqualTo(fact.time());
      users.add(fact.who());
    }
    assertThat(users).hasSameSizeAs(people).contains(names.doer(Scenes.TARGET));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "int | [north, south]",
        "int | ['007', '1']",
        "int | ['1', '3000000000']",
        "long | ['1', '99999999999999999999']"
      })
  void shouldBeRefusedWhenNoKeyHoldsAListedSubject(String format, String subjects) {
    Pipeline pipeline = pipeline("subject: $key, user: who, key-format: " + format, subjects);
    assertThatThrownBy(() -> new MadeUpNames(pipeline))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "no record key of input.key-format " + format + " can name the listed subject '");
  }

  /** A time is cut to what its format holds, and so is the window that it counts in. */
  @Test
  void shouldBeOfTheWindowThatIsReadWhenAFormatHasNoSeconds() throws Exception {
    Pipeline pipeline =
        pipeline(
            "subject: ward, user: who, time-format: 'dd.MM.yyyy HH:mm', zone: UTC",
            "[north, south]");
    LogWriter log = new LogWriter(pipeline, 1_800_000_000_000L);
    log.record("ann", "north", 1_767_621_959_999L, 0);
    AuditLog.Entry entry = log.log().entries().get(0);
    assertThat(entry.fact().orElseThrow().time()).isEqualTo(1_767_621_900_000L);
    assertThat(
            EventReader.of(pipeline, SchemaSource.none())
                .read(record(entry.key(), entry.value(), entry.timestamp()))
                .orElseThrow()
                .time())
        .isEqualTo(entry.fact().orElseThrow().time());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "subject: ward, user: $key, key-format: int",
        "subject: ward, user: $key, key-format: uuid",
        "subject: ward, user: who, time-format: 'dd.MM.yyyy HH:mm', zone: UTC"
      })
  void shouldBreakNoPromiseWhenTheFileKeepsIt(String input) {
    ReplayAudit.Findings found =
        Audited.of(yaml(input, "[north, south]"), new ReplayAudit(4, 3, 1, 3));
    assertThat(found.violations()).isEmpty();
    assertThat(found.neighbours()).isPositive();
    assertThat(found.draws()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "subject: $key, key-format: long",
        "subject: $key, key-format: uuid",
        "subject: '$key.a[0].b', key-format: json",
        "subject: who, time-format: 'dd.MM.yyyy HH:mm', zone: Europe/Berlin"
      })
  void shouldBreakNoPromiseWhenSubjectsAreUsers(String input) {
    String counted = input + ", " + A_OR_B;
    for (String yaml :
        List.of(
            ofRecords(
                counted, WINDOW, "histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }"),
            ofDatasets(
                counted,
                "epsilon: 0.5, period: window",
                "mollifier: { name: taste, share: { epsilon: 0.5 } }"))) {
      ReplayAudit.Findings found = Audited.of(yaml, new ReplayAudit(4, 3, 1, 3));
      assertThat(found.violations()).as(yaml).isEmpty();
      assertThat(found.neighbours()).as(yaml).isPositive();
      assertThat(found.draws()).as(yaml).isPositive();
    }
  }
}
