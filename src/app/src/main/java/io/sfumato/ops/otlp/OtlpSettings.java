// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.otlp;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What is exported, and where to, as OpenTelemetry's environment variables say. Values of headers
 * are secrets: no message and no text of this class contains one.
 *
 * @param metrics where metrics go; nothing if they are not exported
 * @param traces where traces go; nothing if they are not exported
 * @param interval between two exports of all metrics
 * @param resource what tells this process from others, by OpenTelemetry's names
 */
public record OtlpSettings(
    Optional<Target> metrics,
    Optional<Target> traces,
    Duration interval,
    Map<String, String> resource) {
  /** The name of the service unless another one is set. */
  static final String SERVICE = "sfumato";

  static final String SERVICE_NAME = "service.name";

  private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
  private static final String INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL";
  private static final String HTTP = "http/protobuf";
  private static final String GZIP = "gzip";
  private static final String NONE = "none";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /** What the JDK's client sets itself. */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "upgrade");

  /**
   * One endpoint.
   *
   * @param url that is posted to
   * @param headers of each request
   * @param timeout of each request
   * @param compressed whether bodies are compressed
   * @param certificates of those who sign the collector's, instead of the JDK's own
   */
  record Target(
      URI url,
      Map<String, String> headers,
      Duration timeout,
      boolean compressed,
      Optional<Path> certificates) {
    /** Without a path. */
    String address() {
      return url.getScheme() + "://" + url.getAuthority();
    }

    private String words() {
      return url
          + (headers.isEmpty()
              ? ""
              : " (headers "
                  + String.join(", ", headers.keySet().stream().map(name -> name + "=***").toList())
                  + ")");
    }

    private boolean exposesHeaders() {
      return !headers.isEmpty()
          && "http".equals(url.getScheme())
          && !Set.of("localhost", "127.0.0.1", "[::1]").contains(url.getHost());
    }
  }

  /** What a variable of one signal is called, and what those of all signals are called. */
  private enum Signal {
    METRICS,
    TRACES;

    private String path() {
      return "v1/" + name().toLowerCase(Locale.ROOT);
    }

    private String exporter() {
      return "OTEL_" + name() + "_EXPORTER";
    }
  }

  /** A variable that is set, by the name under which it is. */
  private record Variable(String name, String value) {}

  /**
   * Reads variables.
   *
   * @param fromFile headers that a file has, instead of the environment
   * @return nothing if no endpoint is set, or if the export is disabled
   * @throws RefusedException if one is wrong; the message has its name, and never a header's value
   */
  public static Optional<OtlpSettings> of(
      Map<String, String> environment, Optional<Map<String, String>> fromFile)
      throws RefusedException {
    if ("true".equalsIgnoreCase(environment.getOrDefault("OTEL_SDK_DISABLED", ""))) {
      return Optional.empty();
    }
    Optional<Target> metrics = target(Signal.METRICS, environment, fromFile);
    Optional<Target> traces = target(Signal.TRACES, environment, fromFile);
    if (metrics.isEmpty() && traces.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> resource = new TreeMap<>(Map.of(SERVICE_NAME, SERVICE));
    Optional<Variable> attributes = set(environment, "OTEL_RESOURCE_ATTRIBUTES");
    if (attributes.isPresent()) {
      resource.putAll(pairs(attributes.get()));
    }
    set(environment, "OTEL_SERVICE_NAME").ifPresent(v -> resource.put(SERVICE_NAME, v.value()));
    Optional<Variable> interval = set(environment, INTERVAL);
    return Optional.of(
        new OtlpSettings(
            metrics,
            traces,
            interval.isEmpty()
                ? Duration.ofMinutes(1)
                : milliseconds(interval.get(), SHORTEST, LONGEST),
            resource));
  }

  /** Variables that are set and hold headers. */
  public static List<String> headersIn(Map<String, String> environment) {
    return Stream.of("HEADERS", "METRICS_HEADERS", "TRACES_HEADERS")
        .map(PREFIX::concat)
        .filter(name -> set(environment, name).isPresent())
        .toList();
  }

  /**
   * Reads headers from a file's text: the value of {@code OTEL_EXPORTER_OTLP_HEADERS}.
   *
   * @param file its name, for messages
   */
  public static Map<String, String> headers(String file, String text) throws RefusedException {
    return headers(new Variable(file, text.strip()));
  }

  /** One line, with every value of a header masked. */
  public String words() {
    List<String> parts = new ArrayList<>();
    metrics.ifPresent(
        target ->
            parts.add("metrics every %d ms to %s".formatted(interval.toMillis(), target.words())));
    traces.ifPresent(target -> parts.add("traces to " + target.words()));
    return "exporting by OTLP: %s; resource %s".formatted(String.join(", ", parts), resource);
  }

  /** A warning where headers are sent unencrypted. */
  public Optional<String> exposed() {
    return Stream.of(metrics, traces)
        .flatMap(Optional::stream)
        .filter(Target::exposesHeaders)
        .map(Target::address)
        .findFirst()
        .map(
            address ->
                "the headers for the collector go over plain http to %s: credentials can be intercepted in transit; use https"
                    .formatted(address));
  }

  private static Optional<Target> target(
      Signal signal, Map<String, String> environment, Optional<Map<String, String>> fromFile)
      throws RefusedException {
    Optional<URI> url = url(signal, environment);
    if (url.isEmpty()) {
      return Optional.empty();
    }
    Optional<Variable> protocol = set(signal, "PROTOCOL", environment);
    if (protocol.isPresent() && !protocol.get().value().equals(HTTP)) {
      throw refused(protocol.get(), HTTP + " (port 4318 of most collectors)");
    }
    Optional<Variable> timeout = set(signal, "TIMEOUT", environment);
    Optional<Variable> compression = set(signal, "COMPRESSION", environment);
    if (compression.isPresent() && !Set.of(GZIP, NONE).contains(compression.get().value())) {
      throw refused(compression.get(), GZIP + " or " + NONE);
    }
    Optional<Variable> headers = set(signal, "HEADERS", environment);
    return Optional.of(
        new Target(
            url.get(),
            fromFile.isPresent()
                ? fromFile.get()
                : headers.isPresent() ? headers(headers.get()) : Map.of(),
            timeout.isEmpty()
                ? Duration.ofSeconds(10)
                : milliseconds(timeout.get(), Duration.ofMillis(1), Duration.ofMinutes(1)),
            compression.filter(v -> v.value().equals(GZIP)).isPresent(),
            set(signal, "CERTIFICATE", environment).map(v -> Path.of(v.value()))));
  }

  private static Optional<URI> url(Signal signal, Map<String, String> environment)
      throws RefusedException {
    Optional<Variable> exporter = set(environment, signal.exporter());
    if (exporter.isPresent() && !Set.of("otlp", NONE).contains(exporter.get().value())) {
      throw refused(exporter.get(), "otlp or " + NONE);
    }
    if (exporter.filter(v -> v.value().equals(NONE)).isPresent()) {
      return Optional.empty();
    }
    Optional<Variable> own = set(environment, PREFIX + signal.name() + "_ENDPOINT");
    if (own.isPresent()) {
      return Optional.of(url(own.get(), own.get().value()));
    }
    Optional<Variable> common = set(environment, PREFIX + "ENDPOINT");
    if (common.isEmpty()) {
      return Optional.empty();
    }
    String base = common.get().value();
    return Optional.of(url(common.get(), base + (base.endsWith("/") ? "" : "/") + signal.path()));
  }

  private static URI url(Variable variable, String text) throws RefusedException {
    try {
      URI url = new URI(text);
      if (url.getHost() != null
          && Set.of("http", "https").contains(String.valueOf(url.getScheme()))
          && url.getUserInfo() == null
          && url.getQuery() == null
          && url.getFragment() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      // It may hold a password: it is not quoted.
    }
    throw new RefusedException(
        ExitCode.REFUSED_FILE,
        variable.name() + ": allowed is a URL such as http://collector:4318, without a password");
  }

  private static Optional<Variable> set(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .map(value -> new Variable(name, value));
  }

  /** That of one signal, or else that of all. */
  private static Optional<Variable> set(
      Signal signal, String name, Map<String, String> environment) {
    return set(environment, PREFIX + signal.name() + "_" + name)
        .or(() -> set(environment, PREFIX + name));
  }

  private static Duration milliseconds(Variable variable, Duration least, Duration most)
      throws RefusedException {
    if (variable.value().matches("\\d{1,9}")) {
      Duration found = Duration.ofMillis(Long.parseLong(variable.value()));
      if (found.compareTo(least) >= 0 && found.compareTo(most) <= 0) {
        return found;
      }
    }
    throw refused(variable, "%d to %d milliseconds".formatted(least.toMillis(), most.toMillis()));
  }

  private static Map<String, String> headers(Variable variable) throws RefusedException {
    Map<String, String> headers = pairs(variable);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!header.getKey().matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
          || !header.getValue().chars().allMatch(c -> c >= ' ' && c < 127)
          || RESERVED.contains(header.getKey().toLowerCase(Locale.ROOT))) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            variable.name() + ": a header's name or value is not allowed in HTTP requests");
      }
    }
    return headers;
  }

  /** A list such as {@code a=1,b=two%20words}. */
  private static Map<String, String> pairs(Variable variable) throws RefusedException {
    Map<String, String> pairs = new LinkedHashMap<>();
    int entry = 0;
    for (String pair : variable.value().split(",")) {
      entry++;
      int sign = pair.indexOf('=');
      if (pair.isBlank()) {
        continue;
      }
      try {
        String name = sign < 1 ? "" : decoded(pair.substring(0, sign));
        if (name.isEmpty()) {
          throw new IllegalArgumentException("no name");
        }
        pairs.put(name, decoded(pair.substring(sign + 1)));
      } catch (IllegalArgumentException e) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "%s: entry %d is not NAME=VALUE, in percent-encoding"
                .formatted(variable.name(), entry));
      }
    }
    return pairs;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Not for what may hold a secret. */
  private static RefusedException refused(Variable variable, String allowed) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "%s: found '%s', allowed is %s".formatted(variable.name(), variable.value(), allowed));
  }
}
