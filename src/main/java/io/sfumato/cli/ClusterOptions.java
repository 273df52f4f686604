// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the cluster is and how to speak to it. */
final class ClusterOptions {
  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,...",
      description = "Kafka cluster; by default localhost:9092.")
  Optional<String> bootstrapServers = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Kafka properties (TLS, SASL, ...). They win over the pipeline file's section 'kafka' and"
              + " lose against environment variables such as SFUMATO_KAFKA_SECURITY_PROTOCOL.")
  Optional<Path> config = Optional.empty();

  KafkaSettings settings(Map<String, String> section) throws RefusedException {
    return KafkaSettings.gather(section, config, System.getenv(), bootstrapServers);
  }
}
