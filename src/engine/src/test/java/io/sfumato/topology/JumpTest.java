// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.YAML;
import static io.sfumato.topology.Fixture.windows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.clock.Jump;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a record claims moves no roster's clock far; a silence is asked about. */
class JumpTest {
  /** Windows of ten seconds, at most five of which may be jumped over. */
  private static final String LIST =
      YAML.replace("clock: records", "clock: records, max-jump: 5")
              .replace("windows: 2", "windows: 24")
          + "subjects: [ann, bob]\n";

  @TempDir Path state;

  /** A record that was appended so many seconds after the first one. */
  private static void event(Fixture pipeline, String who, long second, long appended) {
    pipeline
        .driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, Fixture.json(who, second, "a"), NOW + appended * 1000);
  }

  /** Clocks at window 0: a record's second, when it came, what is silence and what is claimed. */
  @ParameterizedTest
  @CsvSource({
    "52, 52, 5, 0, false",
    "62, 62, 6, 0, false",
    "62, 9999, 6, 0, false",
    "62, 52, 5, 1, true",
    "62, 0, 0, 6, true",
    "52, 0, 0, 5, false",
    "122, 62, 6, 6, true",
    "112, 62, 6, 5, false",
    "2, 9999, 0, 0, false",
  })
  void aJumpIsSilenceAndClaim(
      long second, long appended, long silent, long claimed, boolean claim) {
    WindowSpec window = Fixture.plan(LIST).pipeline().window();
    long from = window.boundaryOf(NOW + 2_000);
    Jump jump = Jump.of(window, from, NOW + second * 1000, NOW + appended * 1000);
    assertThat(jump).isEqualTo(new Jump(silent, claimed));
    assertThat(jump.isClaim(window.maxJump())).isEqualTo(claim);
  }

  /** However many there are, and whether or not a silence would be accepted. */
  @ParameterizedTest
  @EnumSource(Deployment.JumpPolicy.class)
  void recordsThatClaimToBeAheadAreBuriedAndMoveNothing(Deployment.JumpPolicy policy) {
    int claims = 1000;
    try (Fixture pipeline = new Fixture(LIST, state, policy)) {
      event(pipeline, "ann", 2, 2);
      for (int i = 0; i < claims; i++) {
        event(pipeline, "bob", 80_000 + i, 3);
      }
      event(pipeline, "ann", 12, 12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "bob@0");
      assertThat(pipeline.counts.seen).containsEntry("accepted", 2).doesNotContainKey("LATE");
      List<String> codes = pipeline.deadLetters();
      assertThat(codes).hasSize(claims).startsWith("1:TIME_OUT_OF_RANGE");
      assertThat(codes).allMatch(code -> code.endsWith(":TIME_OUT_OF_RANGE"));
    }
  }

  @Test
  void aRosterIsHeldLikeAList() {
    String roster = LIST.replace("subjects: [ann, bob]", "subjects: roster");
    try (Fixture pipeline = new Fixture(roster, state)) {
      event(pipeline, "ann", 2, 2);
      event(pipeline, "eve", 80_000, 3);
      assertThat(pipeline.deadLetters()).containsExactly("1:TIME_OUT_OF_RANGE");
    }
  }

  /** Who is observed pays for no empty window: there a record closes what it likes, as ever. */
  @Test
  void nobodyIsHeldWhereEmptyWindowsCostNothing() {
    String observed = LIST.replace("subjects: [ann, bob]\n", "");
    try (Fixture pipeline = new Fixture(observed, state)) {
      event(pipeline, "ann", 2, 2);
      event(pipeline, "ann", 80_000, 3);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** A night without records, or history that is published later. */
  @ParameterizedTest
  @CsvSource({"90, 90", "90, 99999", "90, 88", "110, 90"})
  void aSilenceStopsAndAsks(long second, long appended) {
    try (Fixture pipeline = new Fixture(LIST, state.resolve("stopped"))) {
      event(pipeline, "ann", 2, 2);
      assertThatThrownBy(() -> event(pipeline, "ann", second, appended))
          .isInstanceOf(StreamsException.class)
          .rootCause()
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("--accept-jump");
    }
    try (Fixture pipeline =
        new Fixture(LIST, state.resolve("accepted"), Deployment.JumpPolicy.CLOSE_ALL)) {
      event(pipeline, "ann", 2, 2);
      event(pipeline, "ann", second, appended);
      assertThat(pipeline.deadLetters()).isEmpty();
      assertThat(pipeline.counts.seen).containsEntry("accepted", 2);
    }
  }

  /** Whoever comes first after a silence cannot have a day closed that is not over. */
  @ParameterizedTest
  @EnumSource(Deployment.JumpPolicy.class)
  void behindASilenceAClaimIsStillBuried(Deployment.JumpPolicy policy) {
    try (Fixture pipeline = new Fixture(LIST, state, policy)) {
      event(pipeline, "ann", 2, 2);
      event(pipeline, "bob", 80_000, 90);
      assertThat(pipeline.deadLetters()).containsExactly("1:TIME_OUT_OF_RANGE");
      assertThat(pipeline.releases()).isEmpty();
    }
  }

  /** Ticks are signed: whose holder says so is asked, never buried. */
  @Test
  void ticksStopAsEver() {
    try (Fixture pipeline = new Fixture(LIST, state)) {
      event(pipeline, "ann", 2, 2);
      assertThatThrownBy(() -> pipeline.tick(80_000))
          .rootCause()
          .isInstanceOf(PipelineStopException.class);
    }
  }
}
