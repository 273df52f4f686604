// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ops.GroupOperations;
import io.sfumato.ops.Operations;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where operators may look. */
final class HttpOptions {
  private static final String TOKEN = "SFUMATO_HTTP_TOKEN";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of page and metrics; 0 for any; by default 8085, or any if that is in use.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--probe-port",
      paramLabel = "PORT",
      description =
          "Port of /livez, /readyz and /startupz alone, which answers whatever happens at "
              + "the other port; 0 for any; by default 8086, or any if that is in use.")
  private Optional<Integer> probePort = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to bind to; by default 127.0.0.1, which only this machine reaches.")
  private String host = HttpSettings.LOOPBACK;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File with an access token, shown as a bearer token or, in browsers, as the password."
              + " Or in the environment: "
              + TOKEN
              + ".")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(names = "--no-http", description = "Open no port.")
  private boolean none;

  @Option(
      names = "--all-metrics",
      description =
          "Export Kafka's metrics of each task, store, topic, partition and broker too: some 500"
              + " series for a partition. By default those of clients and stream threads.")
  private boolean allMetrics;

  /** Which of Kafka's metrics are exported. */
  HttpSettings.KafkaMetrics metrics() {
    return allMetrics ? HttpSettings.KafkaMetrics.ALL : HttpSettings.KafkaMetrics.OF_CLIENTS;
  }

  /** Nothing if no port is wanted. */
  Optional<HttpSettings> settings() throws RefusedException {
    if (none) {
      return Optional.empty();
    }
    return Optional.of(
        new HttpSettings(
            host,
            port("--port", port, HttpSettings.DEFAULT_PORT),
            port("--probe-port", probePort, HttpSettings.DEFAULT_PROBE_PORT),
            TokenFile.read(tokenFile, TOKEN, "--token-file"),
            metrics()));
  }

  /** Says where to look, once it is worth looking. */
  static void tell(Operations operations, HttpSettings where) {
    tell(operations.port(), operations.probePort(), where);
  }

  /** The same of several pipelines. */
  static void tell(GroupOperations operations, HttpSettings where) {
    tell(operations.port(), operations.probePort(), where);
  }

  private static void tell(int port, int probePort, HttpSettings where) {
    System.out.println(
        "status page: http://%1$s:%2$d/, readiness probe: http://%1$s:%3$d/readyz"
            .formatted(where.host(), port, probePort));
    if (where.isOpenToOthers()) {
      System.out.println(
          "note: everyone who can reach this port can read outputs, settings and progress; "
              + "require a token with --token-file FILE");
    }
  }

  static HttpSettings.Port port(String option, Optional<Integer> given, int otherwise)
      throws RefusedException {
    int number = given.orElse(otherwise);
    if (number < 0 || number > 65_535) {
      throw new RefusedException(
          ExitCode.USAGE, option + ": found " + number + ", allowed is 0 to 65535");
    }
    return new HttpSettings.Port(number, given.isEmpty());
  }
}
