// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is made, and never written over. */
public record NewFile(Path file) {
  /** Refuses a name that is taken before anybody is asked anything. */
  public void requireNone() throws RefusedException {
    if (Files.exists(file)) {
      throw exists();
    }
  }

  /** Writes it, unless it exists by now. */
  public void write(String text) throws RefusedException {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw exists();
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file + " cannot be written (" + e.getClass().getSimpleName() + ")");
    }
  }

  private RefusedException exists() {
    return new RefusedException(
        ExitCode.REFUSED_FILE, file + " exists already: choose another name, or remove it");
  }
}
