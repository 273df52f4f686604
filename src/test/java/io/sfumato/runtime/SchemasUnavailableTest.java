package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.serde.SchemasUnavailableException;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class SchemasUnavailableTest {
  @Test
  void shouldEndWithACodeThatIsWorthAnotherTry() {
    RefusedException said =
        Failures.explain(
            new StreamsException(
                "with a record", new SchemasUnavailableException("the registry is silent")),
            Path.of("state"));
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said)
        .hasMessageContaining("the registry is silent")
        .hasMessageContaining("nothing was lost or charged twice")
        .hasMessageNotContaining("record");
  }
}
