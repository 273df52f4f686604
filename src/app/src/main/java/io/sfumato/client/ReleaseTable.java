// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.release.Releases;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.NumberText;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputText;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.TextLength;
import io.sfumato.rows.Times;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.JsonRecords;
import io.sfumato.text.ControlCharEscaper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * Records as text, for people. Names are others' choice: they stand there so that none of them can
 * be taken for anything else.
 */
public final class ReleaseTable {
  private ReleaseTable() {}

  /** One output, as far as a terminal of 80 columns has room for it. */
  public static String line(IndexedRecord output) {
    return line(output, TextLength.TERMINAL, LocalTimes.UTC);
  }

  /** One output, of which nothing is left out where it is longer than a terminal is wide. */
  public static String wholeLine(IndexedRecord output) {
    return line(output, TextLength.WHOLE, LocalTimes.UTC);
  }

  /** One output, with times by the clocks of a zone. */
  public static String line(IndexedRecord output, TextLength length, LocalTimes times) {
    Optional<OutputView> view = Releases.viewOf(output);
    if (view.isPresent()) {
      return new ShownOutput(view.get(), output).text(length, times);
    }
    if (output instanceof Refusal refusal) {
      return String.format(
          Locale.ROOT,
          "%s%s: no %s of %s",
          OutputText.beginning(
              refusal.getWindowStart(), refusal.getWindowEnd(), refusal.getSubject(), times),
          refusal.getCode(),
          refusal.getQueryId() == null
              ? "release"
              : "answer to "
                  + ControlCharEscaper.of(refusal.getQueryId())
                  + " "
                  + refusal.getCandidate(),
          ControlCharEscaper.of(refusal.getOutput()));
    }
    if (output instanceof DeadLetter letter) {
      return String.format(
          Locale.ROOT,
          "%s-%d offset %d  %s%s",
          ControlCharEscaper.of(letter.getTopic()),
          letter.getPartition(),
          letter.getOffset(),
          ControlCharEscaper.of(letter.getCode()),
          letter.getHint() == null ? "" : ": " + ControlCharEscaper.of(letter.getHint()));
    }
    if (output instanceof ReleasedThrough marker) {
      return String.format(
          Locale.ROOT,
          "partition %d of %d: all windows that end by %s are released (pipeline %s, version %d)",
          marker.getPartition(),
          marker.getPartitions(),
          times.start(marker.getReleasedThrough()),
          ControlCharEscaper.of(marker.getPipeline()),
          marker.getPipelineVersion());
    }
    return ControlCharEscaper.of(JsonRecords.line(output));
  }

  /** A row: its window, subject, output, categories, and number with its 95% interval. */
  public static String line(PublishedRow row, LocalTimes times) {
    OutputHead head = row.row().head();
    Quantity quantity = row.row().quantity();
    List<String> words = new ArrayList<>();
    words.add(head.output());
    row.row().group().values().stream().filter(value -> !value.isEmpty()).forEach(words::add);
    words.add(row.measure() + " " + number(quantity.value()));
    return OutputText.beginning(head.windowStart(), head.windowEnd(), head.subject(), times)
        + ControlCharEscaper.of(String.join("  ", words))
        + quantity
            .interval()
            .map(ends -> " (" + number(ends.low()) + " to " + number(ends.high()) + ")")
            .orElse("")
        + (quantity.unknown() ? ", unknown" : "");
  }

  private static String number(Number number) {
    return NumberText.of(number.doubleValue());
  }

  /**
   * A record of which it matters when it came.
   *
   * @param at Kafka timestamp
   */
  public static String line(IndexedRecord output, Instant at) {
    return Times.day(at) + "  " + line(output);
  }
}
