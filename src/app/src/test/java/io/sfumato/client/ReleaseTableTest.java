// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Shown;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A name cannot clear the screen, forge a row, or read from right to left. */
class ReleaseTableTest {
  private static final String NAME = "\u001b[2Jann\n2026-06-01 00:00  bob\u202e\u2028";
  private static final String SHOWN = "\\u001b[2Jann\\u000a2026-06-01 00:00  bob\\u202e\\u2028";

  static List<SpecificRecord> outputs() {
    Refusal refusal = new Refusal();
    refusal.put("window_start", Instant.EPOCH);
    refusal.put("window_end", Instant.EPOCH.plusSeconds(60));
    refusal.put("subject", NAME);
    refusal.put("code", RefusalCode.EXHAUSTED);
    refusal.put("output", NAME);
    AbcDecision decision = new AbcDecision();
    decision.put("window_start", Instant.EPOCH);
    decision.put("window_end", Instant.EPOCH.plusSeconds(60));
    decision.put("subject", "ann");
    decision.put("query_id", NAME);
    decision.put("parameters", List.of(1.0));
    MollifiedSample item = new MollifiedSample();
    item.put("window_start", Instant.EPOCH);
    item.put("window_end", Instant.EPOCH.plusSeconds(60));
    item.put("subject", "all");
    item.put("category", NAME);
    item.put("values", List.of());
    DeadLetter letter = new DeadLetter(NAME, 0, 7L, NAME, NAME);
    return List.of(refusal, Shown.headed(decision), Shown.headed(item), letter);
  }

  @ParameterizedTest
  @MethodSource("outputs")
  void shouldShowNamesAsNothingElse(SpecificRecord output) {
    assertThat(ReleaseTable.wholeLine(output))
        .contains(SHOWN)
        .doesNotContain("\n", "\u001b", "\u202e", "\u2028");
  }

  @Test
  void shouldSayWhatNoErrorBarContains() {
    CountRelease release = new CountRelease();
    release.put("window_start", Instant.EPOCH);
    release.put("window_end", Instant.EPOCH.plusSeconds(60));
    release.put("since", Instant.EPOCH);
    release.put("subject", "north");
    release.put("counts", List.of(12L));
    release.put("categories", List.of());
    release.put("error_95", 3L);
    Shown.headed(release);
    assertThat(ReleaseTable.line(release)).endsWith("all 12  +-3");
    release.put("example_left_out", 0.0);
    assertThat(ReleaseTable.line(release)).endsWith("all 12  +-3");
    release.put("subject", "north of the river");
    assertThat(ReleaseTable.line(release))
        .as("a long name ends before the next column")
        .endsWith("north of the river  all 12  +-3");
    release.put("example_left_out", 0.421);
    assertThat(ReleaseTable.wholeLine(release))
        .endsWith("+-3  (limits drop 42% of the example's records)");
  }
}
