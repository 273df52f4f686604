// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sfumato.ops.http.Content;
import io.sfumato.ops.http.Content.Answer;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.ServerSentEvents;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators see of one pipeline, from before its start to its end. */
public final class WatchedPipeline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedPipeline.class);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  /** Label of every metric of a pipeline: a process may run several. */
  private static final String PIPELINE = "pipeline";

  private final KafkaSettings settings;
  private final Plan plan;
  private final ClusterProbe probe;
  private final Health health;
  private final OperatorEvents notes;
  private final StatusDocument board;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final PipelineMetrics pipeline;
  private final RunMetrics client;
  private final ServerSentEvents events;
  private final Remembered snapshot;
  private final Set<Class<?>> failures = new HashSet<>();
  private final SchemaSource schemas;
  private final Map<String, Content> contents;

  /** How it ended while its process goes on; 0 before. */
  private final AtomicInteger exitCode = new AtomicInteger();

  private volatile Optional<PipelineRun> run = Optional.empty();
  private volatile Optional<LatestOutputs> latest = Optional.empty();

  /**
   * @param noiseKeyTag fingerprint of the noise key
   * @param wanted which of Kafka's metrics are exported
   */
  WatchedPipeline(
      Plan plan,
      RunningCounts counts,
      String noiseKeyTag,
      KafkaSettings settings,
      HttpSettings.KafkaMetrics wanted)
      throws RefusedException {
    this.plan = plan;
    this.settings = settings;
    this.schemas = SchemaRegistries.of(settings);
    Supplier<Optional<PipelineRun>> running = () -> run;
    probe = new ClusterProbe(settings, plan.pipeline().applicationId());
    TickAge age = new TickAge(plan.pipeline(), counts, running);
    health = new Health(running, probe, age);
    notes = new OperatorEvents(plan.pipeline(), counts, running, probe);
    board = new StatusDocument(plan, counts, health, notes, probe, noiseKeyTag);
    snapshot = new Remembered(board::json);
    events = new ServerSentEvents(() -> new String(snapshot.get(), StandardCharsets.UTF_8));
    pipeline = new PipelineMetrics(plan, counts, age, noiseKeyTag);
    client = new RunMetrics(running, health, probe);
    registry
        .config()
        .namingConvention(Conventions.names())
        .commonTags(PIPELINE, plan.pipeline().name())
        .meterFilter(new Conventions(wanted));
    pipeline.bindTo(registry);
    client.bindTo(registry);
    Metric.EXIT_CODE.gauge(registry, Tags.empty(), exitCode, AtomicInteger::get);
    Metric.PAGE_CLIENTS.gauge(registry, Tags.empty(), events, ServerSentEvents::clients);
    contents = made();
  }

  /** What is looked at from now on, on a budget that did not begin with an import. */
  public void watch(PipelineRun started) {
    watch(started, OptionalLong.empty());
  }

  /**
   * What is looked at from now on.
   *
   * @param sealedAt where the ledger was sealed that the budget began with, milliseconds since
   *     1970; nothing where none was imported
   */
  public void watch(PipelineRun started, OptionalLong sealedAt) {
    notes.beganWith(sealedAt);
    Map<String, PlannedRelease> releases = OutputCards.topics(started.plan());
    LatestOutputs outputs =
        new LatestOutputs(settings, schemas, releases, started.plan().pipeline().listed());
    latest = Optional.of(outputs);
    board.show(started.plan(), outputs, started.topology());
    run = Optional.of(started);
  }

  /** It ended by itself, with this exit code, and its process goes on. */
  void ended(int code) {
    exitCode.set(code);
  }

  /** Its name. */
  String name() {
    return plan.pipeline().name();
  }

  /** How it is. */
  Health.Status status() {
    return health.status();
  }

  /** Its page and probes, by their names below the page's folder; the page's own is empty. */
  Map<String, Content> contents() {
    return contents;
  }

  private Map<String, Content> made() {
    Map<String, Content> contents = new TreeMap<>(pageFiles());
    contents.put("", page("index.html", "text/html; charset=utf-8"));
    contents.put("snapshot.json", new Content(JSON, false, () -> new Answer(200, snapshot.get())));
    contents.put("livez", probe(() -> health.status().live()));
    contents.put("readyz", probe(() -> health.status().ready()));
    contents.put("startupz", probe(() -> health.status().started()));
    return contents;
  }

  /** What pages need beside themselves. */
  static Map<String, Content> pageFiles() {
    return Map.of(
        "style.css", page("style.css", "text/css; charset=utf-8"),
        "tables.js", page("tables.js", "text/javascript; charset=utf-8"),
        "page.js", page("page.js", "text/javascript; charset=utf-8"),
        "icon.svg", page("icon.svg", "image/svg+xml"));
  }

  /** The events of its page. */
  ServerSentEvents events() {
    return events;
  }

  /** For probes, which have no token: yes or no. */
  static Content probe(BooleanSupplier good) {
    return new Content(
        TEXT,
        true,
        () ->
            good.getAsBoolean()
                ? new Answer(200, "ok\n".getBytes(StandardCharsets.UTF_8))
                : new Answer(503, "no\n".getBytes(StandardCharsets.UTF_8)));
  }

  private static Content page(String name, String type) {
    try (InputStream in = WatchedPipeline.class.getResourceAsStream("page/" + name)) {
      byte[] body = in.readAllBytes();
      return new Content(type, false, () -> new Answer(200, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its metrics, in Prometheus' text format. */
  String scrape() {
    pipeline.refresh(registry);
    client.refresh(registry);
    return registry.scrape();
  }

  /** The same metrics for the export by OTLP. */
  MetricSnapshots snapshots() {
    pipeline.refresh(registry);
    client.refresh(registry);
    return registry.getPrometheusRegistry().scrape();
  }

  /** Looks at it; called once a second. */
  void tick() {
    try {
      health.refresh();
      notes.refresh();
      board.tick();
      if (events.clients() > 0) {
        events.send(new String(snapshot.get(), StandardCharsets.UTF_8));
      }
    } catch (RuntimeException e) {
      // Only the class, only once, and the pipeline goes on: nobody may suffer from being looked
      // at.
      if (failures.add(e.getClass())) {
        LOG.warn("status page update failed: {}", e.getClass().getName());
      }
    }
  }

  @Override
  public void close() {
    events.close();
    latest.ifPresent(LatestOutputs::close);
    probe.close();
    client.close();
    registry.close();
  }
}
