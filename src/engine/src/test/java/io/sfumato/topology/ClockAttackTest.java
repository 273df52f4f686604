// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.YAML;
import static io.sfumato.topology.Fixture.windows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import io.sfumato.schema.ControlCommand;
import io.sfumato.serde.SignedTick;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.RecordSpan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever may write records cannot command the clock. */
class ClockAttackTest {
  private static final String ROSTER =
      YAML.replace("clock: records", "clock: ticks, begin: 2026-06-01")
              .replace("windows: 2", "windows: 24")
          + "subjects: roster\n";

  /** Far ahead, and still within a day of the broker's time. */
  private static final long FAR = Duration.ofMinutes(23 * 60 + 50).toSeconds();

  private static final TickKey KEY = NoiseSecret.parse(Fixture.KEY).tickKey("test");

  @TempDir Path state;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] altered(int part, String other) {
    String[] parts = SignedTick.by(KEY, "in", 0, NOW + FAR * 1000).text().split(";");
    parts[part] = other;
    return ascii(String.join(";", parts));
  }

  static Stream<Arguments> forged() {
    long far = NOW + FAR * 1000;
    TickKey other = NoiseSecret.random().tickKey("test");
    String time = Instant.ofEpochMilli(far + 1).toString();
    SignedTick genuine = SignedTick.by(KEY, "in", 0, far);
    return Stream.of(
        Arguments.of("eight bytes", ByteBuffer.allocate(8).putLong(far).array(), "UNSIGNED_TICK"),
        Arguments.of(
            "eight bytes with a semicolon",
            ByteBuffer.allocate(8).putLong(far & ~0xffL | ';').array(),
            "UNSIGNED_TICK"),
        Arguments.of("text", TickHeader.unsigned().of("in", 0, far), "UNSIGNED_TICK"),
        Arguments.of("nothing", new byte[0], "UNSIGNED_TICK"),
        Arguments.of("another time", altered(0, time), "BAD_TICK"),
        Arguments.of("no time", altered(0, "soon"), "BAD_TICK"),
        Arguments.of("another partition's", TickHeader.signedBy(KEY).of("in", 1, far), "BAD_TICK"),
        Arguments.of(
            "another partition's, renamed",
            ascii(SignedTick.by(KEY, "in", 1, far).text().replace(";1;", ";0;")),
            "BAD_TICK"),
        Arguments.of(
            "another key's", TickHeader.signedBy(other).of("in", 0, far), "OTHER_KEY_TICK"),
        Arguments.of(
            "another key's under this key's tag",
            ascii(new SignedTick(far, "test", KEY.tag(), "in", 0, other.mac("in", 0, far)).text()),
            "BAD_TICK"),
        Arguments.of("another topic's", TickHeader.signedBy(KEY).of("other", 0, far), "BAD_TICK"),
        Arguments.of("another topic's, renamed", altered(3, "other"), "BAD_TICK"),
        Arguments.of(
            "another topic's under this topic's name",
            ascii(SignedTick.by(KEY, "other", 0, far).text().replace(";other;", ";in;")),
            "BAD_TICK"),
        Arguments.of("without a topic", altered(3, ""), "BAD_TICK"),
        Arguments.of("no signature", altered(5, "0".repeat(32)), "BAD_TICK"),
        Arguments.of("cut short", ascii(genuine.text().substring(0, 70)), "BAD_TICK"),
        Arguments.of("longer", ascii(genuine.text() + ";"), "BAD_TICK"),
        Arguments.of("huge", ascii(";".repeat(100_000)), "BAD_TICK"));
  }

  /** Nobody loses a window, honest records count, and the operator sees what was refused. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("forged")
  void aTickThatNobodySignedForThisPlaceCostsNobodyAnything(
      String kind, byte[] header, String code) {
    try (Fixture pipeline = new Fixture(ROSTER, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.command(ControlCommand.ENROL, "bob", 0);
      pipeline.tick(2);
      pipeline.tick(header);
      assertThat(pipeline.releases()).as("no empty window was closed").isEmpty();
      pipeline.event("ann", 3, "a");
      pipeline.tick(12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "bob@0");
      assertThat(pipeline.counts.seen).containsEntry("accepted", 1).containsEntry(code, 1);
      assertThat(pipeline.deadLetters()).containsExactly("1:" + code);
    }
  }

  /**
   * The attack as it was: windows of an hour, so that no jump is too long, and every one of a day's
   * was charged to everybody for nothing.
   */
  @Test
  void aTickThatNobodySignedSpendsNoneOfADaysWindows() {
    String yaml = ROSTER.replace("size: 10s", "size: 1h");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.command(ControlCommand.ENROL, "bob", 0);
      pipeline.tick(2);
      pipeline.tick(ByteBuffer.allocate(8).putLong(NOW + FAR * 1000).array());
      pipeline.event("ann", 3, "a");
      assertThat(pipeline.releases()).isEmpty();
      assertThat(pipeline.counts.seen).containsEntry("accepted", 1).doesNotContainKey("LATE");
      for (int hour = 1; hour <= 23; hour++) {
        pipeline.tick(hour * 3_600 + 2);
      }
      assertThat(pipeline.releases()).as("what it would have spent").hasSize(2 * 23);
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  /** Several pipelines may read one topic. */
  @Test
  void ticksOfAnotherBudgetArePassedOverAndCounted() {
    TickHeader others = TickHeader.signedBy(NoiseSecret.parse(Fixture.KEY).tickKey("other"));
    for (String yaml :
        List.of(ROSTER, ROSTER.replace("begin: 2026-06-01", "begin: 2026-06-01, ticks: trusted"))) {
      try (Fixture pipeline = new Fixture(yaml, state.resolve("s" + yaml.length()))) {
        pipeline.command(ControlCommand.ENROL, "ann", 0);
        pipeline.tick(2);
        pipeline.tick(others.of("in", 0, NOW + FAR * 1000));
        pipeline.event("ann", 3, "a");
        pipeline.tick(12);
        assertThat(windows(pipeline.releases())).containsExactly("ann@0");
        assertThat(pipeline.deadLetters()).isEmpty();
        assertThat(pipeline.counts.seen).containsOnlyKeys("accepted");
        assertThat(pipeline.counts.ticksTaken).isEqualTo(2);
        assertThat(pipeline.counts.ticksOfOthers).isEqualTo(1);
      }
    }
  }

  @Test
  void aSignedTickCountsOnceHoweverOftenItIsSent() {
    try (Fixture pipeline = new Fixture(ROSTER, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.tick(12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      pipeline.tick(22);
      pipeline.tick(12);
      pipeline.tick(22);
      assertThat(windows(pipeline.releases())).containsExactly("ann@10");
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /**
   * Whoever says so trusts all writers, and a tick that names this budget must still be its own.
   */
  @Test
  void trustedTicksNeedNoSignatureAndAForgedOneIsStillRefused() {
    String yaml = ROSTER.replace("begin: 2026-06-01", "begin: 2026-06-01, ticks: trusted");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.tick(ByteBuffer.allocate(8).putLong(NOW + 12_000).array());
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      pipeline.tick(TickHeader.unsigned().of("in", 0, NOW + 22_000));
      assertThat(windows(pipeline.releases())).containsExactly("ann@10");
      pipeline.tick(32);
      assertThat(windows(pipeline.releases())).containsExactly("ann@20");
      pipeline.tick(altered(4, "0".repeat(32)));
      pipeline.tick(ascii("yesterday"));
      assertThat(pipeline.releases()).isEmpty();
      assertThat(pipeline.deadLetters()).containsExactly("3:BAD_TICK", "4:BAD_TICK");
    }
  }

  @Test
  void aTickMayLieAheadOfTheBrokersTimeByTheBoundAndNoMore() {
    String yaml =
        ROSTER.replace("begin: 2026-06-01", "begin: 2026-06-01, max-ahead: 1m, max-jump: 3");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.tick(61);
      assertThat(pipeline.releases()).isEmpty();
      pipeline.tick(12);
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      assertThat(pipeline.deadLetters()).containsExactly("0:TIME_OUT_OF_RANGE");
      assertThat(pipeline.counts.ticksOutOfRange).isEqualTo(1);
    }
  }

  @Test
  void aRecordMayLieAheadOfTheBrokersTimeByTheBoundAndNoMore() {
    String yaml = YAML.replace("clock: records", "clock: records, max-ahead: 1m");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.event("eve", 61, "a");
      pipeline.event("ann", 1, "a");
      pipeline.event("ann", 12, "a");
      assertThat(windows(pipeline.releases())).containsExactly("ann@0");
      assertThat(pipeline.deadLetters()).containsExactly("0:TIME_OUT_OF_RANGE");
      assertThat(pipeline.counts.ticksOutOfRange).as("it is no tick").isZero();
      assertThat(pipeline.counts.seen).containsEntry("accepted", 2).doesNotContainKey("LATE");
      pipeline.event("eve", 60, "a");
      assertThat(pipeline.counts.seen).as("at the bound").containsEntry("accepted", 3);
    }
  }

  /** Under a list nobody else's record moves a clock, well formed or not. */
  @Test
  void strangersMoveNoClockUnderAList() {
    String yaml = YAML.replace("windows: 2", "windows: 24") + "subjects: [ann, bob]\n";
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.event("eve", 45, "a");
      pipeline.event("ann", 2, "a");
      pipeline.event("eve", FAR, "b");
      pipeline.event("bob", 2, "a");
      assertThat(pipeline.releases()).isEmpty();
      assertThat(pipeline.counts.seen)
          .containsEntry("accepted", 2)
          .containsEntry("UNLISTED_SUBJECT", 2)
          .doesNotContainKey("LATE");
      pipeline.event("ann", 12, "a");
      assertThat(windows(pipeline.releases())).containsExactly("ann@0", "bob@0");
    }
  }

  /** Nobody who is enrolled, of the year 9999: the broker's own time says that it is nonsense. */
  @Test
  void aRecordOfTheFarFutureMovesNoClockWhereBrokersStampRecords() {
    String yaml = ROSTER.replace("clock: ticks, begin: 2026-06-01", "clock: records");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.event("ann", 1, "a");
      pipeline.send(null, ofYear9999());
      pipeline.event("ann", 2, "a");
      assertThat(pipeline.releases()).isEmpty();
      assertThat(pipeline.deadLetters()).containsExactly("1:TIME_OUT_OF_RANGE");
      assertThat(pipeline.counts.seen).containsEntry("accepted", 2);
    }
  }

  private static void year9999(Fixture pipeline) {
    long far = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();
    pipeline
        .driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, ofYear9999(), far);
  }

  /** As text: milliseconds of that year are no plausible time. */
  private static byte[] ofYear9999() {
    return "{\"who\":\"eve\",\"at\":\"9999-12-31T00:00:00Z\",\"what\":\"a\"}"
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Where brokers take any timestamp, a forged one passes the bound; a roster is not spent, and the
   * command that mends it stands in the message. With it the log goes on as if the record were
   * none, and says so.
   */
  @Test
  void aForgedTimestampStopsARosterAndTheNamedCommandMendsIt() {
    String yaml = ROSTER.replace("clock: ticks, begin: 2026-06-01", "clock: records");
    try (Fixture pipeline = new Fixture(yaml, state.resolve("stopped"))) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.event("ann", 1, "a");
      assertThatThrownBy(() -> year9999(pipeline))
          .isInstanceOf(StreamsException.class)
          .rootCause()
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("sfumato skip-record FILE in-0@1");
    }
    List<byte[]> once = afterSkipping(yaml, "once");
    assertThat(once).hasSize(1);
    assertThat(afterSkipping(yaml, "again"))
        .as("a replay gives the same")
        .usingElementComparator(Arrays::compare)
        .isEqualTo(once);
  }

  private List<byte[]> afterSkipping(String yaml, String folder) {
    try (Fixture pipeline =
        new Fixture(
            yaml,
            state.resolve(folder),
            Deployment.JumpPolicy.STOP,
            OperatorOrders.of(List.of(RecordSpan.at(0, 1), RecordSpan.at(1, 2))))) {
      pipeline.command(ControlCommand.ENROL, "ann", 0);
      pipeline.event("ann", 1, "a");
      year9999(pipeline);
      pipeline.event("ann", 12, "b");
      assertThat(pipeline.deadLetters()).containsExactly("1:SKIPPED");
      assertThat(pipeline.counts.seen)
          .containsEntry("SKIPPED", 1)
          .containsEntry("accepted", 2)
          .doesNotContainKey("LATE");
      return pipeline.records("mix").stream().map(r -> r.value()).toList();
    }
  }
}
