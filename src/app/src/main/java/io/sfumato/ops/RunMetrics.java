// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.sfumato.runtime.PipelineRun;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/** One run as metrics: its Kafka Streams client and its health. */
final class RunMetrics implements MeterBinder, AutoCloseable {
  private final Supplier<Optional<PipelineRun>> run;
  private final Health health;
  private final ClusterProbe probe;

  /** What the client's metrics were bound to; it changes when local state was rebuilt. */
  private Optional<KafkaStreams> bound = Optional.empty();

  private Optional<KafkaStreamsMetrics> client = Optional.empty();

  RunMetrics(Supplier<Optional<PipelineRun>> run, Health health, ClusterProbe probe) {
    this.run = run;
    this.health = health;
    this.probe = probe;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (KafkaStreams.State state : KafkaStreams.State.values()) {
      Metric.CLIENT_STATE.gauge(
          registry,
          Tags.of("state", state.name().toLowerCase(Locale.ROOT)),
          health,
          h -> h.state() == state ? 1 : 0);
    }
    Metric.ADVANCING.gauge(registry, Tags.empty(), health, h -> h.status().advancing() ? 1 : 0);
    Metric.READY.gauge(registry, Tags.empty(), health, h -> h.status().ready() ? 1 : 0);
    Metric.UNSAFE_TOPIC_SETTINGS.gauge(
        registry, Tags.empty(), run, r -> r.get().map(PipelineRun::unsafeSettings).orElse(0));
    Metric.HELD_RELEASES.gauge(
        registry, Tags.empty(), run, r -> r.get().map(PipelineRun::heldReleases).orElse(0));
    Metric.HANGING_TRANSACTIONS.gauge(
        registry, Tags.empty(), run, r -> r.get().map(o -> o.hangingIn().size()).orElse(0));
    Metric.BROKERS.gauge(registry, Tags.empty(), probe, ClusterProbe::brokers);
  }

  /** Follows the client that runs; called before each reading. */
  synchronized void refresh(MeterRegistry registry) {
    Optional<KafkaStreams> now = run.get().flatMap(PipelineRun::streams);
    if (!now.equals(bound)) {
      client.ifPresent(KafkaStreamsMetrics::close);
      client = now.map(KafkaStreamsMetrics::new);
      client.ifPresent(metrics -> metrics.bindTo(registry));
      bound = now;
    }
  }

  @Override
  public synchronized void close() {
    client.ifPresent(KafkaStreamsMetrics::close);
  }
}
