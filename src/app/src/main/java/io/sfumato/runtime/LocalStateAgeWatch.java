// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.runtime.LocalCopies.Place;
import io.sfumato.runtime.LocalCopies.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks once a minute, and before an instance stops, how far its local copies of the changelogs have
 * come. What an active task says of itself, that it has everything, is believed as long as the
 * instance is heard in its group.
 */
final class LocalStateAgeWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStateAgeWatch.class);
  private static final Duration BEAT = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /**
   * Tells a beat that comes late. After a process stood still its heartbeats are sent before it
   * hears that it was expelled: what it says of itself proves nothing until the next beat.
   */
  static final class Pulse {
    private long last;

    /**
     * @param now milliseconds since 1970, of the beginning
     */
    Pulse(long now) {
      last = now;
    }

    /** Whether the beat before was not much longer ago than beats are apart. */
    boolean isInTime(long now) {
      long since = now - last;
      last = now;
      return since >= 0 && since <= 2 * BEAT.toMillis();
    }
  }

  private final LocalCopies copies;
  private final Pulse pulse;
  private final LocalCopies.Changelogs changelogs;
  private final Supplier<Optional<KafkaStreams>> streams;
  private final Runnable outOfDate;
  private final ScheduledExecutorService beats =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "copy-watch");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param outOfDate is run when a copy has become too old, at every beat until none is
   */
  LocalStateAgeWatch(
      LocalCopies copies,
      LocalCopies.Changelogs changelogs,
      Supplier<Optional<KafkaStreams>> streams,
      Runnable outOfDate) {
    this.copies = copies;
    this.pulse = new Pulse(copies.now());
    this.changelogs = changelogs;
    this.streams = streams;
    this.outOfDate = outOfDate;
    beats.scheduleWithFixedDelay(
        this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
  }

  void beat() {
    if (copies.isAnyTooOld()) {
      outOfDate.run();
      return;
    }
    try {
      long now = copies.now();
      boolean inTime = pulse.isInTime(now);
      Optional<KafkaStreams> working =
          streams.get().filter(s -> s.state().isRunningOrRebalancing() && isHeard(s));
      if (inTime && working.isPresent()) {
        copies.reached(now, positions(working.get()), changelogs);
      }
    } catch (RefusedException | RuntimeException e) {
      // It stops, or the cluster does not answer: the copies stay as old as they are. Whatever else
      // Kafka Streams has to say must not end the watch.
      LOG.debug("cannot record the age of local state: {}", e.getClass().getName());
    }
  }

  private static Map<Place, Position> positions(KafkaStreams streams) {
    Map<Place, Position> positions = new HashMap<>();
    streams
        .allLocalStorePartitionLags()
        .forEach(
            (store, coefficients) ->
                coefficients.forEach(
                    (partition, lag) ->
                        positions.put(
                            new Place(store, partition),
                            new Position(lag.currentOffsetPosition(), lag.endOffsetPosition()))));
    return positions;
  }

  /** Whether every stream thread has told its group lately that it lives, heard or not. */
  private static boolean isHeard(KafkaStreams streams) {
    List<Double> ago =
        streams.metrics().entrySet().stream()
            .filter(metric -> metric.getKey().name().equals("last-heartbeat-seconds-ago"))
            .map(metric -> (Double) metric.getValue().metricValue())
            .toList();
    return !ago.isEmpty() && ago.stream().allMatch(s -> s >= 0 && s <= BEAT.toSeconds());
  }

  /**
   * A last time, so that a short life counts too; who stops waits for nobody who does not answer.
   */
  @Override
  public void close() {
    if (beats.isShutdown()) {
      return;
    }
    try {
      beats.submit(this::beat).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("cannot record the final age of local state: {}", e.getClass().getName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      beats.shutdownNow();
    }
  }
}
