// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.runtime.PipelineRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Whether an instance is alive, and whether it does its work. Alive is everything but ended: one
 * that restores its state for an hour must not be killed for it.
 */
final class Health {
  private final Supplier<Optional<PipelineRun>> run;
  private final ClusterProbe probe;
  private final TickAge age;
  private final Advance advance = new Advance();
  private boolean started;

  /**
   * A judgement.
   *
   * @param live not ended by an error
   * @param ready running, with a cluster, and advancing, with ticks where these close windows
   * @param started was running once
   * @param advancing processes records, or has none to process
   * @param reasons why it is not ready, for people; names no record
   */
  record Status(
      boolean live, boolean ready, boolean started, boolean advancing, List<String> reasons) {}

  /**
   * @param run nothing while the cluster is waited for
   * @param age of the last tick
   */
  Health(Supplier<Optional<PipelineRun>> run, ClusterProbe probe, TickAge age) {
    this.run = run;
    this.probe = probe;
    this.age = age;
  }

  /** Looks whether records move; called every second or so. */
  synchronized void refresh() {
    advance.observe(
        ClientMetrics.processed(run.get()),
        ClientMetrics.recordsWait(run.get()),
        System.nanoTime());
    age.millis(); // counts from the first look
    started |= state() == KafkaStreams.State.RUNNING;
  }

  /** The state of the client, in Kafka Streams' words. */
  KafkaStreams.State state() {
    return run.get().map(PipelineRun::state).orElse(KafkaStreams.State.CREATED);
  }

  /** Why no record can move although the client runs; nothing if a thread is there. */
  static Optional<String> threads(KafkaStreams.State state, int live) {
    return state == KafkaStreams.State.RUNNING && live == 0
        ? Optional.of("no live stream thread")
        : Optional.empty();
  }

  /** Which records nobody is shown, perhaps for ever. */
  static Optional<String> hanging(Set<String> partitions) {
    return partitions.isEmpty()
        ? Optional.empty()
        : Optional.of("hanging transactions in " + String.join(", ", partitions));
  }

  /** Kafka Streams leaves out those that are dead. */
  private int liveThreads() {
    return run.get()
        .flatMap(PipelineRun::streams)
        .map(streams -> streams.metadataForLocalThreads().size())
        .orElse(0);
  }

  synchronized Status status() {
    List<String> reasons = new ArrayList<>();
    Optional<String> failure =
        run.get()
            .flatMap(PipelineRun::failure)
            .map(e -> "ended with exit code " + e.code().number());
    failure.ifPresent(reasons::add);
    KafkaStreams.State state = state();
    boolean live = failure.isEmpty() && state != KafkaStreams.State.ERROR;
    if (state != KafkaStreams.State.RUNNING) {
      reasons.add("state is " + state);
    }
    threads(state, liveThreads()).ifPresent(reasons::add);
    hanging(run.get().map(PipelineRun::hangingIn).orElse(Set.of())).ifPresent(reasons::add);
    if (probe.brokers() == 0) {
      reasons.add("no Kafka broker reachable");
    }
    if (!advance.isAdvancing()) {
      reasons.add(
          "backlog, but no record processed for " + Advance.PATIENCE.toSeconds() + " seconds");
    }
    age.words().ifPresent(reasons::add);
    return new Status(live, live && reasons.isEmpty(), started, advance.isAdvancing(), reasons);
  }
}
