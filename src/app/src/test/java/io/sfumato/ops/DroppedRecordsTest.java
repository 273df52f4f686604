// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.RejectionCode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
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

  private Optional<String> news(long accepted, Map<RejectionCode, Long> rejections) {
    return dropped.news(0, accepted, rejections);
  }

  private Optional<String> minute(int minute, long accepted, Map<RejectionCode, Long> rejections) {
    return dropped.news(Duration.ofMinutes(minute).toNanos(), accepted, rejections);
  }

  @Test
  void shouldSayAtOnceWhenMostRecordsAreLostAndWhatToDo() {
    assertThat(news(10, Map.of(RejectionCode.NO_SUBJECT, 590L, RejectionCode.NO_TIME, 10L)))
        .contains(
            "WARNING: since the start 600 of 610 records did NOT count: 590 NO_SUBJECT: field "
                + "'patient' is missing, empty or too long: is input.subject spelt as in the "
                + "records?; 10 NO_TIME: field 'timestamp' is missing: check input.time");
  }

  @Test
  void shouldBeSilentWhereMostRecordsCountAndAboutWhatIsNoRecord() {
    assertThat(news(0, Map.of())).isEmpty();
    assertThat(news(10, Map.of(RejectionCode.LATE, 10L))).isEmpty();
    assertThat(news(1, Map.of(RejectionCode.BAD_TICK, 90L, RejectionCode.BAD_CONTROL, 9L)))
        .isEmpty();
  }

  /** 5% of a minute's records, whatever was lost before. */
  @Test
  void shouldSayOnceAMinuteWhatWasLostInIt() {
    assertThat(minute(0, 1_000, Map.of())).isEmpty();
    assertThat(
            dropped.news(
                Duration.ofSeconds(59).toNanos(), 1_000, Map.of(RejectionCode.EARLY, 900L)))
        .isEmpty();
    assertThat(minute(1, 1_000, Map.of(RejectionCode.EARLY, 900L)).orElseThrow())
        .startsWith("WARNING: in the last minute 900 of 1,900 records did NOT count: 900 EARLY: ");
    assertThat(minute(2, 2_000, Map.of(RejectionCode.EARLY, 900L))).isEmpty();
    assertThat(minute(3, 2_096, Map.of(RejectionCode.EARLY, 904L))).as("4%").isEmpty();
    assertThat(minute(4, 2_191, Map.of(RejectionCode.EARLY, 909L))).as("5%").isPresent();
    assertThat(minute(5, 2_191, Map.of(RejectionCode.EARLY, 909L))).as("nothing came").isEmpty();
  }

  @Test
  void shouldNotSayAgainAMinuteLaterWhatItSaidAtOnce() {
    Map<RejectionCode, Long> lost = Map.of(RejectionCode.NO_TIME, 90L);
    assertThat(minute(0, 10, lost)).isPresent();
    assertThat(minute(1, 10, lost)).isEmpty();
    assertThat(minute(2, 10, lost)).isEmpty();
    assertThat(dropped.standing()).isEmpty();
  }

  /** What was counted before would be counted twice. */
  @Test
  void shouldSendNobodyToAnotherBudgetWhenRecordsAreLate() throws Exception {
    Map<RejectionCode, Long> late = Map.of(RejectionCode.LATE, 10L);
    Pipeline wards = PipelineFile.read(Path.of("topology/wards.yaml"));
    assertThat(new DroppedRecords(wards, OptionalLong.empty()).news(0, 0, late).orElseThrow())
        .contains("send history in event-time order")
        .contains("A new budget would read the whole topic again, and its loss would add")
        .doesNotContain("can read it again");
    long sealedAt = Instant.parse("2026-11-24T00:00:00Z").toEpochMilli();
    assertThat(new DroppedRecords(wards, OptionalLong.of(sealedAt)).news(0, 0, late).orElseThrow())
        .contains("windows that start before 2026-11-24T00:00:00Z stay closed")
        .contains("no budget may count them again")
        .doesNotContain("can read it again");
  }

  @Test
  void shouldHaveAReasonAndARemedyForWhateverIntakeRefuses() throws Exception {
    for (RejectionCode code : RejectionCode.values()) {
      diary();
      boolean ofRecords = code.ordinal() <= RejectionCode.EARLY.ordinal();
      assertThat(news(0, Map.of(code, 1L)).isPresent()).as(code.name()).isEqualTo(ofRecords);
    }
  }
}
