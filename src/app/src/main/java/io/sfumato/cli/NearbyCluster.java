// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Which cluster is meant where nobody names one: that of a folder with an embedded broker's log,
 * and no other that listens at its address today; the usual one where there is no such folder.
 * Commands send personal data there.
 */
final class NearbyCluster implements Supplier<String> {
  private static final Duration RETRY = Duration.ofMillis(100);

  /** What names another cluster, of a command that knows no other folder. */
  static final String BY_SERVERS = "--bootstrap-servers HOST:PORT";

  /** The same of a command that does. */
  static final String BY_FOLDER =
      BY_SERVERS + ", or the folder of its embedded broker with --data DIR";

  private final EmbeddedFolder folder;

  /** Whether somebody said that it is this folder. */
  private final boolean named;

  private final Duration patience;
  private final Consumer<String> out;
  private final String naming;

  private boolean meant;
  private boolean runs;

  /**
   * @param named whether somebody said that it is this folder, which then must have a broker
   * @param patience how long a broker that has just been started may take
   * @param out told what is waited for
   * @param naming which options name another cluster
   */
  NearbyCluster(
      EmbeddedFolder folder,
      boolean named,
      Duration patience,
      Consumer<String> out,
      String naming) {
    this.folder = folder;
    this.named = named;
    this.patience = patience;
    this.out = out;
    this.naming = naming;
  }

  /** Asked where nobody names a cluster. */
  @Override
  public String get() {
    meant = named || folder.hasBroker();
    if (!meant || !folder.hasBroker()) {
      return KafkaSettings.DEFAULT_SERVERS;
    }
    long began = System.nanoTime();
    Optional<String> server = folder.server();
    Duration waited = Duration.ZERO;
    while (server.isEmpty() && waited.compareTo(patience) < 0) {
      out.accept(
          "the broker of folder %s is not running; waiting, %d of %d s"
              .formatted(folder.path(), waited.toSeconds(), patience.toSeconds()));
      Cluster.pause(RETRY);
      server = folder.server();
      waited = Duration.ofNanos(System.nanoTime() - began);
    }
    runs = server.isPresent();
    return server.orElse(KafkaSettings.DEFAULT_SERVERS);
  }

  /**
   * Requires that it is the folder's broker that was found, where that is meant; and where a folder
   * with a broker's log was named, that no file or variable names another cluster.
   *
   * @param settings which may name another cluster after all
   * @throws RefusedException if it was meant, and does not run, or another answers in its place
   */
  void require(KafkaSettings settings) throws RefusedException {
    if (!meant) {
      if (named && folder.hasBroker() && !isOfFolder(settings)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            "the cluster at %s is not the embedded one of folder %s: the pipeline file, --config, the environment or --bootstrap-servers names another. Leave out --data to use that cluster, or give the folder's --bootstrap-servers"
                .formatted(settings.bootstrapServers(), folder.path()));
      }
      return;
    }
    if (runs && isOfFolder(settings)) {
      return;
    }
    if (!folder.hasBroker()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "folder %s has no embedded broker: correct --data, or name the cluster with --bootstrap-servers HOST:PORT"
              .formatted(folder.path()));
    }
    throw new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "the broker of folder %s is not running%s: start it with 'sfumato run FILE --embedded', or name the cluster with %s"
            .formatted(
                folder.path(),
                runs
                    ? ", and another cluster answers at "
                        + settings.bootstrapServers()
                        + " (or this account cannot read the folder)"
                    : "",
                naming));
  }

  private boolean isOfFolder(KafkaSettings settings) throws RefusedException {
    try (Cluster cluster = Cluster.await(settings, patience, out)) {
      return folder.isOf(cluster);
    }
  }
}
