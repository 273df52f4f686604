// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who looks at a log is told of long work now and then, who looks at a terminal all the time. */
class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final AtomicLong nanos = new AtomicLong(5);

  private void work(Progress progress, int steps, long millisEach) {
    for (int i = 0; i < steps; i++) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millisEach));
      progress.step();
    }
  }

  private String said() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aLogHasALineEveryTenSecondsAndTheLast() {
    try (Progress progress = new Progress(out, "candidates", 30, false, nanos::get)) {
      work(progress, 30, 1000);
    }
    assertThat(said().lines())
        .hasSize(3)
        .satisfiesExactly(
            line -> assertThat(line).contains(" 33% 10 of 30, 20 s left"),
            line -> assertThat(line).contains(" 67% 20 of 30, 10 s left"),
            line -> assertThat(line).contains("100% 30 of 30 in 30.0 s"));
    assertThat(said()).doesNotContain("\r", "\u001b");
  }

  @Test
  void shortWorkHasItsLastLineAlone() {
    try (Progress progress = new Progress(out, "candidates", 90, false, nanos::get)) {
      work(progress, 90, 100);
    }
    assertThat(said().lines())
        .singleElement()
        .satisfies(line -> assertThat(line).contains("100% 90 of 90 in 9.0 s"));
  }

  /** Whoever is refused reads why, and nothing else. */
  @Test
  void workThatNeverBeganSaysNothing() {
    new Progress(out, "candidates", 90, false, nanos::get).close();
    assertThat(said()).isEmpty();
    new Progress(out, "candidates", 0, false, nanos::get).close();
    assertThat(said()).contains("100% 0 of 0");
  }

  @Test
  void aTerminalIsDrawnOver() {
    try (Progress progress = new Progress(out, "candidates", 4, true, nanos::get)) {
      work(progress, 4, 200);
    }
    assertThat(said().split("\r")).hasSize(6);
    assertThat(said()).containsOnlyOnce("\n").endsWith("\n");
  }
}
