// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.UserRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One huge field of a record: refused by a code before anything of it reaches a journal. */
class HugeFieldsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final String HUGE = "x".repeat(2_000_000);

  private static EventReader reader(InputSpec.Format format) {
    return new EventReader(
        new InputSpec(
            "in",
            format,
            "subject",
            format == InputSpec.Format.AVRO ? "at" : "time",
            Optional.of("category"),
            List.of("a", "b"),
            Optional.of("b"),
            format == InputSpec.Format.AVRO ? List.of("values.0", "values.1") : List.of("x", "y"),
            100_000_000),
        Optional.of(InputSpec.RECORD_KEY),
        SchemaSource.none(),
        WindowSpec.MAX_AHEAD);
  }

  @ParameterizedTest
  @CsvSource({
    "subject, NO_SUBJECT",
    "time, TIME_UNREADABLE",
    "x, BAD_VALUE",
    "y, BAD_VALUE",
    "key, NO_USER"
  })
  void shouldRefuseAHugeFieldOfJson(String field, RejectionCode code) {
    String record =
        "{\"subject\":\"%s\",\"time\":\"%s\",\"category\":\"a\",\"x\":\"%s\",\"y\":\"%s\"}"
            .formatted(
                field.equals("subject") ? HUGE : "ann",
                field.equals("time") ? HUGE : NOW.toString(),
                field.equals("x") ? HUGE : "1",
                field.equals("y") ? "1".repeat(2_000_000) : "1");
    byte[] key = (field.equals("key") ? HUGE : "bob").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () ->
                reader(InputSpec.Format.JSON)
                    .read(record(key, record.getBytes(StandardCharsets.UTF_8), NOW.toEpochMilli()))
                    .orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** It is no name, hence none of the unknown ones that count as another. */
  @Test
  void shouldRefuseAHugeCategory() {
    String record =
        "{\"subject\":\"ann\",\"time\":\"%s\",\"category\":\"%s\",\"x\":1,\"y\":2}"
            .formatted(NOW, HUGE);
    assertThatThrownBy(
            () ->
                reader(InputSpec.Format.JSON)
                    .read(
                        record(
                            "bob".getBytes(StandardCharsets.UTF_8),
                            record.getBytes(StandardCharsets.UTF_8),
                            NOW.toEpochMilli())))
        .hasMessage("NO_CATEGORY");
  }

  /** Of an array that is too short, numbers are missing; of one that is too long, two are kept. */
  @ParameterizedTest
  @CsvSource({"0, NaN, NaN", "1, 1, NaN", "2, 1, 1", "200000, 1, 1"})
  void shouldKeepOnlyTheNamedNumbersOfAnArray(int length, double first, double second)
      throws Exception {
    byte[] record =
        Outputs.encode(
            UserRecord.newBuilder()
                .setSubject("ann")
                .setAt(NOW)
                .setCategory("a")
                .setValues(Collections.nCopies(length, 1.0))
                .build());
    byte[] key = "bob".getBytes(StandardCharsets.UTF_8);
    EventReader reader = reader(InputSpec.Format.AVRO);
    assertThat(reader.read(record(key, record, NOW.toEpochMilli())).orElseThrow().values())
        .containsExactly(first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "subject, BAD_CANDIDATE",
    "query, BAD_CANDIDATE",
    "output, UNKNOWN_OUTPUT",
    "parameters, BAD_PARAMETERS",
    "mean, BAD_FEATURE_MEAN",
    "counts, BAD_PSEUDO_DATA"
  })
  void shouldRefuseACandidateWithAHugeField(String field, RejectionCode code)
      throws PipelineFileException {
    AbcCandidate.Builder candidate =
        AbcCandidate.newBuilder()
            .setOutput(field.equals("output") ? HUGE : "ask")
            .setQueryId(field.equals("query") ? HUGE : "q")
            .setCandidate(0)
            .setCandidates(1)
            .setSubject(field.equals("subject") ? HUGE : "ann")
            .setWindowStart(NOW)
            .setParameters(Collections.nCopies(field.equals("parameters") ? 101 : 1, 1.0));
    if (field.equals("counts")) {
      candidate.setCounts(Collections.nCopies(100_000, 1L));
    } else {
      candidate.setMean(
          field.equals("mean") ? Collections.nCopies(100_000, 1e-5) : List.of(1.0, 0.0));
    }
    CandidateReader reader = new CandidateReader(asked());
    assertThatThrownBy(() -> reader.read(Outputs.encode(candidate.build())))
        .isInstanceOfSatisfying(
            RejectedRecordException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** Candidates of two subjects would otherwise be one's. */
  @Test
  void shouldRefuseACandidateWhenItsSubjectIsInvalidUtf8() throws PipelineFileException {
    byte[] candidate =
        Outputs.encode(
            AbcCandidate.newBuilder()
                .setOutput("ask")
                .setQueryId("q")
                .setCandidate(0)
                .setCandidates(1)
                .setSubject("abc")
                .setWindowStart(NOW)
                .setParameters(List.of(1.0))
                .setMean(List.of(1.0, 0.0))
                .build());
    int place = new String(candidate, StandardCharsets.ISO_8859_1).indexOf("abc");
    candidate[place] = (byte) 0xFF;
    CandidateReader reader = new CandidateReader(asked());
    assertThatThrownBy(() -> reader.read(candidate))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.BAD_CANDIDATE));
  }

  private static Pipeline asked() throws PipelineFileException {
    return PipelineFile.parse(
        "p.yaml",
        """
        pipeline: p
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b], max-bytes: 100000000 }
        window: { size: 10s }
        budget: { name: b, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - abc: { name: ask, threshold: 0.1, share: { epsilon: 2, delta: 1e-6 }, queries: 1 }
        """);
  }

  @ParameterizedTest
  @CsvSource({"digest", "noise key", "subject", "skip"})
  void shouldRefuseACommandWithAHugeField(String field) {
    ControlEntry.Builder command =
        switch (field) {
          case "subject" ->
              ControlEntry.newBuilder().setCommand(ControlCommand.FORGET).setSubject(HUGE);
          case "skip" ->
              ControlEntry.newBuilder()
                  .setCommand(ControlCommand.SKIP)
                  .setBudget("b")
                  .setRelease(HUGE);
          default ->
              ControlEntry.newBuilder()
                  .setCommand(ControlCommand.ACTIVATE)
                  .setBudget("b")
                  .setFrom(NOW)
                  .setVersion(2)
                  .setDigest(field.equals("digest") ? HUGE : "0".repeat(64))
                  .setNoiseKey(field.equals("noise key") ? HUGE : "0".repeat(16));
        };
    byte[] bytes = Outputs.encode(command.build());
    assertThatThrownBy(() -> Outputs.decodeControl(bytes))
        .isInstanceOf(CorruptBytesException.class);
  }
}
