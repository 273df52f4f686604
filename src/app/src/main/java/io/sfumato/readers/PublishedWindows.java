// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.pipeline.OutputView;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.schema.Guarantee;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.generic.IndexedRecord;

/**
 * What a pipeline's outputs have published, within a bound of memory. Where it does not suffice,
 * the output that takes most loses its oldest window.
 */
final class PublishedWindows {
  /** A year of daily windows with 50 groups takes about 1 MB. */
  static final long MOST_BYTES = 64L << 20;

  private final Map<String, OutputWindows> outputs = new LinkedHashMap<>();
  private final long mostBytes;
  private long changes;

  PublishedWindows(List<String> outputs, long mostBytes) {
    outputs.forEach(output -> this.outputs.put(output, new OutputWindows()));
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a release.
   *
   * @param view of its kind
   * @return whether it is one of these outputs
   */
  boolean add(OutputView view, IndexedRecord release, Instant released) {
    List<OutputRow> rows = view.rows(release, Optional.empty());
    OutputHead head = OutputHead.of(release);
    Guarantee guarantee = (Guarantee) release.get(release.getSchema().getField("guarantee").pos());
    synchronized (this) {
      OutputWindows output = outputs.get(head.output());
      if (output == null) {
        return false;
      }
      output.add(rows, view.reading(release), guarantee, released);
      makeRoom(output, head);
      changes++;
      return true;
    }
  }

  private void makeRoom(OutputWindows added, OutputHead head) {
    while (bytes() > mostBytes) {
      List<OutputWindows> largest = new ArrayList<>(outputs.values());
      largest.sort(Comparator.comparingLong(OutputWindows::bytes).reversed());
      if (largest.stream().noneMatch(OutputWindows::dropOldest)) {
        added.drop(head.subject(), head.windowStart().toEpochMilli());
        return;
      }
    }
  }

  /** About what all of it takes in memory. */
  synchronized long bytes() {
    return outputs.values().stream().mapToLong(OutputWindows::bytes).sum();
  }

  /** Grows with every release that is added. */
  synchronized long changes() {
    return changes;
  }

  /** Reads one output, while nothing is added; nothing if there is no such output. */
  synchronized <T> Optional<T> read(String output, Function<OutputWindows, T> reader) {
    return Optional.ofNullable(outputs.get(output)).map(reader);
  }
}
