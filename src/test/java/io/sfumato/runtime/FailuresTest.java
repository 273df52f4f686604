package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  /** A topic's setting that was lowered while the pipeline ran: the operator's to mend. */
  @Test
  void shouldNameTheSettingsWhereARecordIsTooLargeAndQuoteNothing() {
    RefusedException reason =
        Failures.explain(
            new StreamsException("of ann", new RecordTooLargeException("of ann")), Path.of("data"));
    assertThat(reason.code()).isEqualTo(ExitCode.REFUSED_CLUSTER);
    assertThat(reason)
        .hasMessageContaining("max.message.bytes")
        .hasMessageContaining("sfumato doctor")
        .hasMessageNotContaining("ann");
  }
}
