// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Sends the events of a history, and between them the ticks that a live source would have had. What
 * lies behind all ticks goes after the last one, and is held back if that leaves it too far ahead:
 * intake would drop it for good.
 *
 * @param topic of the records
 * @param pace at which events go
 * @param ticks where ticks close windows
 * @param header of the ticks; none where somebody else ticks between these events
 * @param end a public one, if the last tick stands there and not where the last event is
 */
public record HistoryReplay(
    String topic,
    Speed pace,
    Optional<ReplayTicks> ticks,
    Optional<TickHeader> header,
    Optional<End> end) {
  /**
   * Where a history ends, whatever its last event is.
   *
   * @param latest event time that is sent, milliseconds since 1970; no tick goes so far beyond it
   *     that a later event could be more than a dead letter
   */
  public record End(long latest) {}

  /**
   * What became of a history.
   *
   * @param events that were sent
   * @param ticks that were sent
   * @param beyond events that were not: they lie too far beyond the end, or beyond the last tick
   * @param latest event time that was not too far, milliseconds since 1970; nothing if none would
   *     be
   */
  public record Sent(long events, long ticks, long beyond, OptionalLong latest) {}

  /** Where events and ticks go, one after another. */
  interface Sink {
    void event(CsvEvents.Row row) throws RefusedException;

    void tick(long time) throws RefusedException;
  }

  /**
   * Sends a history.
   *
   * @param progress runs after each event
   * @throws RefusedException if the cluster takes an event or tick not
   */
  public Sent send(List<CsvEvents.Row> events, KafkaSettings settings, Runnable progress)
      throws RefusedException {
    try (EventPublisher publisher = new EventPublisher(settings)) {
      Sink sink =
          new Sink() {
            @Override
            public void event(CsvEvents.Row row) throws RefusedException {
              publisher.event(topic, row.key(), row.value());
            }

            @Override
            public void tick(long time) throws RefusedException {
              publisher.tickBetween(topic, time, header.orElseThrow());
            }
          };
      Sent sent = send(events, sink, progress);
      publisher.flush();
      return sent;
    }
  }

  Sent send(List<CsvEvents.Row> events, Sink sink, Runnable progress) throws RefusedException {
    long ticked = 0;
    long beyond = 0;
    List<CsvEvents.Row> behind = new ArrayList<>();
    for (CsvEvents.Row row : events) {
      if (isBeyondEnd(row)) {
        beyond++;
        progress.run();
      } else if (isBehindTicks(row)) {
        // No tick goes before it. Whether it is too far ahead, the last tick tells.
        behind.add(row);
      } else {
        row.time().ifPresent(pace::await);
        if (ticks.isPresent() && row.time().isPresent()) {
          ticked += tick(sink, before(ticks.get(), row.time().get()));
        }
        sink.event(row);
        progress.run();
      }
    }
    if (ticks.isPresent() && header.isPresent()) {
      ticked += tick(sink, end.isPresent() ? ticks.get().atLimit() : ticks.get().atEnd());
    }
    for (CsvEvents.Row row : behind) {
      if (row.time().orElseThrow() > ticks.orElseThrow().furthest()) {
        beyond++;
      } else {
        pace.await(row.time().get());
        ticks.get().without(row.time().get());
        sink.event(row);
      }
      progress.run();
    }
    return new Sent(events.size() - beyond, ticked, beyond, latest());
  }

  private OptionalLong latest() {
    LongStream byEnd = end.stream().mapToLong(End::latest);
    LongStream byTicks =
        header.isPresent() ? ticks.stream().mapToLong(ReplayTicks::furthest) : LongStream.empty();
    return LongStream.concat(byEnd, byTicks).min();
  }

  private boolean isBeyondEnd(CsvEvents.Row row) {
    return end.isPresent() && row.time().isPresent() && row.time().get() > end.get().latest();
  }

  private boolean isBehindTicks(CsvEvents.Row row) {
    return header.isPresent()
        && ticks.isPresent()
        && row.time().isPresent()
        && ticks.get().isBehind(row.time().get());
  }

  private List<Long> before(ReplayTicks between, long time) {
    if (header.isPresent()) {
      return between.before(time);
    }
    between.without(time);
    return List.of();
  }

  private static long tick(Sink sink, List<Long> times) throws RefusedException {
    for (long time : times) {
      sink.tick(time);
    }
    return times.size();
  }
}
