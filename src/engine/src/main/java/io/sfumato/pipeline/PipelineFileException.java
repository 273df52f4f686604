// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/**
 * Everything that is wrong with a pipeline file, each with field, value found and what is allowed.
 */
public final class PipelineFileException extends Exception {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  public PipelineFileException(String file, List<String> problems) {
    super(file + ": " + String.join("\n" + file + ": ", problems));
    this.problems = List.copyOf(problems);
  }

  /** What is wrong, one line a problem. */
  public List<String> problems() {
    return problems;
  }
}
