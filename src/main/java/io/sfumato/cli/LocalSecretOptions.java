// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.noise.NoiseSecret;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
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
          "Folder of an embedded cluster on this machine, whose secret is used; by default .sfumato.")
  Optional<Path> data = Optional.empty();

  /**
   * The secret, if there is one.
   *
   * @param servers of the cluster that it is for; empty where none is at hand
   */
  Optional<NoiseSecret> find(String servers) throws RefusedException {
    return Secrets.find(file, System.getenv(), folder(servers));
  }

  /** An embedded cluster is on this machine: another one has another secret. */
  Optional<Path> folder(String servers) {
    boolean here = servers.startsWith("localhost:") || servers.startsWith("127.0.0.1:");
    return here ? data.or(() -> Optional.of(Path.of(".sfumato"))) : data;
  }
}
