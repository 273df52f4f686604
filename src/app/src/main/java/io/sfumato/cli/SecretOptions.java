// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
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

  /** That of a run; says if it stands where others see it. */
  NoiseSecret require() throws RefusedException {
    warn();
    return Secrets.require(file, System.getenv());
  }

  NoiseSecret forDevelopment(Path folder) throws RefusedException {
    warn();
    return Secrets.forDevelopment(file, System.getenv(), folder);
  }

  /** That of whoever joins an embedded cluster: given, or what lies in its folder. */
  NoiseSecret ofFolder(Path folder) throws RefusedException {
    warn();
    Optional<NoiseSecret> found = Secrets.find(file, System.getenv(), Optional.of(folder));
    return found.isPresent() ? found.get() : Secrets.require(file, System.getenv());
  }

  private void warn() {
    Secrets.exposure(file, System.getenv()).ifPresent(System.err::println);
  }
}
