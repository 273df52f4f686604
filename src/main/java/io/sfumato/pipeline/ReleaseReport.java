// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a plan says of one release, without touching data. */
public interface ReleaseReport {
  /** Appends it in words, line by line: see {@link ReportText}. */
  void text(StringBuilder text);

  /** Writes it for programs. */
  void json(ObjectNode node);
}
