// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.RejectionCode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DroppedRecordsTest {
  private DroppedRecords dropped;

  @BeforeEach
  void diary() throws Exception {
    dropped =
        new DroppedRecords(PipelineFile.read(Path.of("topology/diary.yaml")), OptionalLong.empty());
  }

  @Test
  void shouldNameTheReasonThatMostRecordsHaveAndWhatToDo() {
    assertThat(dropped.news(10, Map.of(RejectionCode.NO_SUBJECT, 590L, RejectionCode.NO_TIME, 10L)))
        .contains(
            "WARNING: 600 of 610 records do NOT count, 590 of them as NO_SUBJECT: field 'patient' is"
                + " missing, empty or too long: is input.subject spelt as in the records?");
  }

  @Test
  void shouldBeSilentWhereMostRecordsCountAndAboutWhatIsNoRecord() {
    assertThat(dropped.news(0, Map.of())).isEmpty();
    assertThat(dropped.news(10, Map.of(RejectionCode.LATE, 10L))).isEmpty();
    assertThat(dropped.news(1, Map.of(RejectionCode.BAD_TICK, 90L, RejectionCode.BAD_CONTROL, 9L)))
        .isEmpty();
  }

  @Test
  void shouldSayTheSameAgainOnlyWhenManyMoreCame() {
    assertThat(dropped.news(0, Map.of(RejectionCode.LATE, 10L))).isPresent();
    assertThat(dropped.news(0, Map.of(RejectionCode.LATE, 99L))).isEmpty();
    assertThat(dropped.news(0, Map.of(RejectionCode.LATE, 100L))).isPresent();
    assertThat(dropped.news(0, Map.of(RejectionCode.LATE, 100L, RejectionCode.EARLY, 101L)))
        .as("another reason")
        .isPresent();
  }

  /** What was counted before would be counted twice. */
  @Test
  void shouldSendNobodyToAnotherBudgetWhenRecordsAreLate() throws Exception {
    Map<RejectionCode, Long> late = Map.of(RejectionCode.LATE, 10L);
    Pipeline wards = PipelineFile.read(Path.of("topology/wards.yaml"));
    assertThat(new DroppedRecords(wards, OptionalLong.empty()).news(0, late).orElseThrow())
        .contains("send history in event-time order")
        .contains("Another budget would read all of the topic again, and its losses would add")
        .doesNotContain("can read it again");
    long sealedAt = Instant.parse("2026-11-24T00:00:00Z").toEpochMilli();
    assertThat(new DroppedRecords(wards, OptionalLong.of(sealedAt)).news(0, late).orElseThrow())
        .contains("windows that start before 2026-11-24T00:00:00Z stay closed")
        .contains("no other budget may read them again, or they count twice")
        .doesNotContain("can read it again");
  }

  @Test
  void shouldHaveAReasonAndARemedyForWhateverIntakeRefuses() {
    for (RejectionCode code : RejectionCode.values()) {
      boolean ofRecords = code.ordinal() <= RejectionCode.EARLY.ordinal();
      assertThat(dropped.news(0, Map.of(code, 1L)).isPresent())
          .as(code.name())
          .isEqualTo(ofRecords);
    }
  }
}
