// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.release.PipelineSchema;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JSON Schema beside a new pipeline file, whose first line names it. */
public final class EditorSchema {
  private EditorSchema() {}

  /**
   * Writes the schema of this program beside a file, over one of an earlier program, and never over
   * a file of that name that is something else.
   */
  public static void beside(Path pipeline) throws RefusedException {
    Path file = pipeline.resolveSibling(PipelineSchema.FILE);
    if (!Files.exists(file) || isSchema(file)) {
      new ReplacedFile(file).write(PipelineSchema.text());
    }
  }

  /** What cannot be read as text is something else. */
  private static boolean isSchema(Path file) {
    try {
      return PipelineSchema.isOne(Files.readString(file));
    } catch (IOException e) {
      return false;
    }
  }
}
