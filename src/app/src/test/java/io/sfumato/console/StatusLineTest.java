// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private String shown(boolean live) {
    StatusLine line = new StatusLine(new PrintStream(bytes, true, StandardCharsets.UTF_8), live);
    line.show("1 of 3");
    line.show("2 of 3");
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldStandInOneLineOfATerminal() {
    assertThat(shown(true)).contains("1 of 3", "2 of 3").doesNotContain("\n").endsWith("\r");
  }

  @Test
  void shouldBeSaidOnceInALog() {
    assertThat(shown(false)).isEqualTo("1 of 3" + System.lineSeparator());
  }
}
