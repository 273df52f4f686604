// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.client.OutputReader;
import io.sfumato.release.Releases;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.HeldOpen;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads outputs' topics, and gives the rows of each window to a file once the window is complete.
 *
 * <p>A window is complete when every partition of its pipeline has committed a marker behind it
 * ({@code NAME-released}). Markers are committed with the window's outputs or after them. So
 * whatever a topic holds when a marker has been seen, up to its end with open transactions, has all
 * outputs of the window.
 */
public final class WindowExport implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaSettings settings;
  private final SchemaSource schemas;
  private final Range range;
  private final List<TopicPartition> partitions;
  private final Consumer<byte[], byte[]> committed;
  private final Consumer<byte[], byte[]> everything;
  private final WaitingWindows waiting;
  private final Map<String, ReleasedWindows> markers = new HashMap<>();

  /** Pipelines by name of an output: rows do not name their pipeline. */
  private final Map<String, String> pipelines = new HashMap<>();

  private final Map<String, Optional<Instant>> released = new HashMap<>();
  private Optional<ExportWindow> last = Optional.empty();
  private long foreign;
  private long late;
  private long rows;

  /**
   * Which windows are wanted.
   *
   * @param from the first start
   * @param until windows that start then or later are not wanted
   */
  public record Range(Instant from, Instant until) {
    /** All windows. */
    public static final Range ALL = new Range(Instant.MIN, Instant.MAX);

    boolean has(ExportWindow window) {
      return !window.start().isBefore(from) && window.start().isBefore(until);
    }
  }

  /** Sees how far the first reading is. */
  public interface Progress {
    /**
     * @param records read so far
     * @param total records there were when the export began
     */
    void at(long records, long total);
  }

  public WindowExport(
      KafkaSettings settings, SchemaSource schemas, List<String> topics, Range range)
      throws RefusedException, IOException {
    this.settings = settings;
    this.schemas = schemas;
    this.range = range;
    committed = consumer(settings.consumer());
    everything = consumer(ReleasedWindows.uncommitted(settings));
    partitions = new OutputReader(settings).partitions(committed, topics);
    waiting = new WaitingWindows(schemas);
    committed.assign(partitions);
    committed.seekToBeginning(partitions);
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Writes all windows that are complete now.
   *
   * @throws RefusedException if a transaction stays open, or a pipeline has no markers
   */
  public void catchUp(RowFile file, Progress progress) throws RefusedException, IOException {
    readToEnd(progress);
    // Markers come first, and then the ends: what is behind a marker is read already or now.
    for (Map.Entry<String, ReleasedWindows> pipeline : markers.entrySet()) {
      released.put(pipeline.getKey(), pipeline.getValue().read());
    }
    readToEnd((records, total) -> {});
    while (waiting.first().filter(this::isComplete).isPresent()) {
      write(file);
    }
    file.caughtUp();
  }

  /** The same, again and again. */
  public void follow(RowFile file, BooleanSupplier goOn) throws RefusedException, IOException {
    while (goOn.getAsBoolean()) {
      catchUp(file, (records, total) -> {});
      read(committed.poll(POLL));
    }
  }

  private void write(RowFile file) throws IOException {
    ExportWindow window = waiting.first().orElseThrow();
    boolean isWanted = !file.isWritten(window);
    if (isWanted) {
      file.begin(window);
    }
    if (isWanted && file.looksAhead()) {
      waiting.eachOfFirst(file::see);
    }
    if (isWanted) {
      waiting.eachOfFirst(
          row -> {
            file.write(row);
            rows++;
          });
      file.end();
    }
    waiting.dropFirst();
    last = Optional.of(window);
  }

  /** All pipelines have released it: files have windows in order, whatever they are of. */
  private boolean isComplete(ExportWindow window) {
    return released.values().stream()
        .allMatch(through -> through.filter(end -> !window.end().isAfter(end)).isPresent());
  }

  private void readToEnd(Progress progress) throws RefusedException, IOException {
    Map<TopicPartition, Long> ends = everything.endOffsets(partitions);
    long begin = position();
    long total = ends.values().stream().mapToLong(Long::longValue).sum() - begin;
    long moved = System.nanoTime();
    long before = begin;
    while (partitions.stream().anyMatch(p -> committed.position(p) < ends.get(p))) {
      read(committed.poll(POLL));
      long now = position();
      if (now > before) {
        before = now;
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > PATIENCE.toNanos()) {
        throw held(ends);
      }
      progress.at(now - begin, total);
    }
  }

  private long position() {
    return partitions.stream().mapToLong(committed::position).sum();
  }

  private RefusedException held(Map<TopicPartition, Long> ends) {
    TopicPartition open =
        partitions.stream()
            .filter(p -> committed.position(p) < ends.get(p))
            .findFirst()
            .orElse(partitions.get(0));
    HeldOpen held = new HeldOpen(open.topic(), open.partition(), settings.bootstrapServers());
    return new RefusedException(ExitCode.FAILED, held.words() + ". " + held.fix());
  }

  private void read(Iterable<ConsumerRecord<byte[], byte[]>> records)
      throws RefusedException, IOException {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      Optional<IndexedRecord> output =
          record.value() == null
              ? Optional.empty()
              : ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas))
                  .filter(found -> Releases.viewOf(found).isPresent());
      if (output.isPresent()) {
        add(record, output.get());
      } else {
        foreign++;
      }
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record, IndexedRecord output)
      throws RefusedException, IOException {
    String pipeline = (String) field(output, "pipeline");
    requireOnePipeline((String) field(output, "output"), pipeline);
    if (!markers.containsKey(pipeline)) {
      markers.put(pipeline, markersOf(pipeline));
      released.put(pipeline, Optional.empty());
    }
    ExportWindow window =
        new ExportWindow(
            (Instant) field(output, "window_start"), (Instant) field(output, "window_end"));
    if (!range.has(window)) {
      return;
    }
    if (last.filter(done -> window.compareTo(done) <= 0).isPresent()) {
      late++;
      return;
    }
    waiting.add(
        window,
        output,
        record.value(),
        new WaitingWindows.Place(record.partition(), record.offset(), record.timestamp()));
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }

  private void requireOnePipeline(String output, String pipeline) throws RefusedException {
    String before = pipelines.putIfAbsent(output, pipeline);
    if (before != null && !before.equals(pipeline)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "output '%s' is of two pipelines, '%s' and '%s': rows do not name the pipeline, so export them to two files"
              .formatted(output, before, pipeline));
    }
  }

  private ReleasedWindows markersOf(String pipeline) throws RefusedException {
    Consumer<byte[], byte[]> own = consumer(settings.consumer());
    String topic = ReleasedWindows.topicOf(pipeline);
    if (own.partitionsFor(topic).isEmpty()) {
      own.close();
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "no topic '%s': it says which windows are complete. Pipeline '%s' makes it when it is started with this version of Sfumato; check too that you may read it"
              .formatted(topic, pipeline));
    }
    return new ReleasedWindows(
        pipeline, own, new OutputReader(settings).partitions(own, List.of(topic)), schemas);
  }

  /** Records that are no releases of Sfumato, or cannot be read. */
  public long foreign() {
    return foreign;
  }

  /** Outputs of windows that were written already. */
  public long late() {
    return late;
  }

  /** Rows that were written. */
  public long rows() {
    return rows;
  }

  /** The first window that is not complete, if there is one. */
  public Optional<Instant> firstOpen() {
    return waiting.first().map(ExportWindow::start);
  }

  /** Pipelines that have not said yet that any window is complete. */
  public List<String> silent() {
    List<String> silent = new ArrayList<>();
    released.forEach(
        (pipeline, through) -> {
          if (through.isEmpty()) {
            silent.add(pipeline);
          }
        });
    return silent;
  }

  @Override
  public void close() throws IOException {
    markers.values().forEach(ReleasedWindows::close);
    committed.close();
    everything.close();
    waiting.close();
  }
}
