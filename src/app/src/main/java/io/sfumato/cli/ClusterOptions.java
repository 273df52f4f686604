// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the cluster is and how to speak to it. */
final class ClusterOptions {
  /** Whoever types a command waits no longer to be told that nobody is there. */
  private static final String PATIENCE = "5s";

  /** Environment variable with another one, where a cluster is known to be slow. */
  private static final String WAIT = "SFUMATO_WAIT";

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,...",
      description =
          "Kafka cluster; by default that of .sfumato, if one was embedded there, else localhost:9092.")
  Optional<String> bootstrapServers = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Kafka properties (TLS, SASL, ...). They win over the pipeline file's section 'kafka' and"
              + " lose against environment variables such as SFUMATO_KAFKA_SECURITY_PROTOCOL.")
  Optional<Path> config = Optional.empty();

  /** For one pipeline: of a folder of properties, its file {@code NAME.properties}. */
  ClusterOptions of(String pipeline) {
    ClusterOptions own = new ClusterOptions();
    own.bootstrapServers = bootstrapServers;
    own.config =
        config.map(path -> Files.isDirectory(path) ? path.resolve(pipeline + ".properties") : path);
    return own;
  }

  /** Of a command that waits for the cluster itself. */
  KafkaSettings settings(Map<String, String> section) throws RefusedException {
    return settings(section, EmbeddedFolder.DEFAULT, false, NearbyCluster.BY_SERVERS);
  }

  /**
   * The same.
   *
   * @param folder that was named, even if it is the usual one: its embedded broker is meant, unless
   *     somebody names another cluster; of the usual one, if it has one, where none was
   * @throws RefusedException if it is meant and does not run
   */
  KafkaSettings settings(Map<String, String> section, Optional<Path> folder)
      throws RefusedException {
    return settings(
        section,
        folder.orElse(EmbeddedFolder.DEFAULT),
        folder.isPresent(),
        NearbyCluster.BY_FOLDER);
  }

  private KafkaSettings settings(
      Map<String, String> section, Path folder, boolean named, String naming)
      throws RefusedException {
    return settings(
        section,
        new NearbyCluster(
            new EmbeddedFolder(folder),
            named,
            patience(System.getenv()),
            ignoredWaiting -> {},
            naming));
  }

  /** The same. */
  KafkaSettings settings(Map<String, String> section, NearbyCluster nearby)
      throws RefusedException {
    KafkaSettings settings =
        KafkaSettings.gather(section, config, System.getenv(), bootstrapServers, nearby);
    nearby.require(settings);
    return settings;
  }

  /** Of another cluster than the one that the options name, with the same properties file. */
  KafkaSettings settingsAt(String servers, Map<String, String> section) throws RefusedException {
    return KafkaSettings.gather(section, config, System.getenv(), Optional.of(servers));
  }

  /** Of a command that writes down where the cluster is, and asks it nothing. */
  KafkaSettings named(Map<String, String> section) throws RefusedException {
    return KafkaSettings.gather(
        section,
        config,
        System.getenv(),
        bootstrapServers,
        () ->
            new EmbeddedFolder(EmbeddedFolder.DEFAULT)
                .server()
                .orElse(KafkaSettings.DEFAULT_SERVERS));
  }

  /** Of a command that needs the cluster at once. */
  KafkaSettings reach(Map<String, String> section) throws RefusedException {
    KafkaSettings settings = settings(section);
    requireAnswer(settings);
    return settings;
  }

  /**
   * The same.
   *
   * @param folder that was named, as above
   * @throws RefusedException if no cluster answers within seconds
   */
  KafkaSettings reach(Map<String, String> section, Optional<Path> folder) throws RefusedException {
    KafkaSettings settings = settings(section, folder);
    requireAnswer(settings);
    return settings;
  }

  /**
   * The same, of a command whose folder holds state, with an embedded broker or without one.
   *
   * @param folder whose embedded broker is meant, if it has one and nobody names another cluster
   * @throws RefusedException if no cluster answers within seconds
   */
  KafkaSettings reachBeside(Map<String, String> section, Path folder) throws RefusedException {
    KafkaSettings settings = settings(section, folder, false, NearbyCluster.BY_FOLDER);
    requireAnswer(settings);
    return settings;
  }

  /** The same of settings that were gathered already. */
  static void requireAnswer(KafkaSettings settings) throws RefusedException {
    Cluster.await(settings, patience(System.getenv()), waiting -> {}).close();
  }

  /** As they are typed again. */
  List<String> typed() {
    List<String> options = new ArrayList<>();
    bootstrapServers.ifPresent(servers -> options.addAll(List.of("--bootstrap-servers", servers)));
    config.ifPresent(path -> options.addAll(List.of("--config", path.toString())));
    return options;
  }

  static Duration patience(Map<String, String> environment) throws RefusedException {
    try {
      return WaitingTime.parse(environment.getOrDefault(WAIT, PATIENCE));
    } catch (TypeConversionException e) {
      throw new RefusedException(ExitCode.USAGE, WAIT + ": " + e.getMessage());
    }
  }
}
