// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.util.Optional;

/**
 * Where operators may look.
 *
 * @param host address to bind to
 * @param page port of everything
 * @param probes port of probes alone
 * @param token what callers must show, if anything
 * @param metrics which of Kafka's metrics are exported
 */
public record HttpSettings(
    String host, Port page, Port probes, Optional<AccessToken> token, KafkaMetrics metrics) {
  /** Only this machine sees it. */
  public static final String LOOPBACK = "127.0.0.1";

  /** Of everything, unless told otherwise. */
  public static final int DEFAULT_PORT = 8085;

  /** Of probes alone, unless told otherwise. */
  public static final int DEFAULT_PROBE_PORT = 8086;

  /** Probes at any free port. */
  public HttpSettings(String host, int port, boolean fallBack, Optional<AccessToken> token) {
    this(host, new Port(port, fallBack), new Port(0, true), token, KafkaMetrics.OF_CLIENTS);
  }

  /** How much of what Kafka measures is exported. */
  public enum KafkaMetrics {
    /** Metrics of clients and stream threads: their number does not grow with partitions. */
    OF_CLIENTS,
    /** Also those of each task, store, topic, partition and broker: some 500 for a partition. */
    ALL
  }

  /**
   * A port to bind.
   *
   * @param number 0 for any that is free
   * @param fallBack whether any free port will do if this one is in use
   */
  public record Port(int number, boolean fallBack) {}

  /** Whether others than this machine can reach it, and need not show anything. */
  public boolean isOpenToOthers() {
    return !host.equals(LOOPBACK) && !host.equals("localhost") && token.isEmpty();
  }
}
