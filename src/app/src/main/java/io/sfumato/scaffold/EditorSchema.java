// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.release.PipelineSchema;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JSON Schema beside a new pipeline file, whose first line names it. */
public final class EditorSchema {
  private EditorSchema() {}

  /**
   * Writes the schema of this program beside a file, over one of an earlier program.
   *
   * @return the file; nothing is written over a file of that name that is something else
   */
  public static Path beside(Path pipeline) throws RefusedException {
    Path file = pipeline.resolveSibling(PipelineSchema.FILE);
    try {
      if (!Files.exists(file) || PipelineSchema.isOne(Files.readString(file))) {
        Files.writeString(file, PipelineSchema.text());
      }
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file + " cannot be written (" + e.getClass().getSimpleName() + ")");
    }
    return file;
  }
}
