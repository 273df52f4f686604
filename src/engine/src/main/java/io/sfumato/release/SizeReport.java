// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;

/** How large a pipeline's Kafka records may become. */
final class SizeReport {
  private SizeReport() {}

  /** The largest record of each kind, in bytes. */
  static void addTo(Facts facts, WorstCase sizes) {
    Facts kinds = Facts.of();
    for (Kind kind : Kind.values()) {
      SizeBound largest = sizes.largest(kind);
      kinds.group(
          "largest " + kind.word(),
          kind.word(),
          Facts.of()
              .words("", "of", largest.name())
              .number("", "bytes", largest.bytes(), Form.BYTES, ""));
    }
    kinds.number("limit of a Kafka record", "limit", sizes.limit(), Form.BYTES, "");
    facts.row("sizes").group("", "largest_bytes", kinds);
  }
}
