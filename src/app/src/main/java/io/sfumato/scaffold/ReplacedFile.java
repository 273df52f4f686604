// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is made anew, whatever it held. */
public record ReplacedFile(Path file) {
  /** Writes it. */
  public void write(String text) throws RefusedException {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file + " cannot be written: is its folder there, and may this user write to it?");
    }
  }
}
