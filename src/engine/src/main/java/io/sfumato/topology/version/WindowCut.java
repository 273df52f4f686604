// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.context.PipelineStopException;
import java.util.Optional;

/**
 * Where a version of the file ends, as its zone data cut time. The next version may have other zone
 * data, but not about this place: otherwise a window of the old version would go on in the new one,
 * which would release it a second time.
 *
 * @param before start of the last window of the old version
 * @param number of the first window of the new one
 * @param period number of its budget period
 */
record WindowCut(long before, long number, long period) {
  private static final int FORMAT = 1;

  /** That of the old version; nothing where windows have one length. */
  static Optional<WindowCut> at(Pipeline pipeline, long from) {
    return pipeline
        .window()
        .calendar()
        .map(
            windows ->
                new WindowCut(
                    windows.plus(from, -1),
                    windows.number(from),
                    pipeline.budget().period().indexOf(from)));
  }

  /** Throws if a program that takes over cuts time otherwise about that place. */
  void require(Pipeline pipeline, long from) {
    WindowSpec window = pipeline.window();
    if (!at(pipeline, from).equals(Optional.of(this)) || window.startOf(from) != from) {
      throw new PipelineStopException(
          "time zone data: by those of this Java runtime no window starts %s, where the former version ends, or the window before it starts at another time than by the former ones. Run the new version with a Java runtime that has the former tzdata, and update that when both agree about the last window. Or carry the ledger over to a budget with a new name: 'sfumato ledger export', then 'sfumato ledger import'"
              .formatted(window.timeText(from)));
    }
  }

  byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).signed(before).signed(number).signed(period).toBytes();
  }

  static WindowCut decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "where a version ends");
    WindowCut cut = new WindowCut(in.signed(), in.signed(), in.signed());
    in.end();
    return cut;
  }
}
