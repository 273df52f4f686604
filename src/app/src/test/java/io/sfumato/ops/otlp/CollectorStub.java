// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** An OpenTelemetry collector that decodes what it is sent, or does not take it. */
public final class CollectorStub implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "collector-stub");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /**
   * What came.
   *
   * @param headers of the request, by their names in lower case
   */
  public record Request(String path, Map<String, String> headers, byte[] body) {}

  /** Starts one at a port of its own. */
  public CollectorStub() throws IOException {
    this(0);
  }

  /** Starts one at a port where another one was. */
  public CollectorStub(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), values.get(0)));
    byte[] body = body(exchange.getRequestBody(), headers);
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (status == 200) {
      requests.add(new Request(exchange.getRequestURI().getPath(), headers, body));
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    return "gzip".equals(headers.get("content-encoding"))
        ? new GZIPInputStream(in).readAllBytes()
        : in.readAllBytes();
  }

  /** For {@code OTEL_EXPORTER_OTLP_ENDPOINT}. */
  public String url() {
    return "http://127.0.0.1:" + port();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Answers with this status from now on; what is not 200 is not kept. */
  void answerWith(int code) {
    status = code;
  }

  /** Answers nothing until the latch opens. */
  void holdUntil(CountDownLatch open) {
    gate = open;
  }

  public List<Request> requests() {
    return requests;
  }

  /** All spans, in the order in which they came. */
  public List<Span> spans() {
    return traces().stream()
        .flatMap(request -> request.getResourceSpansList().stream())
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  /** Attributes of all resources that anything was sent for. */
  public List<Map<String, Object>> resources() {
    List<Resource> found = new ArrayList<>();
    traces().forEach(t -> t.getResourceSpansList().forEach(r -> found.add(r.getResource())));
    metricRequests()
        .forEach(m -> m.getResourceMetricsList().forEach(r -> found.add(r.getResource())));
    return found.stream().map(resource -> attributes(resource.getAttributesList())).toList();
  }

  private List<ExportTraceServiceRequest> traces() {
    return bodies("/v1/traces").stream()
        .map(body -> parsed(() -> ExportTraceServiceRequest.parseFrom(body)))
        .toList();
  }

  private List<ExportMetricsServiceRequest> metricRequests() {
    return bodies("/v1/metrics").stream()
        .map(body -> parsed(() -> ExportMetricsServiceRequest.parseFrom(body)))
        .toList();
  }

  private List<byte[]> bodies(String path) {
    return requests.stream().filter(r -> r.path().equals(path)).map(Request::body).toList();
  }

  private interface Parser<T> {
    T parse() throws IOException;
  }

  private static <T> T parsed(Parser<T> parser) {
    try {
      return parser.parse();
    } catch (IOException e) {
      throw new AssertionError("no OTLP", e);
    }
  }

  /** Metrics of every request, in their order. */
  public List<List<Metric>> metrics() {
    return metricRequests().stream()
        .map(
            request ->
                request.getResourceMetricsList().stream()
                    .flatMap(resource -> resource.getScopeMetricsList().stream())
                    .flatMap(scope -> scope.getMetricsList().stream())
                    .toList())
        .toList();
  }

  /** Series as Prometheus' text has them, {@code name{label="value"}}, with their values. */
  public static Map<String, Double> series(List<Metric> metrics) {
    Map<String, Double> series = new TreeMap<>();
    for (Metric metric : metrics) {
      for (NumberDataPoint point : metric.getGauge().getDataPointsList()) {
        series.put(metric.getName() + labels(point.getAttributesList()), point.getAsDouble());
      }
      for (NumberDataPoint point : metric.getSum().getDataPointsList()) {
        series.put(metric.getName() + labels(point.getAttributesList()), point.getAsDouble());
      }
      for (SummaryDataPoint point : metric.getSummary().getDataPointsList()) {
        String labels = labels(point.getAttributesList());
        series.put(metric.getName() + "_count" + labels, (double) point.getCount());
        series.put(metric.getName() + "_sum" + labels, point.getSum());
      }
    }
    return series;
  }

  /** Series of Prometheus' text, with their values. */
  public static Map<String, Double> scraped(String text) {
    Map<String, Double> series = new TreeMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              series.put(line.substring(0, blank), number(line.substring(blank + 1)));
            });
    return series;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static String labels(List<KeyValue> attributes) {
    return attributes.isEmpty()
        ? ""
        : new TreeMap<>(attributes(attributes))
            .entrySet().stream()
                .map(
                    e ->
                        "%s=\"%s\""
                            .formatted(
                                e.getKey(),
                                e.getValue()
                                    .toString()
                                    .replace("\\", "\\\\")
                                    .replace("\"", "\\\"")
                                    .replace("\n", "\\n")))
                .collect(Collectors.joining(",", "{", "}"));
  }

  /** By their keys. */
  public static Map<String, Object> attributes(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(Collectors.toMap(KeyValue::getKey, pair -> value(pair.getValue())));
  }

  private static Object value(AnyValue value) {
    return value.hasIntValue() ? (Object) value.getIntValue() : value.getStringValue();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
