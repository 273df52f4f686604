// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogScopeTest {
  private final List<String> lines = new ArrayList<>();

  private void say() {
    lines.add(LogScope.text("up"));
    lines.add(LogScope.json("{\"level\":\"INFO\"}"));
  }

  private static void run(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  @Test
  void shouldNameThePipelineOfAThreadAndOfThoseThatItStarts() throws Exception {
    run(
        () -> {
          LogScope.enter("a\"b");
          try {
            run(this::say);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(lines).containsExactly("[a\"b] up", "{\"pipeline\":\"a\\\"b\",\"level\":\"INFO\"}");
  }

  @Test
  void shouldLeaveLinesOfOtherThreadsAlone() throws Exception {
    run(() -> LogScope.enter("other"));
    run(this::say);
    assertThat(lines).containsExactly("up", "{\"level\":\"INFO\"}");
  }
}
