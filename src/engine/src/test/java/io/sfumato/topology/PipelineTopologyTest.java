// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.YAML;
import static io.sfumato.topology.Fixture.json;
import static io.sfumato.topology.Fixture.windows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.RefusalCode;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTopologyTest {
  private static final String TICKS =
      YAML.replace("clock: records", "clock: ticks, begin: 2026-06-01");
  private static final String ROSTER = YAML + "subjects: roster\n";

  @TempDir Path state;

  @Test
  void shouldReleaseAWindowWhenTheClockPassesItsEndAndGrace() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("bob", 1, "a");
      pipeline.event("ann", 2, "b");
      pipeline.event("ann", 11, "a");
      assertThat(pipeline.releases()).as("grace is not over").isEmpty();
      pipeline.event("ann", 12, "a");
      List<DirichletRelease> releases = pipeline.releases();
      assertThat(windows(releases)).containsExactly("ann@0", "bob@0");
      DirichletRelease release = releases.get(0);
      assertThat(release.getRecords()).isEqualTo(1);
      assertThat(release.getCategories()).containsExactly("a", "b", "c");
      assertThat(release.getProbabilities().stream().mapToDouble(p -> p).sum()).isEqualTo(1);
      assertThat(release.getGuarantee().getUnit()).isEqualTo("record");
      assertThat(release.getGuarantee().getEpsilon()).isEqualTo(2);
      assertThat(release.getGuarantee().getMechanism()).startsWith("dirichlet replace-one r=");
    }
  }

  @Test
  void shouldPublishEveryMethodAndCounts() {
    String releases =
        """
        releases:
          - histogram: { name: mix, method: gaussian, share: { epsilon: 0.5, delta: 2e-7 }, windows: 2 }
          - histogram: { name: lap, method: laplace, share: { epsilon: 0.5, delta: 2e-7 }, windows: 2 }
          - histogram: { name: top, method: best, share: { epsilon: 0.5, delta: 2e-7 }, windows: 2 }
          - histogram: { name: items, output: counts, items: 7, share: { epsilon: 0.5, delta: 2e-7 }, windows: 2 }
        """;
    String yaml = YAML.substring(0, YAML.indexOf("releases:")) + releases;
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.event("ann", 1, "a");
      pipeline.event("ann", 12, "a");
      for (String topic : List.of("mix", "lap", "top")) {
        DirichletRelease release = pipeline.releases(topic).get(0);
        assertThat(release.getProbabilities().stream().mapToDouble(p -> p).sum()).isEqualTo(1);
        assertThat(release.getCounts()).isEmpty();
        assertThat(release.getGuarantee().getAdmission()).startsWith("at most 2 releases");
      }
      DirichletRelease items = pipeline.releases("items").get(0);
      assertThat(items.getProbabilities()).isEmpty();
      assertThat(items.getCounts().stream().mapToLong(n -> n).sum()).isEqualTo(7);
    }
  }

  @Test
  void shouldDropLateRecordsWithoutDeadLetterAndAcceptThoseWithinGrace() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("ann", 11, "a");
      pipeline.event("ann", 3, "b");
      pipeline.event("ann", 12, "a");
      pipeline.event("ann", 4, "c");
      assertThat(pipeline.releases().get(0).getRecords()).isEqualTo(1);
      assertThat(pipeline.counts.seen).containsEntry("LATE", 1);
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  @Test
  void shouldCloseEachWindowInOrderWhenTheClockJumpsFar() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("zoe", 1, "a");
      pipeline.event("ann", 11, "a");
      pipeline.event("bob", 25, "a");
      pipeline.event("ann", 86_000, "a");
      assertThat(windows(pipeline.releases())).containsExactly("zoe@0", "ann@10", "bob@20");
    }
  }

  @Test
  void shouldCloseInSlicesWhenAWindowHasManySubjects() {
    int subjects = 2_500;
    try (Fixture pipeline = new Fixture(YAML, state)) {
      for (int i = 0; i < subjects; i++) {
        pipeline.event("s%05d".formatted(i), 1, "a");
      }
      pipeline.event("last", 12, "a");
      int soFar = pipeline.recordsSoFar("mix").size();
      assertThat(soFar).as("one entry closes at most a slice").isLessThanOrEqualTo(2000);
      assertThat(windows(pipeline.releases()))
          .containsExactlyElementsOf(
              IntStream.range(soFar, subjects).mapToObj("s%05d@0"::formatted).toList());
    }
  }

  @Test
  void shouldRefuseOnceWhenALifetimeIsSpentAndThenBeSilent() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      for (int window = 0; window < 6; window++) {
        pipeline.event("ann", window * 10L, "a");
      }
      pipeline.tick(70);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "ann@10");
      assertThat(pipeline.refusals())
          .singleElement()
          .satisfies(
              refusal -> {
                assertThat(refusal.getCode()).isEqualTo(RefusalCode.EXHAUSTED);
                assertThat(refusal.getWindowStart().toEpochMilli()).isEqualTo(NOW + 20_000);
              });
      assertThat(pipeline.counts.seen).containsEntry("silent", 3);
    }
  }

  @Test
  void shouldStartAnewLedgerWithEachPeriod() {
    String yaml =
        YAML.replace("period: lifetime", "period: 30s").replace("windows: 2", "windows: 2");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (int window = 0; window < 6; window++) {
        pipeline.event("ann", window * 10L, "a");
      }
      pipeline.tick(70);
      assertThat(windows(pipeline.releases()))
          .containsExactly("ann@0", "ann@10", "ann@30", "ann@40");
      assertThat(pipeline.refusals())
          .extracting(r -> r.getCode() + "@" + (r.getWindowStart().toEpochMilli() - NOW) / 1000)
          .containsExactly("PERIOD_SPENT@20", "PERIOD_SPENT@50");
    }
  }

  @Test
  void shouldNeverRefuseWhenEachWindowHasItsOwnLedger() {
    String yaml = YAML.replace("period: lifetime", "period: window").replace(", windows: 2", "");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (int window = 0; window < 6; window++) {
        pipeline.event("ann", window * 10L, "a");
      }
      pipeline.tick(70);
      assertThat(pipeline.releases()).hasSize(6);
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  @Test
  void shouldDeadLetterEveryKindOfBadRecordAndGoOn() {
    String yaml = YAML.replace("subject: who", "max-bytes: 200, subject: who");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      byte[][] bad = {
        null,
        new byte[0],
        "{\"who\":\"ann\"".getBytes(StandardCharsets.UTF_8),
        "[1]".getBytes(StandardCharsets.UTF_8),
        new byte[] {(byte) 0xFF, (byte) 0xFE, 1},
        new byte[300],
        "{\"at\":0,\"what\":\"a\"}".getBytes(StandardCharsets.UTF_8),
        "{\"who\":\"ann\",\"what\":\"a\"}".getBytes(StandardCharsets.UTF_8),
        "{\"who\":\"ann\",\"at\":\"yesterday\",\"what\":\"a\"}".getBytes(StandardCharsets.UTF_8),
        "{\"who\":\"ann\",\"at\":\"2026-06-01T00:00:00\",\"what\":\"a\"}"
            .getBytes(StandardCharsets.UTF_8),
        "{\"who\":\"ann\",\"at\":\"1899-12-31T23:59:59Z\",\"what\":\"a\"}"
            .getBytes(StandardCharsets.UTF_8),
        json("ann", 86_401, "a"),
        "{\"who\":\"ann\",\"at\":99999999999999999999999,\"what\":\"a\"}"
            .getBytes(StandardCharsets.UTF_8),
        "{\"who\":\"ann\",\"at\":%d}".formatted(NOW).getBytes(StandardCharsets.UTF_8),
        json("ann", 0, "z"),
      };
      for (byte[] value : bad) {
        pipeline.send(null, value);
      }
      assertThat(pipeline.deadLetters())
          .containsExactly(
              "1:MALFORMED",
              "2:MALFORMED",
              "3:MALFORMED",
              "4:MALFORMED",
              "5:TOO_LARGE",
              "6:NO_SUBJECT",
              "7:NO_TIME",
              "8:TIME_UNREADABLE",
              "9:TIME_UNREADABLE",
              "10:TIME_OUT_OF_RANGE",
              "11:TIME_OUT_OF_RANGE",
              "12:TIME_IMPLAUSIBLE",
              "13:NO_CATEGORY",
              "14:UNKNOWN_CATEGORY");
      pipeline.event("ann", 0, "a");
      pipeline.event("ann", 12, "a");
      assertThat(pipeline.releases()).as("processing goes on").hasSize(1);
    }
  }

  @Test
  void shouldTakeTheSubjectFromTheKeyAndUnknownCategoriesAsOtherWhenAsked() {
    String yaml = YAML.replace("subject: who", "other: rest, subject: $key");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.send(null, json("x", 0, "a"));
      pipeline.send(new byte[] {(byte) 0xC3}, json("x", 0, "a"));
      pipeline.send("ann".getBytes(StandardCharsets.UTF_8), json("x", 0, "z"));
      pipeline.tick(12);
      assertThat(pipeline.deadLetters()).containsExactly("0:NULL_KEY", "1:NO_SUBJECT");
      assertThat(pipeline.releases())
          .singleElement()
          .satisfies(
              release -> {
                assertThat(release.getSubject()).isEqualTo("ann");
                assertThat(release.getCategories()).containsExactly("a", "b", "c", "rest");
              });
    }
  }

  /** A canary in key and value: found in no output topic and no dead letter. */
  @Test
  void shouldLeakNothingOfARefusedRecord() {
    String canary = "canary-7f3a";
    byte[] key = canary.getBytes(StandardCharsets.UTF_8);
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.send(key, canary.getBytes(StandardCharsets.UTF_8));
      pipeline.send(key, ("{\"who\":\"" + canary + "\"}").getBytes(StandardCharsets.UTF_8));
      pipeline.send(key, json("ann", 0, canary));
      pipeline.send(
          key,
          ("{\"who\":\"ann\",\"secret\":\"%s\",\"at\":%d,\"what\":\"a\"}".formatted(canary, NOW))
              .getBytes(StandardCharsets.UTF_8));
      pipeline.tick(12);
      int looked = 0;
      for (String topic : List.of("mix", "test-refusals", "test-dead-letters")) {
        for (var record : pipeline.records(topic)) {
          looked++;
          assertThat(new String(record.value(), StandardCharsets.ISO_8859_1))
              .doesNotContain(canary);
          assertThat(new String(record.key(), StandardCharsets.ISO_8859_1)).doesNotContain(canary);
          assertThat(Arrays.toString(record.headers().toArray())).doesNotContain(canary);
        }
      }
      assertThat(looked).isEqualTo(4);
    }
  }

  @Test
  void shouldCloseByTicksAloneWhenTheClockIsTicks() {
    try (Fixture pipeline = new Fixture(TICKS, state)) {
      pipeline.event("ann", 1, "a");
      pipeline.event("ann", 40, "a");
      assertThat(pipeline.releases()).as("records do not move this clock").isEmpty();
      pipeline.tick(12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      pipeline.event("ann", 5, "a");
      pipeline.event("ann", 86_400 - 1, "a");
      pipeline.event("ann", 50, "a");
      assertThat(pipeline.counts.seen).containsEntry("LATE", 1).doesNotContainKey("EARLY");
    }
  }

  @Test
  void shouldDropRecordsFarBeyondTheLastTick() {
    String yaml = TICKS.replace("clock: ticks", "clock: ticks, ahead: 1m");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.tick(0);
      pipeline.event("ann", 61, "a");
      pipeline.event("ann", 60, "a");
      assertThat(pipeline.counts.seen).containsEntry("EARLY", 1).containsEntry("accepted", 1);
    }
  }

  @Test
  void shouldJudgeRecordsByTheBeginningBeforeAnyTick() {
    String yaml = TICKS.replace("clock: ticks", "clock: ticks, ahead: 1m");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.event("ann", -1, "a");
      pipeline.event("ann", 61, "a");
      pipeline.event("ann", 1, "a");
      assertThat(pipeline.counts.seen)
          .containsEntry("LATE", 1)
          .containsEntry("EARLY", 1)
          .containsEntry("accepted", 1);
      pipeline.tick(-30);
      pipeline.event("ann", 60, "a");
      assertThat(pipeline.counts.seen)
          .as("a tick before the beginning changes nothing")
          .containsEntry("EARLY", 1)
          .containsEntry("accepted", 2);
      pipeline.tick(75);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "ann@60");
    }
  }

  @Test
  void shouldNotBeginUnderTicksWhereNobodySaidWhereWindowsBegin() {
    String yaml = YAML.replace("clock: records", "clock: ticks");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      assertThatThrownBy(() -> pipeline.event("ann", 1, "a"))
          .isInstanceOf(StreamsException.class)
          .rootCause()
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("window.begin is missing");
    }
  }

  /** Whoever is enrolled before a window closes is released with all records of it. */
  @Test
  void shouldAskWhoIsEnrolledWhenAWindowClosesNotWhenRecordsCome() {
    String yaml = ROSTER.replace("clock: records", "clock: ticks, begin: 2026-06-01");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.event("ann", 1, "a");
      pipeline.event("eve", 2, "a");
      pipeline.event("ann", 3, "b");
      pipeline.command(ControlCommand.ENROL, "ann");
      pipeline.event("ann", 4, "c");
      pipeline.tick(12);
      assertThat(pipeline.releases())
          .singleElement()
          .satisfies(release -> assertThat(release.getSubject()).isEqualTo("ann"))
          .satisfies(release -> assertThat(release.getRecords()).isEqualTo(3));
      assertThat(pipeline.counts.seen).containsEntry("notEnrolled", 1);
      try (var kept = pipeline.driver.getKeyValueStore(Names.DATASET_STORE).all()) {
        assertThat(kept).as("nothing is kept of those who are not enrolled").isExhausted();
      }
    }
  }

  @Test
  void shouldReleaseEveryEnrolledSubjectRecordsOrNone() {
    try (Fixture pipeline = new Fixture(ROSTER.replace("windows: 2", "windows: 9"), state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.command(ControlCommand.ENROL, "bob", 0);
      pipeline.event("ann", 1, "a");
      pipeline.event("eve", 1, "a");
      pipeline.tick(12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "bob@0");
      assertThat(pipeline.counts.seen).containsEntry("notEnrolled", 1);
      pipeline.command(ControlCommand.LEAVE, "ann", 15);
      pipeline.command(ControlCommand.ENROL, "eve", 5);
      pipeline.tick(45);
      assertThat(windows(pipeline.releases()))
          .as("ann leaves with the window after second 15, eve joins with the first open one")
          .containsExactly("ann@10", "bob@10", "eve@10", "bob@20", "eve@20", "bob@30", "eve@30");
    }
  }

  @Test
  void shouldStopWhenARosterJumpsOverMoreWindowsThanAllowed() {
    String yaml = ROSTER.replace("clock: records", "clock: records, max-jump: 5");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.tick(0);
      assertThatThrownBy(() -> pipeline.tick(100))
          .isInstanceOf(StreamsException.class)
          .rootCause()
          .hasMessageContaining("--accept-jump");
    }
    try (Fixture pipeline =
        new Fixture(yaml, state.resolve("accepted"), Deployment.JumpPolicy.CLOSE_ALL)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.tick(0);
      pipeline.tick(100);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "ann@10");
      assertThat(pipeline.refusals()).hasSize(1);
    }
  }

  @Test
  void shouldGiveTheSameBytesForTheSameLogAndKey() {
    List<byte[]> first = bytes(state.resolve("first"));
    List<byte[]> second = bytes(state.resolve("second"));
    assertThat(first).isNotEmpty().usingElementComparator(Arrays::compare).isEqualTo(second);
  }

  private static List<byte[]> bytes(Path state) {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      for (int i = 0; i < 100; i++) {
        pipeline.event("s" + i % 7, i, i % 3 == 0 ? "a" : "b");
      }
      return pipeline.records("mix").stream().map(r -> r.value()).toList();
    }
  }

  @Test
  void shouldReadUserRecordsInAvro() {
    String yaml =
        YAML.replace(
            "subject: who, time: at, category: what",
            "format: avro, subject: subject, time: at, category: category");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (String category : List.of("a", "c", "z")) {
        pipeline.send(
            null,
            Outputs.encode(
                UserRecord.newBuilder()
                    .setSubject("ann")
                    .setAt(Instant.ofEpochMilli(NOW))
                    .setCategory(category)
                    .setValues(null)
                    .build()));
      }
      pipeline.send(null, json("ann", 0, "a"));
      pipeline.tick(12);
      assertThat(pipeline.releases().get(0).getRecords()).isEqualTo(2);
      assertThat(pipeline.deadLetters()).containsExactly("2:UNKNOWN_CATEGORY", "3:MALFORMED");
    }
  }

  @Test
  void shouldIgnoreForeignControlEntriesWithADeadLetter() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.control("enrol everyone".getBytes(StandardCharsets.UTF_8));
      assertThat(pipeline.deadLetters()).containsExactly("0:BAD_CONTROL");
    }
  }
}
