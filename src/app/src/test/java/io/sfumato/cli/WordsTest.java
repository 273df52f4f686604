// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a command says to whoever typed it wrong, or not at all. */
class WordsTest {
  private CommandResult result;

  private int run(String... arguments) {
    result = CommandResult.of(arguments);
    return result.code();
  }

  @Test
  void shouldShowWhatThereIsWithoutACommand() {
    assertThat(run()).isZero();
    assertThat(result.out()).contains("Usage: sfumato", "demo", "Exit codes");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void shouldNameAWrongValueWithoutTheWholeHelp() {
    assertThat(run("consume", "any", "--max", "-3")).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly("--max: found -3, allowed is 1 or more", "see 'sfumato consume --help'");
  }

  @Test
  void shouldNameTheTopicsOfAPipelineFile() {
    assertThat(run("consume", "topology/diary.yaml")).isEqualTo(2);
    assertThat(result.err().lines())
        .containsExactly(
            "topology/diary.yaml is a pipeline file: name one of its topics,"
                + " [weekly-mix, glucose-diary-refusals, glucose-diary-released, glucose-diary-dead-letters]",
            "see 'sfumato consume --help'");
  }

  @Test
  void shouldTakeATimeToWaitAsPeopleWriteIt() {
    assertThat(WaitingTime.parse("5s")).isEqualTo(Duration.ofSeconds(5));
    assertThat(WaitingTime.parse("250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(WaitingTime.parse("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(WaitingTime.parse("PT1M")).isEqualTo(Duration.ofMinutes(1));
    for (String wrong : new String[] {"5", "-5s", "PT-5S", "soon"}) {
      assertThatThrownBy(() -> WaitingTime.parse(wrong)).hasMessageContaining("30s, 5m or 1h");
    }
  }
}
