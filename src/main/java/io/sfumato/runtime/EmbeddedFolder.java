// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * Folder of an embedded cluster: its log, and the secret of what runs on it.
 *
 * @param path as {@code run --data} was given it
 */
public record EmbeddedFolder(Path path) {
  /** Unless another one is named. */
  public static final Path DEFAULT = Path.of(".sfumato");

  /** Where the broker has its log. */
  public Path broker() {
    return path.resolve("broker");
  }

  /** Where the noise secret is, if none was given to {@code run}. */
  public Path secret() {
    return path.resolve("noise.key");
  }

  /**
   * Whether a cluster is the one whose log is here: an address may be another cluster's today.
   *
   * @throws RefusedException if the cluster does not say which it is
   */
  public boolean isOf(Cluster cluster) throws RefusedException {
    Optional<String> own = clusterId();
    return own.isPresent() && own.get().equals(cluster.id());
  }

  /** As Kafka wrote it when the folder was made. */
  private Optional<String> clusterId() {
    Properties written = new Properties();
    try (Reader reader = Files.newBufferedReader(broker().resolve("meta.properties"))) {
      written.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(written.getProperty("cluster.id"));
  }
}
