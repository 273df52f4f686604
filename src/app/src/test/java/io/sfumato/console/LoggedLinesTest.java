// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoggedLinesTest {
  private final List<String> lines = new ArrayList<>();
  private final PrintStream out = LoggedLines.to(lines::add);

  @Test
  void shouldHandOnEachLineOnce() {
    out.println("one");
    out.printf("two: %d%nthree%n", 2);
    out.print("fo");
    out.print("ur\n");
    assertThat(lines).containsExactly("one", "two: 2", "three", "four");
  }

  @Test
  void shouldHandOnALastLineWithoutAnEnd() {
    out.print("half");
    out.flush();
    assertThat(lines).isEmpty();
    out.close();
    assertThat(lines).containsExactly("half");
  }

  @Test
  void shouldKeepCharactersWholeThatArriveInParts() {
    for (byte part : "Zürich \ud83d\udc4d\n".getBytes(StandardCharsets.UTF_8)) {
      out.write(part);
    }
    assertThat(lines).containsExactly("Zürich \ud83d\udc4d");
  }

  @Test
  void shouldLeaveOutWhatMovesACursorAndEmptyLines() {
    out.print("\r1 of 3\u001b[K\n\n  \n");
    assertThat(lines).containsExactly("1 of 3");
  }
}
