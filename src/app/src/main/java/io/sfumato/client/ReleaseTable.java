// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ViewText;
import io.sfumato.release.Releases;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JsonRecords;
import io.sfumato.text.Visible;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * One line a record, for people. Names are others' choice: they stand there so that none of them
 * can be taken for anything else.
 */
public final class ReleaseTable {
  private ReleaseTable() {}

  /** One output. */
  public static String line(IndexedRecord output) {
    Optional<OutputView> view = Releases.viewOf(output);
    if (view.isPresent()) {
      return head(output) + view.get().row(output);
    }
    if (output instanceof Refusal refusal) {
      return String.format(
          Locale.ROOT,
          "%s%s: no %s of %s",
          head(output),
          refusal.getCode(),
          refusal.getQueryId() == null
              ? "release"
              : "answer to " + Visible.of(refusal.getQueryId()) + " " + refusal.getCandidate(),
          Visible.of(refusal.getOutput()));
    }
    if (output instanceof DeadLetter letter) {
      return String.format(
          Locale.ROOT,
          "%s-%d offset %d  %s%s",
          Visible.of(letter.getTopic()),
          letter.getPartition(),
          letter.getOffset(),
          Visible.of(letter.getCode()),
          letter.getHint() == null ? "" : ": " + Visible.of(letter.getHint()));
    }
    return Visible.of(JsonRecords.line(output));
  }

  /** One output, of which nothing is left out where it is longer than a terminal is wide. */
  public static String wholeLine(IndexedRecord output) {
    return Releases.viewOf(output)
        .map(view -> head(output) + view.whole(output))
        .orElseGet(() -> line(output));
  }

  /**
   * A record of which it matters when it came.
   *
   * @param at Kafka timestamp
   */
  public static String line(IndexedRecord output, Instant at) {
    return ViewText.day(at) + "  " + line(output);
  }

  /** When a window began and whose it is: what begins the line of any output. */
  private static String head(IndexedRecord output) {
    return String.format(
        Locale.ROOT,
        "%s  %-12s ",
        ViewText.start(
            (Instant) field(output, "window_start"), (Instant) field(output, "window_end")),
        Visible.of((String) field(output, "subject")));
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }
}
