// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.proto.trace.v1.Span;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plans;
import io.sfumato.runtime.Patiently;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class OtlpExportTest {
  private static final long START = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final CollectorStub collector = stub();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> log =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };
  private final Logger logger = (Logger) LoggerFactory.getLogger(CollectorWatch.class);
  private final Level before = logger.getLevel();

  private static CollectorStub stub() {
    try {
      return new CollectorStub();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void listen() {
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
    logger.setLevel(before);
    collector.close();
  }

  private OtlpExport export(String... more) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return OtlpExport.start(OtlpSettings.of(environment, Optional.empty()).orElseThrow());
  }

  private static Pipeline pipeline(String unit) throws Exception {
    return Plans.plan(
            """
            pipeline: traced
            version: 3
            input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
            window: { size: 1d, clock: ticks, begin: 2026-01-05 }
            subjects: roster
            budget: { name: paid, unit: %s, epsilon: 0.5, %speriod: window }
            releases:
              - %s
            """
                .formatted(
                    unit,
                    unit.equals("record") ? "delta: 1e-6, " : "",
                    unit.equals("record")
                        ? "histogram: { name: mix, method: laplace, share: { epsilon: 0.5, delta: 1e-6 } }"
                        : "mollifier: { name: taste, share: { epsilon: 0.5 } }"))
        .pipeline();
  }

  private static String hex(com.google.protobuf.ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Test
  void shouldExportTheSeriesThatPrometheusReads() throws Exception {
    PrometheusMeterRegistry one = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    PrometheusMeterRegistry two = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    one.config().commonTags("pipeline", "one");
    two.config().commonTags("pipeline", "two");
    for (PrometheusMeterRegistry registry : List.of(one, two)) {
      Counter.builder("records").tag("outcome", "a \"b\"").register(registry).increment(7);
      FunctionCounter.builder("charges", this, t -> 3).register(registry);
      Gauge.builder("lag.seconds", () -> 1.5).register(registry);
      Gauge.builder("sfumato.pipeline.info", () -> 1).tag("version", "3").register(registry);
      Gauge.builder("nothing", () -> Double.NaN).register(registry);
      Timer.builder("pause").register(registry).record(Duration.ofMillis(250));
    }
    try (OtlpExport export = export()) {
      export.measure(
          () ->
              List.of(one.getPrometheusRegistry().scrape(), two.getPrometheusRegistry().scrape()));
    }
    Map<String, Double> sent = CollectorStub.series(collector.metrics().get(0));
    assertThat(sent)
        .hasSize(16)
        .isEqualTo(CollectorStub.scraped(one.scrape() + two.scrape()))
        .containsEntry("records_total{outcome=\"a \\\"b\\\"\",pipeline=\"one\"}", 7.0);
    assertThat(collector.metrics().get(0)).extracting(m -> m.getName()).doesNotHaveDuplicates();
    assertThat(collector.metrics().get(0))
        .filteredOn(metric -> metric.hasSum())
        .allSatisfy(metric -> assertThat(metric.getSum().getIsMonotonic()).isTrue());
  }

  @Test
  void shouldSendHeadersAndSayWhoSends() throws Exception {
    try (OtlpExport export =
        export(
            "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20canary,x-tenant=a",
            "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip",
            "OTEL_RESOURCE_ATTRIBUTES", "service.instance.id=i-1",
            "OTEL_SERVICE_NAME", "diary")) {
      export.windows(pipeline("record")).orElseThrow().committed(0, START + DAY);
    }
    assertThat(collector.requests()).extracting(CollectorStub.Request::path).contains("/v1/traces");
    assertThat(collector.requests())
        .allSatisfy(
            request ->
                assertThat(request.headers())
                    .containsEntry("authorization", "Bearer canary")
                    .containsEntry("x-tenant", "a")
                    .containsEntry("content-type", "application/x-protobuf")
                    .containsEntry("content-encoding", "gzip"));
    assertThat(collector.resources())
        .isNotEmpty()
        .allSatisfy(
            resource ->
                assertThat(resource)
                    .containsEntry("service.name", "diary")
                    .containsEntry("service.instance.id", "i-1"));
    assertThat(lines).isEmpty();
  }

  @Test
  void shouldTraceAWindowFromItsEndToItsCommit() throws Exception {
    try (OtlpExport export = export()) {
      WindowTraces traces = export.windows(pipeline("record")).orElseThrow();
      traces.closed(2, START + DAY);
      traces.released(2);
      traces.released(2);
      traces.released(1);
      WindowTrace first = traces.committed(2, START + DAY);
      traces.released(2);
      WindowTrace later = traces.committed(2, START + 4 * DAY);
      assertThat(first).isEqualTo(WindowTrace.of("traced", "paid", 2, START));
      assertThat(later).isEqualTo(WindowTrace.of("traced", "paid", 2, START + 3 * DAY));
    }
    Map<String, List<Span>> byTrace =
        collector.spans().stream().collect(Collectors.groupingBy(span -> hex(span.getTraceId())));
    assertThat(byTrace)
        .containsOnlyKeys(
            WindowTrace.of("traced", "paid", 2, START).traceId(),
            WindowTrace.of("traced", "paid", 2, START + 3 * DAY).traceId());
    byTrace.values().forEach(OtlpExportTest::requireOrder);
    assertThat(CollectorStub.attributes(window(byTrace.get(id(START))).getAttributesList()))
        .isEqualTo(
            Map.of(
                "sfumato.pipeline",
                "traced",
                "sfumato.version",
                3L,
                "sfumato.partition",
                2L,
                "sfumato.window.start",
                "2026-01-05T00:00:00Z",
                "sfumato.window.end",
                "2026-01-06T00:00:00Z",
                "sfumato.releases",
                2L));
    assertThat(
            CollectorStub.attributes(window(byTrace.get(id(START + 3 * DAY))).getAttributesList()))
        .containsEntry("sfumato.windows", 3L)
        .containsEntry("sfumato.releases", 1L);
  }

  private static String id(long start) {
    return WindowTrace.of("traced", "paid", 2, start).traceId();
  }

  private static Span window(List<Span> spans) {
    return spans.stream().filter(span -> span.getParentSpanId().isEmpty()).findAny().orElseThrow();
  }

  /** One window, in it closed, drawn and committed, one after the other, at whole seconds. */
  private static void requireOrder(List<Span> spans) {
    Map<String, Span> named = new HashMap<>();
    spans.forEach(span -> named.put(span.getName(), span));
    assertThat(spans).hasSize(4);
    assertThat(named).containsOnlyKeys("window", "closed", "drawn", "committed");
    Span window = named.get("window");
    assertThat(window.getParentSpanId()).isEmpty();
    for (String child : Set.of("closed", "drawn", "committed")) {
      assertThat(named.get(child).getParentSpanId()).isEqualTo(window.getSpanId());
      assertThat(named.get(child).getAttributesList()).isEmpty();
    }
    assertThat(
            List.of(
                window.getStartTimeUnixNano(),
                named.get("closed").getStartTimeUnixNano(),
                named.get("closed").getEndTimeUnixNano(),
                named.get("drawn").getStartTimeUnixNano(),
                named.get("drawn").getEndTimeUnixNano(),
                named.get("committed").getStartTimeUnixNano(),
                named.get("committed").getEndTimeUnixNano(),
                window.getEndTimeUnixNano()))
        .isSorted()
        .allMatch(time -> time % Duration.ofSeconds(1).toNanos() == 0);
  }

  /** How long draws take depends on how many records there are. */
  @ParameterizedTest
  @ValueSource(strings = {"record", "dataset"})
  void shouldTellHowLongAWindowTookOnlyWhereThatIsPublic(String unit) throws Exception {
    long[] now = {1_800_000_000_123L};
    try (OtlpExport export = export()) {
      WindowTraces traces = export.windows(pipeline(unit), () -> now[0]).orElseThrow();
      traces.closed(0, START + DAY);
      now[0] += 5_900;
      traces.committed(0, START + DAY);
    }
    assertThat(collector.spans())
        .hasSize(4)
        .extracting(Span::getName, Span::getStartTimeUnixNano, Span::getEndTimeUnixNano)
        .containsExactlyInAnyOrderElementsOf(
            unit.equals("record")
                ? List.of(
                    tuple("closed", 1_800_000_000L, 1_800_000_000L),
                    tuple("drawn", 1_800_000_000L, 1_800_000_006L),
                    tuple("committed", 1_800_000_006L, 1_800_000_006L),
                    tuple("window", 1_800_000_000L, 1_800_000_006L))
                : List.of(
                    tuple("closed", 1_800_000_006L, 1_800_000_006L),
                    tuple("drawn", 1_800_000_006L, 1_800_000_006L),
                    tuple("committed", 1_800_000_006L, 1_800_000_006L),
                    tuple("window", 1_800_000_006L, 1_800_000_006L)));
  }

  private static org.assertj.core.groups.Tuple tuple(String name, long from, long to) {
    long nanos = Duration.ofSeconds(1).toNanos();
    return org.assertj.core.api.Assertions.tuple(name, from * nanos, to * nanos);
  }

  @Test
  void shouldNameACollectorThatRefusesOnceAndGoOn() throws Exception {
    collector.answerWith(401);
    try (OtlpExport export = export("OTEL_METRIC_EXPORT_INTERVAL", "1000")) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      Counter.builder("records").register(registry).increment();
      export.measure(() -> List.of(registry.getPrometheusRegistry().scrape()));
      WindowTraces traces = export.windows(pipeline("record")).orElseThrow();
      for (int day = 1; day <= 3; day++) {
        traces.committed(0, START + day * DAY);
      }
      Patiently.await().until(() -> !lines.isEmpty());
      collector.answerWith(200);
      Patiently.await().until(() -> !collector.metrics().isEmpty());
      Patiently.await().until(() -> lines.size() == 2);
    }
    assertThat(lines)
        .containsExactly(
            "the OpenTelemetry collector at %s does not take exports (HTTP status 401). Metrics and traces are dropped until it does; the pipeline goes on"
                .formatted(collector.url()),
            "the OpenTelemetry collector at %s takes exports again".formatted(collector.url()));
  }

  /** Nothing but the log's own line, neither from the library nor from the JDK's logging. */
  @Test
  void shouldNameACollectorThatIsDownOnce() throws Exception {
    collector.close();
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (OtlpExport export = export()) {
      export.windows(pipeline("record")).orElseThrow().committed(0, START + DAY);
    } finally {
      System.setErr(err);
    }
    Patiently.await().until(() -> lines.stream().anyMatch(line -> line.contains(collector.url())));
    assertThat(lines)
        .filteredOn(
            line -> line.contains(collector.url())) // not an earlier test's, whose line is late
        .singleElement()
        .asString()
        .startsWith("the OpenTelemetry collector at " + collector.url())
        .contains("(no connection)");
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("io.opentelemetry");
  }

  /** Twenty times as many windows as there is room for, while the collector does not answer. */
  @Test
  void shouldDropWhatASlowCollectorDoesNotTake() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    collector.holdUntil(open);
    OtlpExport export = export();
    WindowTraces traces = export.windows(pipeline("record")).orElseThrow();
    int windows = 10_000;
    for (int day = 1; day <= windows; day++) {
      traces.closed(0, START + day * DAY);
      traces.committed(0, START + day * DAY);
    }
    Set<Thread> blocking =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> !t.isDaemon() && t.getName().toLowerCase().contains("otlp"))
            .collect(Collectors.toSet());
    assertThat(blocking).as("threads that a process would wait for").isEmpty();
    export.close(); // returns although nothing is answered
    open.countDown();
    assertThat(collector.spans().size()).isLessThan(4 * windows / 5);
  }
}
