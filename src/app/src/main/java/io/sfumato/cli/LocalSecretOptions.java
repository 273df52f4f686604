// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the noise secret is for a command beside a pipeline that runs, perhaps embedded. */
final class LocalSecretOptions {
  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "File with the noise secret; or set SFUMATO_NOISE_SECRET.")
  Optional<Path> file = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder of an embedded cluster, whose secret is used for that cluster alone; by default"
              + " .sfumato.")
  Optional<Path> data = Optional.empty();

  /** Of an embedded cluster: named, or the usual one. */
  Path folder() {
    return data.orElse(EmbeddedFolder.DEFAULT);
  }

  /**
   * A noise secret.
   *
   * @param place where it was found, for people
   */
  record Found(NoiseSecret secret, String place) {}

  /**
   * The secret, if there is one.
   *
   * @param settings of the cluster that it is for
   * @throws RefusedException if it is unfit, or that of another cluster's folder
   */
  Optional<NoiseSecret> find(KafkaSettings settings) throws RefusedException {
    return findWithPlace(settings).map(Found::secret);
  }

  /**
   * The secret, without which a command has nothing to sign or to draw with; says if it stands
   * where others see it.
   */
  NoiseSecret require(KafkaSettings settings) throws RefusedException {
    Secrets.exposure(file, System.getenv()).ifPresent(System.err::println);
    Optional<NoiseSecret> found = find(settings);
    return found.isPresent() ? found.get() : Secrets.require(file, System.getenv());
  }

  /** Whether a cluster is the embedded one of the folder. */
  boolean isOfFolder(KafkaSettings settings) throws RefusedException {
    EmbeddedFolder folder = new EmbeddedFolder(folder());
    if (folder.server().isEmpty()) {
      return false;
    }
    ClusterOptions.requireAnswer(settings);
    return folder.isAt(settings);
  }

  /** The same, with where it was found. */
  Optional<Found> findWithPlace(KafkaSettings settings) throws RefusedException {
    EmbeddedFolder folder = new EmbeddedFolder(folder());
    if (isGiven() || !Files.exists(folder.secret())) {
      return found(data);
    }
    ClusterOptions.requireAnswer(settings);
    if (folder.isAt(settings)) {
      return found(Optional.of(folder.path()));
    }
    if (data.isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the cluster at %s is not the embedded one of folder %s, so the folder's noise key does not apply: give the secret of the pipeline that runs there with --secret-file FILE, or the folder's own --bootstrap-servers"
              .formatted(settings.bootstrapServers(), folder.path()));
    }
    return Optional.empty();
  }

  /** That of a command that asks no cluster: what was given, or lies in the folder given. */
  Optional<Found> findAlone() throws RefusedException {
    return found(data);
  }

  private boolean isGiven() {
    return file.isPresent() || System.getenv().containsKey(Secrets.VARIABLE);
  }

  private Optional<Found> found(Optional<Path> folder) throws RefusedException {
    String place =
        file.map(Path::toString)
            .or(() -> isGiven() ? Optional.of(Secrets.VARIABLE) : Optional.empty())
            .or(() -> folder.map(path -> new EmbeddedFolder(path).secret().toString()))
            .orElse("");
    return Secrets.find(file, System.getenv(), folder).map(secret -> new Found(secret, place));
  }
}
