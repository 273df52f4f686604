// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "secret",
    mixinStandardHelpOptions = true,
    description = "Makes a noise secret: 32 random bytes in a file that only its owner can read.",
    footer = {"", "Example: sfumato secret /etc/sfumato/noise.key"})
final class SecretCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A new file; an existing one is never replaced.")
  private Path file;

  @Override
  public Integer call() throws RefusedException {
    try {
      NoiseSecret.random().write(file.toAbsolutePath());
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + " exists already, and a budget keeps its secret for its lifetime; name another "
              + "file");
    } catch (NoSuchFileException e) {
      Path there = file.toAbsolutePath().getParent();
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s cannot be written: there is no folder %s; make it: mkdir -p %s"
              .formatted(file, there, there));
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, file + " cannot be written: " + e.getMessage());
    }
    System.out.println(
        "wrote "
            + file
            + "; anyone who reads it can remove the noise from every release, so protect it "
            + "like the raw data");
    return 0;
  }
}
