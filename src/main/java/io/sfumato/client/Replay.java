// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import java.util.List;
import java.util.Optional;

/**
 * Sends the events of a history, and between them the ticks that a live source would have had.
 *
 * @param topic of the records
 * @param pace at which events go
 * @param ticks where ticks close windows
 * @param header of the ticks; none where somebody else ticks between these events
 * @param end a public one, if the last tick stands there and not where the last event is
 */
public record Replay(
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
   * @param beyond events that were not: they lie too far beyond the end
   */
  public record Sent(long events, long ticks, long beyond) {}

  /**
   * Sends a history.
   *
   * @param progress runs after each event
   * @throws RefusedException if the cluster takes an event or tick not
   */
  public Sent send(List<CsvEvents.Row> events, KafkaSettings settings, Runnable progress)
      throws RefusedException {
    long ticked = 0;
    long beyond = 0;
    try (EventPublisher publisher = new EventPublisher(settings)) {
      for (CsvEvents.Row row : events) {
        if (end.isPresent() && row.time().isPresent() && row.time().get() > end.get().latest()) {
          beyond++;
          progress.run();
          continue;
        }
        row.time().ifPresent(pace::await);
        if (ticks.isPresent() && row.time().isPresent()) {
          ticked += tick(publisher, before(ticks.get(), row.time().get()));
        }
        publisher.event(topic, row.key(), row.value());
        progress.run();
      }
      if (ticks.isPresent() && header.isPresent()) {
        ticked += tick(publisher, end.isPresent() ? ticks.get().atLimit() : ticks.get().atEnd());
      }
      publisher.flush();
    }
    return new Sent(events.size() - beyond, ticked, beyond);
  }

  private List<Long> before(ReplayTicks between, long time) {
    if (header.isPresent()) {
      return between.before(time);
    }
    between.without(time);
    return List.of();
  }

  private long tick(EventPublisher publisher, List<Long> times) throws RefusedException {
    for (long time : times) {
      publisher.tickBetween(topic, time, header.orElseThrow());
    }
    return times.size();
  }
}
