// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;

/** What a plan says of a list of the largest counts. */
record TopReport(TopSpec spec) implements ReleaseReport {
  @Override
  public void text(StringBuilder text) {
    ReportText.line(text, "");
    ReportText.line(text, "%-10s %s -> topic %s", "top", spec.name(), spec.topic());
    ReportText.line(
        text,
        "  rows       at most %,d of each list of '%s', the largest counts first",
        spec.k(),
        spec.of());
    ReportText.line(text, "  cost       costs nothing: made of '%s'", spec.of());
  }

  @Override
  public void json(ObjectNode node) {
    node.put("name", spec.name())
        .put("topic", spec.topic())
        .put("kind", "top")
        .put("of", spec.of())
        .put("k", spec.k());
  }
}
