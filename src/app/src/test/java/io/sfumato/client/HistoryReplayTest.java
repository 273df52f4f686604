// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.Event;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.clock.TimelinessFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What intake makes of a history, by its own clock and its own rule. */
class HistoryReplayTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;

  /** Daily windows of users, with a grace. */
  private final Pipeline wards = PipelineFile.read(Path.of("topology/wards.yaml"));

  private final WindowSpec window = wards.window();
  private final long begin = window.begin().orElseThrow();

  HistoryReplayTest() throws PipelineFileException {}

  /** A partition's intake, and what it said of each event. */
  private final class Intake implements HistoryReplay.Sink {
    private final TimelinessFilter timeliness = new TimelinessFilter(wards);
    private final List<Long> counted = new ArrayList<>();
    private final List<RejectionCode> refused = new ArrayList<>();
    private PartitionWatermark watermark =
        new PartitionWatermark(0, PartitionWatermark.UNSET, begin);

    @Override
    public void event(CsvEvents.Row row) {
      try {
        long time = row.time().orElseThrow();
        timeliness.require(at(time), time, watermark);
        counted.add(time);
      } catch (RejectedRecordException e) {
        refused.add(e.code());
      }
    }

    @Override
    public void tick(long time) {
      watermark = watermark.passing(window, time);
    }
  }

  private static Event at(long time) {
    return new Event(Optional.of("ann"), "north", time, 0, List.of());
  }

  private static List<CsvEvents.Row> rows(List<Long> times) {
    return times.stream()
        .map(time -> new CsvEvents.Row(1, "north", Optional.of(time), new byte[0]))
        .toList();
  }

  private HistoryReplay until(long until) {
    return new HistoryReplay(
        "admissions",
        Speed.parse("max"),
        Optional.of(new ReplayTicks(window, begin, until)),
        Optional.of(TickHeader.unsigned()),
        Optional.of(new HistoryReplay.End(until + window.ahead().toMillis())));
  }

  private HistoryReplay untilNow(long now) {
    return new HistoryReplay(
        "admissions",
        Speed.parse("max"),
        Optional.of(new ReplayTicks(window, begin, now)),
        Optional.of(TickHeader.unsigned()),
        Optional.empty());
  }

  private static HistoryReplay.Sent send(HistoryReplay replay, List<Long> times, Intake intake)
      throws RefusedException {
    return replay.send(rows(times), intake, () -> {});
  }

  /** The last tick stands two hours after the grid's: these hours must not be lost. */
  @Test
  void whatLiesBetweenTheGridAndThePublicEndIsNotLost() throws RefusedException {
    List<Long> times =
        LongStream.rangeClosed(0, 72).map(hour -> begin + hour * HOUR).boxed().toList();
    Intake intake = new Intake();
    HistoryReplay.Sent sent = send(until(begin + DAY + 2 * HOUR), times, intake);
    assertThat(intake.refused).isEmpty();
    assertThat(intake.counted).hasSize(51).last().isEqualTo(begin + 2 * DAY + 2 * HOUR);
    assertThat(sent.beyond()).isEqualTo(22);
    assertThat(sent.latest()).hasValue(begin + 2 * DAY + 2 * HOUR);
    assertThat(new ReplayNotes(wards, new ReplayTicks(window, begin, begin)).heldBack(sent))
        .hasValue(
            "note: not sent, because they would be dropped as EARLY: 22 events after "
                + "2026-11-04T02:00:00Z, more than window.ahead, 1d, after the last tick. Send "
                + "them later, as a CSV of these rows only and with a later --until; rows that "
                + "were sent already would count twice");
    // Later, as the note says.
    List<Long> rest = times.subList(51, 73);
    HistoryReplay.Sent later = send(until(begin + 3 * DAY + 2 * HOUR), rest, intake);
    assertThat(intake.refused).isEmpty();
    assertThat(intake.counted).isEqualTo(times);
    assertThat(later.beyond()).isZero();
    assertThat(new ReplayNotes(wards, new ReplayTicks(window, begin, begin)).heldBack(later))
        .isEmpty();
  }

  @Test
  void shouldSayUntilWhenAWindowStaysOpen() {
    long end = begin + 2 * DAY;
    ReplayTicks ticks = new ReplayTicks(window, begin, end);
    ticks.before(begin + DAY + HOUR);
    ticks.atLimit();
    assertThat(new ReplayNotes(wards, ticks).open(end + DAY))
        .isEqualTo(
            "; the window of 2026-11-03 stays open until a tick at 2026-11-04T02:00:00Z or later"
                + " (its end plus window.grace): send one with 'sfumato tick', or take this time"
                + " for --until next time");
    assertThat(new ReplayNotes(wards, ticks).open(end))
        .isEqualTo(
            "; the last event's window stays open until a tick at 2026-11-04T02:00:00Z or later");
    ReplayTicks closed = new ReplayTicks(window, begin, end + 2 * HOUR);
    closed.before(begin + DAY + HOUR);
    closed.atLimit();
    assertThat(new ReplayNotes(wards, closed).open(end + DAY)).isEmpty();
  }

  /** Whoever ticks instead may have come as far as the events: nobody knows. */
  @Test
  void withoutTicksOfOnesOwnNothingIsCalledEarly() {
    ReplayTicks ticks = new ReplayTicks(window, begin, begin + 10 * DAY);
    ticks.without(begin + HOUR);
    ticks.without(begin + 5 * DAY);
    ReplayNotes notes = new ReplayNotes(wards, ticks);
    assertThat(notes.droppedByOthersTicks(2))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("note: no tick was sent (--no-ticks). 1 events are more than window.ahead, ");
    assertThat(notes.dropped(2).get(0)).startsWith("warning: 1 events will be dropped as EARLY");
    ticks.without(begin - DAY);
    ticks.without(begin - DAY);
    ticks.without(begin - DAY);
    assertThat(notes.droppedByOthersTicks(5))
        .first()
        .asString()
        .contains("3 of 5 events, will NOT count", "set window.begin");
  }

  /** Without an end no tick follows a row of the future, and none is lost for that. */
  @Test
  void whatLiesTooFarBehindNowIsHeldBack() throws RefusedException {
    long now = begin + 2 * DAY + 5 * HOUR;
    Intake intake = new Intake();
    HistoryReplay.Sent sent =
        send(untilNow(now), List.of(begin, begin + DAY, now + HOUR, now + DAY), intake);
    assertThat(intake.refused).isEmpty();
    assertThat(intake.counted).containsExactly(begin, begin + DAY, now + HOUR);
    assertThat(sent.beyond()).isEqualTo(1);
  }

  /** Where somebody else ticks, nobody here knows what is early. */
  @Test
  void withoutTicksAllUpToTheEndIsSent() throws RefusedException {
    HistoryReplay others =
        new HistoryReplay(
            "admissions",
            Speed.parse("max"),
            Optional.of(new ReplayTicks(window, begin, begin + DAY)),
            Optional.empty(),
            Optional.of(new HistoryReplay.End(begin + 2 * DAY)));
    HistoryReplay.Sent sent =
        send(others, List.of(begin, begin + 2 * DAY, begin + 2 * DAY + 1), new Intake());
    assertThat(sent.events()).isEqualTo(2);
    assertThat(sent.ticks()).isZero();
  }

  /** Whatever the events and the end: sent is what the end alone decides, and all of it counts. */
  @Property(tries = 500)
  void allThatIsSentCounts(
      @ForAll @LongRange(max = 8 * 24 * 60) long untilMinutes,
      @ForAll @IntRange(min = 1, max = 600) int unit,
      @ForAll @Size(max = 60) List<@LongRange(max = 60) Long> gaps)
      throws RefusedException {
    long time = begin;
    List<Long> times = new ArrayList<>();
    for (long gap : gaps) {
      time += gap * unit * 60_000;
      times.add(time);
    }
    long until = begin + untilMinutes * 60_000;
    Intake intake = new Intake();
    HistoryReplay.Sent sent = send(until(until), times, intake);
    assertThat(intake.refused).isEmpty();
    assertThat(intake.counted)
        .isEqualTo(times.stream().filter(t -> t <= until + window.ahead().toMillis()).toList());
    assertThat(sent.events() + sent.beyond()).isEqualTo(times.size());
    Intake alone = new Intake();
    send(untilNow(until), times, alone);
    assertThat(alone.refused).isEmpty();
  }
}
