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
  void shouldNameThePipelineOfWorkThatAnotherThreadDoes() throws Exception {
    List<Runnable> works = new ArrayList<>();
    for (String name : List.of("left", "right")) {
      run(
          () -> {
            LogScope.enter(name);
            works.add(LogScope.bound(() -> lines.add(LogScope.text("up"))));
          });
    }
    run(
        () -> {
          works.forEach(Runnable::run);
          lines.add(LogScope.text("done"));
        });
    assertThat(lines).containsExactly("[left] up", "[right] up", "done");
  }

  @Test
  void shouldLeaveLinesOfOtherThreadsAlone() throws Exception {
    run(() -> LogScope.enter("other"));
    run(this::say);
    assertThat(lines).containsExactly("up", "{\"level\":\"INFO\"}");
  }
}
