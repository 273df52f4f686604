package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A name cannot clear the screen, forge a row, or read from right to left. */
class ReleaseTableTest {
  private static final String NAME = "\u001b[2Jann\n2026-06-01 00:00  bob\u202e\u2028";
  private static final String SHOWN = "\\u001b[2Jann\\u000a2026-06-01 00:00  bob\\u202e\\u2028";

  static List<SpecificRecord> outputs() {
    Refusal refusal = new Refusal();
    refusal.setWindowStart(Instant.EPOCH);
    refusal.setSubject(NAME);
    refusal.setCode(RefusalCode.EXHAUSTED);
    refusal.setOutput(NAME);
    AbcDecision decision = new AbcDecision();
    decision.setWindowStart(Instant.EPOCH);
    decision.setSubject("ann");
    decision.setQueryId(NAME);
    decision.setParameters(List.of(1.0));
    MollifiedSample item = new MollifiedSample();
    item.setWindowStart(Instant.EPOCH);
    item.setSubject("all");
    item.setCategory(NAME);
    item.setValues(List.of());
    DeadLetter letter = new DeadLetter(NAME, 0, 7L, NAME);
    return List.of(refusal, decision, item, letter);
  }

  @ParameterizedTest
  @MethodSource("outputs")
  void shouldShowNamesAsNothingElse(SpecificRecord output) {
    assertThat(ReleaseTable.line(output))
        .contains(SHOWN)
        .doesNotContain("\n", "\u001b", "\u202e", "\u2028");
  }
}
