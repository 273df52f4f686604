// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.PipelineFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Plans of pipeline files. A plan is immutable and may take a second, so each is made once. */
public final class Plans {
  private static final Map<String, Plan> MADE = new ConcurrentHashMap<>();

  private Plans() {}

  /** The plan of a text. Messages call its file {@code p.yaml}. */
  public static Plan plan(String yaml) throws PipelineFileException {
    Plan made = MADE.get(yaml);
    if (made == null) {
      made = fresh(yaml);
      MADE.put(yaml, made);
    }
    return made;
  }

  /** A plan that is made now, even if the same text was planned before. */
  public static Plan fresh(String yaml) throws PipelineFileException {
    return Plan.of("p.yaml", PipelineFile.parse("p.yaml", yaml));
  }

  /** The plan of a text that is known to be valid. */
  public static Plan valid(String yaml) {
    try {
      return plan(yaml);
    } catch (PipelineFileException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** The plan of a file in the folder {@code topology}. */
  public static Plan example(String name) {
    try {
      return valid(Files.readString(Path.of("topology", name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
