// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is printed to a program that has ended: commands that go on must be able to see it. */
class ClosedPipeTest {
  private static PrintStream pipe() {
    return new PrintStream(
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("Broken pipe");
          }
        },
        true,
        StandardCharsets.UTF_8);
  }

  @Test
  void shouldShowThatStandardOutputIsClosed() {
    PrintStream out = VisibleStream.before(pipe());
    assertThat(out.checkError()).isFalse();
    out.println("a line");
    assertThat(out.checkError()).isTrue();
  }

  @Test
  void shouldShowThatTheWriterOfACommandIsClosed() {
    PrintWriter out = Terminal.over(new PrintWriter(pipe(), true));
    assertThat(out.checkError()).isFalse();
    out.println("a line");
    assertThat(out.checkError()).isTrue();
  }
}
