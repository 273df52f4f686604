// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the noise secret is. */
final class SecretOptions {
  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "File with the noise secret, made by 'sfumato secret'; or set SFUMATO_NOISE_SECRET.")
  Optional<Path> file = Optional.empty();

  /** The secret that was given; says if it stands where others see it. */
  NoiseSecret require() throws RefusedException {
    warn();
    return Secrets.require(file, System.getenv());
  }

  /** That of a pipeline: of a folder, its file {@code NAME.key}. */
  NoiseSecret require(String pipeline) throws RefusedException {
    warn();
    return Secrets.require(fileOf(pipeline), System.getenv());
  }

  private Optional<Path> fileOf(String pipeline) {
    return file.map(path -> Files.isDirectory(path) ? path.resolve(pipeline + ".key") : path);
  }

  NoiseSecret forDevelopment(Path folder) throws RefusedException {
    warn();
    return Secrets.forDevelopment(file, System.getenv(), folder);
  }

  /** That of whoever joins an embedded cluster: given, or what lies in its folder. */
  NoiseSecret ofFolder(String pipeline, Path folder) throws RefusedException {
    warn();
    Optional<Path> given = fileOf(pipeline);
    Optional<NoiseSecret> found = Secrets.find(given, System.getenv(), Optional.of(folder));
    return found.isPresent() ? found.get() : Secrets.require(given, System.getenv());
  }

  private void warn() {
    Secrets.exposure(file, System.getenv()).ifPresent(System.err::println);
  }
}
