// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StampedBy;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ticks a pipeline's records' topics as long as an instance runs. Every instance does: two tickers
 * do no harm, since a clock takes the latest tick, and none is ahead of the earliest clock it
 * knows.
 */
public final class OwnTicker implements AutoCloseable {
  private final ScheduledExecutorService timer;
  private final OwnTicks ticks;
  private final TickWriter writer;
  private final ControllerClock controller;
  private final TickerListener listener;

  private OwnTicker(
      OwnTicks ticks, TickWriter writer, ControllerClock controller, TickerListener listener) {
    this.ticks = ticks;
    this.writer = writer;
    this.controller = controller;
    this.listener = listener;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "own-ticks");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Refuses a start where nothing could be ticked, since no clock limits this machine's.
   *
   * @throws RefusedException where brokers do not stamp a topic's records, and the cluster's
   *     controller does not state its time
   */
  public static void requireClock(Cluster cluster, Pipeline pipeline) throws RefusedException {
    for (StampedBy stamped : cluster.pipelineTopics().stampedBy(pipeline)) {
      if (stamped.trust() != StampedBy.Trust.BROKERS) {
        ControllerClock.require(cluster, stamped.topic());
      }
    }
  }

  /**
   * Ticks until it is closed.
   *
   * @param sources every partition of the records' topics
   * @param key that signs ticks
   * @param orders what operators said about the topics: ticks that do not count moved no clock
   * @throws RefusedException if Kafka's client cannot use the settings
   */
  public static OwnTicker start(
      KafkaSettings settings,
      Pipeline pipeline,
      SourceTopics sources,
      TickKey key,
      OperatorOrders orders,
      TickerListener listener)
      throws RefusedException {
    return start(settings, pipeline, sources, key, orders, listener, Moment::now);
  }

  /**
   * @param clock of this machine
   */
  static OwnTicker start(
      KafkaSettings settings,
      Pipeline pipeline,
      SourceTopics sources,
      TickKey key,
      OperatorOrders orders,
      TickerListener listener,
      Supplier<Moment> clock)
      throws RefusedException {
    ControllerClock controller =
        new ControllerClock(new Cluster(settings), String.join(", ", sources.names()));
    TickVerifier judge = new TickVerifier(pipeline.window(), Optional.of(key));
    TickWriter writer =
        new TickWriter(
            settings,
            sources,
            TickHeader.signedBy(key),
            new LastTicks(settings, sources, judge, orders));
    OwnTicks ticks = new OwnTicks(pipeline.window(), writer, controller::ask, clock, listener);
    OwnTicker ticker = new OwnTicker(ticks, writer, controller, listener);
    ticker.timer.execute(ticker::round);
    return ticker;
  }

  private void round() {
    Duration pause = pause();
    try {
      timer.schedule(this::round, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // closed meanwhile
    }
  }

  /** Whatever happens in a round, there is another one. */
  private Duration pause() {
    try {
      return ticks.round();
    } catch (RuntimeException e) {
      listener.failed(e.getClass().getSimpleName());
      return OwnTicks.RETRY;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    writer.close();
    controller.close();
  }
}
