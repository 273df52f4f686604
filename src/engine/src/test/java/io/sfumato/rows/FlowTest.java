// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lines of a terminal: words stay together where they fit. */
class FlowTest {
  private static final String NUMBER = "49.044476% -0.082496 (-0.001104 to -0.001017) or beyond,";

  private static String lines(TextLength length, String... words) {
    Flow flow = new Flow("the beginning ", length);
    for (String each : words) {
      flow.add("  ", each);
    }
    return flow.text();
  }

  @Test
  void shouldKeepWordsTogetherThatFitALine() {
    assertThat(lines(TextLength.TERMINAL, "a name of 20 columns " + NUMBER.substring(1)))
        .isEqualTo("the beginning\n    a name of 20 columns " + NUMBER.substring(1));
  }

  @Test
  void shouldBreakWordsThatAreWiderThanALine() {
    assertThat(lines(TextLength.TERMINAL, "a name of 21 columns: " + NUMBER, "next"))
        .isEqualTo(
            "the beginning\n    a name of 21 columns: "
                + NUMBER.replace(" beyond,", "")
                + "\n    beyond,  next");
  }

  @Test
  void shouldLeaveAWordWholeThatIsWiderThanALine() {
    assertThat(lines(TextLength.TERMINAL, "w".repeat(90)))
        .isEqualTo("the beginning\n    " + "w".repeat(90));
  }

  @Test
  void shouldBreakNoLineOfAFile() {
    assertThat(lines(TextLength.WHOLE, "a name of 21 columns: " + NUMBER))
        .isEqualTo("the beginning a name of 21 columns: " + NUMBER);
  }
}
