// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sfumato.ops.otlp.OtlpSettings.Target;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The export of one process. Everything happens in threads of its own, which end with the process;
 * what a collector does not take is dropped, and nothing waits for it but {@link #finish}, for some
 * seconds.
 */
public final class OtlpExport implements AutoCloseable {
  private static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(OtlpExport.class);

  /** {@link CollectorWatch} speaks for it. It is kept here since loggers are held weakly. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private static final Duration LAST_EXPORT = Duration.ofSeconds(3);

  /** Spans that wait for the collector; more are dropped. */
  private static final int MOST_SPANS = 2048;

  /** Within the time that an export may take. */
  private static final RetryPolicy RETRIES = RetryPolicy.builder().setMaxAttempts(3).build();

  private final GivenIds ids = new GivenIds();
  private final Optional<SdkMeterProvider> metrics;
  private final Optional<SdkTracerProvider> traces;
  private final Map<String, CollectorWatch> watches = new HashMap<>();
  private volatile Supplier<List<MetricSnapshots>> source = List::of;
  private boolean closed;

  private OtlpExport(Optional<OtlpSettings> settings) throws RefusedException {
    LIBRARY.setLevel(Level.OFF);
    Optional<Target> toMetrics = settings.flatMap(OtlpSettings::metrics);
    Optional<Target> toTraces = settings.flatMap(OtlpSettings::traces);
    metrics =
        toMetrics.isEmpty()
            ? Optional.empty()
            : Optional.of(metrics(settings.get(), toMetrics.get()));
    traces =
        toTraces.isEmpty() ? Optional.empty() : Optional.of(traces(settings.get(), toTraces.get()));
  }

  /** No export. */
  public static OtlpExport none() {
    try {
      return new OtlpExport(Optional.empty());
    } catch (RefusedException e) {
      throw new IllegalStateException("nothing is read", e);
    }
  }

  /**
   * Starts an export, and says so in one line.
   *
   * @throws RefusedException if a certificate cannot be read
   */
  public static OtlpExport start(OtlpSettings settings) throws RefusedException {
    OtlpExport export = new OtlpExport(Optional.of(settings));
    LOG.info("{}", settings.words());
    settings.exposed().ifPresent(LOG::warn);
    return export;
  }

  /** Whether anything is exported. */
  public boolean isOn() {
    return metrics.isPresent() || traces.isPresent();
  }

  /** What metrics are read from, from now on. */
  public void measure(Supplier<List<MetricSnapshots>> scrapes) {
    source = scrapes;
  }

  /** Traces of a pipeline's windows; nothing if they are not exported. */
  public Optional<WindowTraces> windows(Pipeline pipeline) {
    return windows(pipeline, System::currentTimeMillis);
  }

  /**
   * The same.
   *
   * @param millis the wall clock, milliseconds since 1970
   */
  Optional<WindowTraces> windows(Pipeline pipeline, LongSupplier millis) {
    return traces.map(provider -> new WindowTraces(pipeline, provider.get("sfumato"), ids, millis));
  }

  private SdkMeterProvider metrics(OtlpSettings settings, Target target) throws RefusedException {
    OtlpHttpMetricExporterBuilder exporter =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(target.url().toString())
            .setTimeout(target.timeout())
            .setConnectTimeout(target.timeout())
            .setRetryPolicy(RETRIES)
            .setCompression(compression(target));
    target.headers().forEach(exporter::addHeader);
    if (target.certificates().isPresent()) {
      exporter.setTrustedCertificates(read(target.certificates().get()));
    }
    Resource resource = resource(settings);
    long began = System.currentTimeMillis();
    MetricProducer scraped = of -> scraped(resource, began);
    return SdkMeterProvider.builder()
        .setResource(resource)
        .registerMetricReader(
            PeriodicMetricReader.builder(new WatchedMetricExporter(exporter.build(), watch(target)))
                .setInterval(settings.interval())
                .build())
        .registerMetricProducer(scraped)
        .build();
  }

  private Collection<MetricData> scraped(Resource resource, long began) {
    return ScrapedMetrics.at(resource, began, System.currentTimeMillis()).of(source.get());
  }

  private SdkTracerProvider traces(OtlpSettings settings, Target target) throws RefusedException {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(target.url().toString())
            .setTimeout(target.timeout())
            .setConnectTimeout(target.timeout())
            .setRetryPolicy(RETRIES)
            .setCompression(compression(target));
    target.headers().forEach(exporter::addHeader);
    if (target.certificates().isPresent()) {
      exporter.setTrustedCertificates(read(target.certificates().get()));
    }
    return SdkTracerProvider.builder()
        .setResource(resource(settings))
        .setIdGenerator(ids)
        .setSampler(Sampler.alwaysOn())
        .addSpanProcessor(
            BatchSpanProcessor.builder(new WatchedSpanExporter(exporter.build(), watch(target)))
                .setMaxQueueSize(MOST_SPANS)
                .setScheduleDelay(Duration.ofSeconds(1))
                .setExporterTimeout(target.timeout())
                .build())
        .build();
  }

  private CollectorWatch watch(Target target) {
    return watches.computeIfAbsent(target.address(), CollectorWatch::new);
  }

  private static String compression(Target target) {
    return target.compressed() ? "gzip" : "none";
  }

  private static byte[] read(Path certificates) throws RefusedException {
    try {
      return Files.readAllBytes(certificates);
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s: cannot be read (%s)".formatted(certificates, e.getClass().getSimpleName()));
    }
  }

  /** What the variables say, and what tells instances apart if they do not. */
  private static Resource resource(OtlpSettings settings) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put("service.instance.id", host() + ":" + ProcessHandle.current().pid());
    String version = OtlpExport.class.getPackage().getImplementationVersion();
    if (version != null) {
      attributes.put("service.version", version);
    }
    settings.resource().forEach(attributes::put);
    return Resource.getDefault().merge(Resource.create(attributes.build()));
  }

  private static String host() {
    String named = System.getenv("HOSTNAME");
    if (named != null && !named.isBlank()) {
      return named;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  @Override
  public void close() {
    finish();
  }

  /** Exports what is left, and waits some seconds for it. Nothing is exported afterwards. */
  public synchronized void finish() {
    if (closed || !isOn()) {
      return;
    }
    closed = true;
    Thread last =
        new Thread(
            () -> {
              Optional<CompletableResultCode> spans = traces.map(SdkTracerProvider::shutdown);
              metrics.ifPresent(SdkMeterProvider::shutdown);
              spans.ifPresent(sent -> sent.join(LAST_EXPORT.toMillis(), TimeUnit.MILLISECONDS));
            },
            "otlp-close");
    last.setDaemon(true);
    last.start();
    try {
      last.join(LAST_EXPORT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
