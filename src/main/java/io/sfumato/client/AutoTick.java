// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes ticks of the wall clock into the records' topic, some ten a window. A tick is a record
 * like any other, so what is released stays a function of the log.
 */
public final class AutoTick implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AutoTick.class);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final ScheduledExecutorService timer;
  private final EventPublisher publisher;

  private AutoTick(ScheduledExecutorService timer, EventPublisher publisher) {
    this.timer = timer;
    this.publisher = publisher;
  }

  /**
   * Ticks until it is closed.
   *
   * @param header how ticks are signed
   */
  public static AutoTick start(KafkaSettings settings, Pipeline pipeline, TickHeader header) {
    EventPublisher publisher = new EventPublisher(settings);
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "auto-tick");
              thread.setDaemon(true);
              return thread;
            });
    Duration tenth = pipeline.window().size().dividedBy(10);
    Duration pause = tenth.compareTo(SHORTEST) < 0 ? SHORTEST : tenth;
    pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    timer.scheduleAtFixedRate(
        () -> tick(publisher, pipeline.input().topic(), header),
        0,
        pause.toMillis(),
        TimeUnit.MILLISECONDS);
    return new AutoTick(timer, publisher);
  }

  private static void tick(EventPublisher publisher, String topic, TickHeader header) {
    try {
      publisher.tick(topic, System.currentTimeMillis(), header);
    } catch (RefusedException e) {
      LOG.warn("no tick: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    publisher.close();
  }
}
