// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.sfumato.runtime.PipelineRun;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/** The process as metrics: its JVM, its Kafka Streams client, its health. */
final class ProcessMetrics implements MeterBinder, AutoCloseable {
  private final Supplier<Optional<PipelineRun>> run;
  private final Health health;
  private final ClusterProbe probe;
  private final JvmGcMetrics collections = new JvmGcMetrics();

  /** What the client's metrics were bound to; it changes when local state was rebuilt. */
  private Optional<KafkaStreams> bound = Optional.empty();

  private Optional<KafkaStreamsMetrics> client = Optional.empty();

  ProcessMetrics(Supplier<Optional<PipelineRun>> run, Health health, ClusterProbe probe) {
    this.run = run;
    this.health = health;
    this.probe = probe;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    collections.bindTo(registry);
    for (KafkaStreams.State state : KafkaStreams.State.values()) {
      Gauge.builder("sfumato.client.state", health, h -> h.state() == state ? 1 : 0)
          .description("State of the Kafka Streams client: 1 for the one it is in")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("sfumato.advancing", health, h -> h.status().advancing() ? 1 : 0)
        .description("0 while records wait and none is processed")
        .register(registry);
    Gauge.builder("sfumato.ready", health, h -> h.status().ready() ? 1 : 0)
        .description("What /readyz says")
        .register(registry);
    Gauge.builder(
            "sfumato.unsafe.topic.settings",
            run,
            r -> r.get().map(PipelineRun::unsafeSettings).orElse(0))
        .description("Settings of the pipeline's own topics that may lose state or entries")
        .register(registry);
    Gauge.builder("sfumato.brokers", probe, ClusterProbe::brokers)
        .description("Brokers that the cluster names; 0 while it does not answer")
        .register(registry);
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
    collections.close();
  }
}
