// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;

/** What a plan says of one release, without touching data. */
public interface ReleaseReport {
  /** Appends it in words, line by line: see {@link ReportText}. */
  void text(StringBuilder text);

  /** Writes it for programs. */
  void json(ObjectNode node);

  /** What the numbers are whose error {@link #countError} is. */
  default String counted() {
    return "numbers of records";
  }

  /**
   * Half the width of the 95% interval around a number of records that it publishes, by noise
   * alone, in records; nothing where it publishes none.
   */
  default OptionalDouble countError() {
    return OptionalDouble.empty();
  }
}
