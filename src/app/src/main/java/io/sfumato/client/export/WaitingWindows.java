// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.client.WholeLists;
import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;

/**
 * Outputs that wait for their window to be complete. A window's rows have one order, whatever the
 * order in which partitions were read: by output, subject, and place in the partition. Of two
 * releases of one subject and window the later one counts.
 */
final class WaitingWindows implements AutoCloseable {
  /**
   * Where an output waits.
   *
   * @param place in the spool
   */
  private record Waiting(
      String pipeline,
      String output,
      String subject,
      int partition,
      long offset,
      long timestamp,
      long place,
      int length) {}

  private static final Comparator<Waiting> ORDER =
      Comparator.comparing(Waiting::output)
          .thenComparing(Waiting::subject)
          .thenComparing(Waiting::pipeline)
          .thenComparingInt(Waiting::partition)
          .thenComparingLong(Waiting::offset);

  private final SchemaSource schemas;
  private final Spool spool = new Spool();
  private final NavigableMap<ExportWindow, List<Waiting>> windows = new TreeMap<>();

  /** Names of which there are few. */
  private final Map<String, String> names = new HashMap<>();

  WaitingWindows(SchemaSource schemas) throws IOException {
    this.schemas = schemas;
  }

  /**
   * Where a record was read.
   *
   * @param partition of its topic
   * @param offset in the partition
   * @param timestamp Kafka timestamp
   */
  record Place(int partition, long offset, long timestamp) {}

  /** The next output. */
  void add(ExportWindow window, IndexedRecord output, byte[] bytes, Place place)
      throws IOException {
    windows
        .computeIfAbsent(window, key -> new ArrayList<>())
        .add(
            new Waiting(
                name(output, "pipeline"),
                name(output, "output"),
                name(output, "subject"),
                place.partition(),
                place.offset(),
                place.timestamp(),
                spool.add(bytes),
                bytes.length));
  }

  private String name(IndexedRecord output, String field) {
    String name = (String) output.get(output.getSchema().getField(field).pos());
    return names.computeIfAbsent(name, same -> same);
  }

  /** The first window that waits. */
  Optional<ExportWindow> first() {
    return windows.isEmpty() ? Optional.empty() : Optional.of(windows.firstKey());
  }

  /** The first windows that wait, at most so many. */
  List<ExportWindow> first(int most) {
    return windows.keySet().stream().limit(most).toList();
  }

  /** What takes rows one by one. */
  interface Taker {
    void take(PublishedRow row) throws RefusedException, IOException;
  }

  /** The first window waits no longer. */
  void dropFirst() throws IOException {
    windows.pollFirstEntry();
    if (windows.isEmpty()) {
      spool.clear();
      names.clear();
    }
  }

  /** Gives the rows of the first window. */
  void eachOfFirst(Taker taker) throws RefusedException, IOException {
    List<Waiting> waiting = windows.firstEntry().getValue();
    waiting.sort(ORDER);
    int from = 0;
    while (from < waiting.size()) {
      int to = from + 1;
      while (to < waiting.size() && isSame(waiting.get(from), waiting.get(to))) {
        to++;
      }
      for (PublishedRow row : rows(waiting.subList(from, to))) {
        taker.take(row);
      }
      from = to;
    }
  }

  private static boolean isSame(Waiting one, Waiting other) {
    return one.output().equals(other.output()) && one.subject().equals(other.subject());
  }

  /** Rows of one output and subject, of each key the last one. */
  private List<PublishedRow> rows(List<Waiting> records) throws IOException {
    if (records.size() == 1) {
      Waiting only = records.get(0);
      return rows(decoded(only), only.timestamp());
    }
    Map<List<Object>, PublishedRow> last = new LinkedHashMap<>();
    WholeLists lists = new WholeLists();
    long timestamp = 0;
    for (Waiting record : records) {
      timestamp = record.timestamp();
      Optional<IndexedRecord> whole = lists.add(decoded(record));
      if (whole.isPresent()) {
        put(last, rows(whole.get(), timestamp));
      }
    }
    for (IndexedRecord rest : lists.rest()) {
      put(last, rows(rest, timestamp));
    }
    return List.copyOf(last.values());
  }

  private static void put(Map<List<Object>, PublishedRow> last, List<PublishedRow> rows) {
    for (PublishedRow row : rows) {
      List<Object> key = List.of(row.row().group(), row.measure());
      last.remove(key);
      last.put(key, row);
    }
  }

  private IndexedRecord decoded(Waiting waiting) throws IOException {
    return Outputs.decodeAny(spool.read(waiting.place(), waiting.length()), schemas);
  }

  private static List<PublishedRow> rows(IndexedRecord output, long timestamp) {
    OutputView view = Releases.viewOf(output).orElseThrow();
    return PublishedRow.of(view.rows(output, Optional.empty()), Instant.ofEpochMilli(timestamp));
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }
}
