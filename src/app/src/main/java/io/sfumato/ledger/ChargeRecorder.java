// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.ChargeCounts;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes charge counts of an instance's partitions into the budget's registry: once an hour, when a
 * partition comes that was never counted, and at a clean stop. All on a thread of its own, so that
 * no stream task ever waits for the registry.
 */
public final class ChargeRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChargeRecorder.class);

  /** Also how much may be lost with the state's topics: the charges of so long. */
  private static final Duration INTERVAL = Duration.ofHours(1);

  /** How often it looks for partitions that were never counted. */
  private static final Duration BEAT = Duration.ofSeconds(5);

  /** A stop waits no longer for a cluster that does not answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ChargeCounts counts;
  private final CountLog log;
  private final Registry registry;
  private final long interval;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "charge-recorder");
            thread.setDaemon(true);
            return thread;
          });

  /** Partitions that the registry has counts of, as far as this instance knows. */
  private final Set<PartitionCount.Place> known = new HashSet<>();

  /** Partitions whose epoch the registry knows, as far as this instance knows. */
  private final Set<PartitionCount.Place> named = new HashSet<>();

  /** When this instance wrote last, or began, by {@link System#nanoTime}. */
  private long last = System.nanoTime();

  private boolean failing;

  private ChargeRecorder(
      KafkaSettings settings, String budget, NoiseKey key, ChargeCounts counts, Duration interval) {
    this.counts = counts;
    this.log = new CountLog(settings, budget, key);
    this.registry = new Registry(settings, budget, Optional.of(key));
    this.interval = interval.toNanos();
  }

  /**
   * Begins to record.
   *
   * @param budget whose registry is there
   * @param counts that the instance's tasks put there
   */
  public static ChargeRecorder start(
      KafkaSettings settings, String budget, NoiseKey key, ChargeCounts counts) {
    return start(settings, budget, key, counts, INTERVAL);
  }

  /** The same with another interval, for tests. */
  static ChargeRecorder start(
      KafkaSettings settings, String budget, NoiseKey key, ChargeCounts counts, Duration interval) {
    ChargeRecorder recorder = new ChargeRecorder(settings, budget, key, counts, interval);
    long beat = Math.min(BEAT.toMillis(), interval.toMillis());
    recorder.timer.scheduleWithFixedDelay(recorder::beat, beat, beat, TimeUnit.MILLISECONDS);
    return recorder;
  }

  private void beat() {
    List<CountedState> all = counts.all();
    boolean isNew =
        all.stream()
            .map(CountedState::count)
            .anyMatch(
                count ->
                    !known.contains(count.place())
                        || count.epoch().isPresent() && !named.contains(count.place()));
    if (isNew || System.nanoTime() - last >= interval) {
      record(all);
    }
  }

  /** What cannot be written now is written at a later beat. */
  private void record(List<CountedState> counted) {
    try {
      log.record(counted);
      List<PartitionCount> all = counted.stream().map(CountedState::count).toList();
      rememberEpochs(all);
      all.forEach(count -> known.add(count.place()));
      last = System.nanoTime();
      failing = false;
    } catch (RefusedException | RuntimeException e) {
      if (!failing) {
        LOG.warn(
            "cannot write charge counts into the registry; trying again at the next commit. "
                + "Until then a restored state is compared with the counts written last: {}",
            e instanceof RefusedException ? e.getMessage() : e.getClass().getName());
        LOG.debug("details", e);
      }
      failing = true;
    }
  }

  /** Partitions begin with their first records, after the budget did. */
  private void rememberEpochs(List<PartitionCount> all) throws RefusedException {
    Begun begun = registry.read().mine().begun();
    List<PartitionCount> begins =
        all.stream()
            .filter(count -> count.epoch().isPresent())
            .filter(count -> !begun.epochs().containsKey(count.place().toString()))
            .toList();
    if (!begins.isEmpty() && !begun.equals(Begun.NOT)) {
      registry.begin(new Begun(begun.format(), Map.of()).with(begins));
    }
    all.stream().filter(c -> c.epoch().isPresent()).forEach(c -> named.add(c.place()));
  }

  /**
   * Records the counts of the last commits, and ends. To be called once no task works any more. A
   * cluster that does not answer keeps nobody waiting for more than ten seconds.
   */
  @Override
  public void close() {
    try {
      timer.submit(() -> record(counts.all())).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn(
          "cannot write the charge counts of the last commits into the registry: no Kafka "
              + "broker reachable");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
  }
}
