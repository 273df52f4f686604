// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.HeldOpen;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RowDecoder;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads outputs' topics, and gives the rows of each window to a file once the window is complete.
 *
 * <p>A window is complete when every partition of every pipeline has committed a marker behind it
 * ({@code NAME-released}); {@link OrderedWindows} knows the pipelines. Markers are committed with
 * the window's outputs or after them. So whatever a topic holds when a marker has been seen, up to
 * its end with open transactions, has all outputs of the window.
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

  private final OrderedWindows order;
  private final List<String> notices = new ArrayList<>();

  private final boolean isFollowed;

  /** Whether no record was deleted from the topics. */
  private final boolean isWhole;

  /** The first and the last of the windows that are not wanted. */
  private Optional<ExportWindow> firstOutside = Optional.empty();

  private Optional<ExportWindow> lastOutside = Optional.empty();

  private Optional<ExportWindow> last = Optional.empty();
  private String heldBackBy = "";
  private long foreign;
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

  /**
   * What is exported.
   *
   * @param topics of outputs
   * @param pipelines those of topics that may be empty, by topic
   * @param range of windows
   * @param isFollowed whether more will be read after the first time
   */
  public record Wanted(
      List<String> topics, Map<String, String> pipelines, Range range, boolean isFollowed) {
    public Wanted {
      topics = topics.stream().distinct().toList();
      pipelines = Map.copyOf(pipelines);
    }
  }

  public WindowExport(KafkaSettings settings, SchemaSource schemas, Wanted wanted)
      throws RefusedException, IOException {
    this.settings = settings;
    this.schemas = schemas;
    range = wanted.range();
    isFollowed = wanted.isFollowed();
    order = new OrderedWindows(wanted.topics(), wanted.isFollowed());
    committed = consumer(settings.consumer());
    everything = consumer(ReleasedWindows.uncommitted(settings));
    partitions = new OutputReader(settings).partitions(committed, wanted.topics());
    waiting = new WaitingWindows(schemas);
    committed.assign(partitions);
    committed.seekToBeginning(partitions);
    SortedSet<String> cut = cut(committed.beginningOffsets(partitions));
    isWhole = cut.isEmpty();
    noteDeleted(cut);
    for (String topic : wanted.topics()) {
      if (wanted.pipelines().containsKey(topic)) {
        belongs(topic, wanted.pipelines().get(topic));
      }
    }
  }

  /** Topics of which Kafka has deleted the first records. */
  private static SortedSet<String> cut(Map<TopicPartition, Long> begins) {
    return begins.entrySet().stream()
        .filter(first -> first.getValue() > 0)
        .map(first -> first.getKey().topic())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Kafka deletes partition by partition, so the first windows that are left may not be whole. */
  private void noteDeleted(SortedSet<String> cut) {
    if (!cut.isEmpty()) {
      notices.add(
          "Kafka has deleted the first records of %s (retention.ms, retention.bytes): the earliest windows that are left may lack releases, so leave them out with --from"
              .formatted(String.join(", ", cut)));
    }
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Writes all windows that are complete now.
   *
   * @throws RefusedException if a transaction stays open, a pipeline has no markers, or the file is
   *     of another export
   */
  public void catchUp(RowFile file, Progress progress) throws RefusedException, IOException {
    file.mayLack(window -> !isWhole || !range.has(window));
    readToEnd(progress);
    // Markers come first, and then the ends: what is behind a marker is read already or now.
    for (Map.Entry<String, ReleasedWindows> pipeline : markers.entrySet()) {
      order.releasedThrough(pipeline.getKey(), pipeline.getValue().read());
    }
    readToEnd((records, total) -> {});
    while (waiting.first().filter(order::isComplete).isPresent()) {
      write(file);
      heldBackBy = "";
    }
    file.caughtUp();
    noteHeldBack();
  }

  /**
   * Says once what holds windows back. Pipelines are seldom equally fast, so where more is read
   * later, one that is less than a whole window behind is passed over.
   */
  private void noteHeldBack() {
    int most = isFollowed && order.empty().isEmpty() ? 2 : 1;
    List<ExportWindow> next = waiting.first(most);
    List<String> words = next.stream().map(order::heldBackBy).flatMap(Optional::stream).toList();
    boolean isHeld = words.size() == most;
    if (isHeld && !words.get(0).equals(heldBackBy)) {
      heldBackBy = words.get(0);
      notices.add(
          "%s: %s. The file has one order of windows, so those from %s on are written when every topic has come as far. %s"
              .formatted(
                  isFollowed ? "waiting" : "not written yet",
                  heldBackBy,
                  next.get(0).start(),
                  !isFollowed || order.empty().isEmpty()
                      ? "To have them earlier, export the topics of each pipeline to a file of their own"
                      : "To have them earlier, name the pipeline file of the empty topic with --file, or export that topic to a file of its own"));
    }
  }

  /**
   * The same, again and again.
   *
   * @param told after each time what there is to be said
   * @throws RefusedException also if a release came after its window was written
   */
  public void follow(
      RowFile file, BooleanSupplier goOn, java.util.function.Consumer<List<String>> told)
      throws RefusedException, IOException {
    while (goOn.getAsBoolean()) {
      catchUp(file, (records, total) -> {});
      told.accept(notices());
      read(committed.poll(POLL));
    }
  }

  /** What there is to be said since it was asked last. */
  public List<String> notices() {
    List<String> now = List.copyOf(notices);
    notices.clear();
    return now;
  }

  private void write(RowFile file) throws RefusedException, IOException {
    ExportWindow window = waiting.first().orElseThrow();
    file.begin(window);
    if (file.looksAhead()) {
      waiting.eachOfFirst(file::see);
    }
    long before = rows;
    waiting.eachOfFirst(
        row -> {
          file.write(row);
          rows++;
        });
    file.end();
    if (file.wasWritten()) {
      rows = before;
    }
    waiting.dropFirst();
    last = Optional.of(window);
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
              : ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas));
      if (output.isPresent()) {
        add(record, output.get());
      } else {
        requireNoRow(record);
        foreign++;
      }
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record, IndexedRecord output)
      throws RefusedException, IOException {
    requireRelease(record.topic(), output);
    String pipeline = (String) field(output, "pipeline");
    requireOnePipeline((String) field(output, "output"), pipeline);
    belongs(record.topic(), pipeline);
    ExportWindow window =
        new ExportWindow(
            (Instant) field(output, "window_start"), (Instant) field(output, "window_end"));
    if (!range.has(window)) {
      firstOutside =
          firstOutside.filter(seen -> seen.compareTo(window) < 0).or(() -> Optional.of(window));
      lastOutside =
          lastOutside.filter(seen -> seen.compareTo(window) > 0).or(() -> Optional.of(window));
      return;
    }
    if (last.filter(done -> window.compareTo(done) <= 0).isPresent()) {
      throw late(record.topic(), window);
    }
    waiting.add(
        window,
        output,
        record.value(),
        new WaitingWindows.Place(record.partition(), record.offset(), record.timestamp()));
  }

  /** A file that goes on without it would look complete. */
  private static RefusedException late(String topic, ExportWindow window) {
    return new RefusedException(
        ExitCode.FAILED,
        "topic '%s' has a release that came after its window, which starts %s, was written, and the file lacks it. Run the command again: an SQLite file takes the release, and a file of another form says whether it can; otherwise export to a new file"
            .formatted(topic, window.start()));
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }

  private void belongs(String topic, String pipeline) throws RefusedException {
    if (!markers.containsKey(pipeline)) {
      markers.put(pipeline, markersOf(pipeline));
    }
    order.belongs(topic, pipeline);
  }

  /** Whoever names a topic without releases would wait for its first one in vain. */
  private static void requireRelease(String topic, IndexedRecord output) throws RefusedException {
    Optional<OutputView> view = Releases.viewOf(output);
    if (view.isEmpty()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "topic '%s' is no topic of releases: it has a %s. Print its records with 'sfumato consume %s'"
              .formatted(topic, output.getSchema().getName(), topic));
    }
    if (view.get().isAnswer()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "topic '%s' has answers to queries: an answer can come when its window has long been complete. Print them with 'sfumato consume %s -o csv'"
              .formatted(topic, topic));
    }
  }

  /** Of rows nothing says which pipeline has released them. */
  private void requireNoRow(ConsumerRecord<byte[], byte[]> record) throws RefusedException {
    if (record.value() != null && RowDecoder.row(record.value(), schemas).isPresent()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "topic '%s' has rows for sinks, as 'rows: true' publishes them. Export the topics of the outputs instead: they have the same rows. Or print these with 'sfumato consume %s -o csv'"
              .formatted(record.topic(), record.topic()));
    }
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

  /** Rows that were written. */
  public long rows() {
    return rows;
  }

  /** The first window that is not complete, if there is one. */
  public Optional<Instant> firstOpen() {
    return waiting.first().map(ExportWindow::start);
  }

  /** Which windows there are that are not wanted; nothing if there is none. */
  public Optional<String> outside() {
    return firstOutside.map(
        first ->
            lastOutside.filter(last -> last.equals(first)).isPresent()
                ? "the only window outside that range starts at %s".formatted(first.start())
                : "windows outside that range start from %s to %s"
                    .formatted(first.start(), lastOutside.orElseThrow().start()));
  }

  /** Pipelines that have not said yet that any window is complete. */
  public List<String> silent() {
    return order.silent();
  }

  /** Topics without a release. */
  public List<String> empty() {
    return order.empty();
  }

  @Override
  public void close() throws IOException {
    markers.values().forEach(ReleasedWindows::close);
    committed.close();
    everything.close();
    waiting.close();
  }
}
