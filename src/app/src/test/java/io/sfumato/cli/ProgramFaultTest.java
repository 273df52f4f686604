// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Messages of exceptions may quote records: neither what a command says nor the log has them. */
class ProgramFaultTest {
  private final Throwable thrown =
      new IllegalStateException("canary-1", new NumberFormatException("canary-2"));

  @Test
  void shouldNameKindsAndPlacesWithoutMessages() {
    assertThat(ProgramFault.kindsAndPlace(thrown))
        .startsWith(
            "IllegalStateException, caused by NumberFormatException at ProgramFaultTest.<init>:")
        .doesNotContain("canary", "\n");
  }

  @Test
  void shouldAskForAReportInTwoLines() {
    assertThat(ProgramFault.words(thrown))
        .contains(
            "bug in Sfumato: IllegalStateException, caused by NumberFormatException (Java",
            "at ProgramFaultTest.<init>:")
        .doesNotContain("canary")
        .hasLineCount(2);
  }
}
