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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ticks a pipeline's records' topic as long as an instance runs. Every instance does: two tickers
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
   * @throws RefusedException where brokers do not stamp the topic's records, and the cluster's
   *     controller does not state its time
   */
  public static void requireClock(Cluster cluster, Pipeline pipeline) throws RefusedException {
    if (cluster.pipelineTopics().stampedBy(pipeline).trust() != StampedBy.Trust.BROKERS) {
      ControllerClock.require(cluster, pipeline.input().topic());
    }
  }

  /**
   * Ticks until it is closed.
   *
   * @param key that signs ticks
   * @param orders what operators said about the topic: ticks that do not count moved no clock
   */
  public static OwnTicker start(
      KafkaSettings settings,
      Pipeline pipeline,
      TickKey key,
      OperatorOrders orders,
      TickerListener listener) {
    return start(settings, pipeline, key, orders, listener, Moment::now);
  }

  /**
   * @param clock of this machine
   */
  static OwnTicker start(
      KafkaSettings settings,
      Pipeline pipeline,
      TickKey key,
      OperatorOrders orders,
      TickerListener listener,
      Supplier<Moment> clock) {
    String topic = pipeline.input().topic();
    TickVerifier judge = new TickVerifier(pipeline.window(), Optional.of(key));
    TickWriter writer =
        new TickWriter(
            settings,
            topic,
            TickHeader.signedBy(key),
            new LastTicks(settings, topic, judge, orders));
    ControllerClock controller = new ControllerClock(new Cluster(settings), topic);
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
