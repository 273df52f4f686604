// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sfumato.schema.CountRelease;
import io.sfumato.topology.context.Deployment.JumpPolicy;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.RecordSpan;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows that begin long before the first tick: each remedy that the message offers works. */
class BeginLongAgoTest {
  private static final String LIVE =
      """
      pipeline: test
      version: 1
      input: { topic: in, user: user, subject: region, time: at, category: event, categories: [view, cart] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-05-31 }
      budget: { name: test, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: live, method: best, share: { epsilon: 1, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private static void event(Fixture pipeline, long second) {
    pipeline.sendJson(second, "'user':'ann','region':'north','event':'view'");
  }

  private static List<String> windows(Fixture pipeline) {
    return pipeline.releases("live", CountRelease.class).stream()
        .map(r -> r.getSubject() + "@" + (r.getWindowStart().toEpochMilli() - Fixture.NOW) / 1000)
        .sorted()
        .toList();
  }

  private String refusal(String yaml, long second) {
    try (Fixture pipeline = new Fixture(yaml, state.resolve("stopped"))) {
      event(pipeline, 2);
      Throwable stop = catchThrowable(() -> pipeline.tick(second));
      assertThat(stop).isInstanceOf(StreamsException.class);
      assertThat(stop).rootCause().isInstanceOf(PipelineStopException.class);
      assertThat(windows(pipeline)).as("nothing was released").isEmpty();
      Throwable root = stop;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      return root.getMessage();
    }
  }

  private static String beginIn(String message) {
    Matcher begin = Pattern.compile("write begin: (\\S+?)\\. ").matcher(message);
    assertThat(begin.find()).as(message).isTrue();
    return begin.group(1);
  }

  @Test
  void shouldRunWithTheOfferedBeginWhenWindowsBeganTooEarly() {
    String message = refusal(LIVE, 14);
    assertThat(message)
        .contains("jumps over 8641 windows", "It starts at window.begin", "new names");
    String later =
        LIVE.replace("begin: 2026-05-31", "begin: " + beginIn(message))
            .replace("budget: { name: test", "budget: { name: other");
    try (Fixture pipeline = new Fixture(later, state.resolve("later"))) {
      event(pipeline, 2);
      pipeline.tick(14);
      event(pipeline, 15);
      pipeline.tick(24);
      assertThat(windows(pipeline)).containsExactly("north@10", "south@10");
      assertThat(pipeline.counts.seen).containsEntry("LATE", 1);
    }
  }

  @Test
  void shouldReleaseEveryWindowWhenTheJumpIsAccepted() {
    String yaml = LIVE.replace("begin: 2026-05-31", "begin: 2026-05-31T23:59:00Z, max-jump: 5");
    assertThat(refusal(yaml, 14)).contains("To release all these windows, including empty ones");
    try (Fixture pipeline = new Fixture(yaml, state.resolve("all"), JumpPolicy.CLOSE_ALL)) {
      event(pipeline, 2);
      pipeline.tick(14);
      assertThat(windows(pipeline)).hasSize(2 * 7).contains("north@-60", "south@0");
    }
  }

  /** Only where one tick is wrong: of live data the next one would jump as far. */
  @Test
  void shouldGoOnWithoutTheTickWhenItsTimeIsWrong() {
    String yaml = LIVE.replace("begin: 2026-05-31", "begin: 2026-06-01, max-jump: 5");
    assertThat(refusal(yaml, 1_000))
        .contains("If only the time of this record or tick is wrong", "skip-record FILE in-0@1");
    OperatorOrders wrong = OperatorOrders.of(List.of(RecordSpan.at(0, 1)));
    try (Fixture pipeline = new Fixture(yaml, state.resolve("skip"), JumpPolicy.STOP, wrong)) {
      event(pipeline, 2);
      pipeline.tick(1_000);
      pipeline.tick(14);
      assertThat(windows(pipeline)).containsExactly("north@0", "south@0");
    }
    try (Fixture pipeline = new Fixture(LIVE, state.resolve("live"), JumpPolicy.STOP, wrong)) {
      event(pipeline, 2);
      pipeline.tick(14);
      assertThatThrownBy(() -> pipeline.tick(24)).isInstanceOf(StreamsException.class);
    }
  }

  /** Behind released windows nobody is told to begin anew: that would spend budgets again. */
  @Test
  void shouldNotOfferALaterBeginWhenWindowsWereReleased() {
    String yaml = LIVE.replace("begin: 2026-05-31", "begin: 2026-06-01, max-jump: 5");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      event(pipeline, 2);
      pipeline.tick(14);
      assertThatThrownBy(() -> pipeline.tick(1_000))
          .rootCause()
          .hasMessageContaining("--accept-jump")
          .hasMessageContaining("sfumato skip-record FILE in-0@2")
          .message()
          .doesNotContain("begin", "new names");
    }
  }
}
