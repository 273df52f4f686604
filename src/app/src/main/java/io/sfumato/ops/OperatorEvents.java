// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.ops.RunningCounts.Wait;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.topology.context.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What people should know of an instance that is well: why it does nothing, though it may look
 * broken, or that its clock does not move, though it looks well.
 */
final class OperatorEvents {
  private final WindowSpec window;
  private final RunningCounts counts;
  private final Pipeline pipeline;
  private volatile DroppedRecords dropped;
  private final Supplier<Optional<PipelineRun>> run;
  private final ClusterProbe probe;

  /**
   * @param pipeline that runs
   * @param run nothing while the cluster is waited for
   */
  OperatorEvents(
      Pipeline pipeline,
      RunningCounts counts,
      Supplier<Optional<PipelineRun>> run,
      ClusterProbe probe) {
    this.pipeline = pipeline;
    this.window = pipeline.window();
    this.dropped = new DroppedRecords(pipeline, OptionalLong.empty());
    this.counts = counts;
    this.run = run;
    this.probe = probe;
  }

  /** What holds now; names nobody. */
  List<String> now() {
    List<String> notes = new ArrayList<>();
    waiting(counts.waiting()).ifPresent(notes::add);
    run.get()
        .filter(instance -> instance.state() == KafkaStreams.State.RUNNING)
        .flatMap(instance -> idle(tasks(instance), probe.instances(), instance.partitions()))
        .ifPresent(notes::add);
    dropped.standing().ifPresent(notes::add);
    EmptySelection.words(counts).ifPresent(notes::add);
    counts.ticks().own().words().ifPresent(notes::add);
    notes.addAll(ticks(window, counts.ticks()));
    return notes;
  }

  /** The ledger that the budget began with was sealed then, if one was imported. */
  void beganWith(OptionalLong sealedAt) {
    dropped = new DroppedRecords(pipeline, sealedAt);
  }

  /** Looks how many records are lost; called every second or so. */
  void refresh() {
    dropped.news(
        System.nanoTime(),
        counts.acceptedRecords(),
        RefusedTicks.without(counts.rejections(), counts.refusedTicks()));
  }

  /** Why windows may not close: what became of ticks. */
  static List<String> ticks(WindowSpec window, TickWatch ticks) {
    List<String> notes = new ArrayList<>();
    TickWatch.words(ticks.lately()).ifPresent(notes::add);
    if (window.clock() == WindowSpec.Clock.TICKS && !ticks.own().isUsed() && ticks.onlyOthers()) {
      notes.add(TickWatch.wordsForOthers());
    }
    return notes;
  }

  /** What partitions wait for that have released all that is this version's. */
  static Optional<String> waiting(Map<Integer, Wait> waiting) {
    return waiting.values().stream()
        .max(Comparator.comparingInt(Wait::version))
        .map(
            next ->
                "waiting for version %d: %s released every window that starts before %s; the new version releases the later ones"
                    .formatted(
                        next.version(),
                        partitions(waiting.keySet(), "has", "have"),
                        Instant.ofEpochMilli(next.from())));
  }

  /** What partitions do, in words: of one, of several. */
  static String partitions(Set<Integer> partitions, String one, String many) {
    String numbers = partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return partitions.size() == 1
        ? "partition %s %s".formatted(numbers, one)
        : "partitions %s %s".formatted(numbers, many);
  }

  /** What an instance has to do. */
  enum Tasks {
    /** It has windows to close. */
    KEEPS,
    /** It takes records in, for other instances' windows. */
    READS,
    NONE
  }

  private static Tasks tasks(PipelineRun run) {
    List<String> journals = Names.journalTopics(run.plan().pipeline());
    String last = journals.get(journals.size() - 1);
    Set<String> read =
        run.streams().stream()
            .flatMap(streams -> streams.metadataForLocalThreads().stream())
            .flatMap(thread -> thread.activeTasks().stream())
            .flatMap(task -> task.topicPartitions().stream())
            .map(TopicPartition::topic)
            .collect(Collectors.toSet());
    return read.isEmpty() ? Tasks.NONE : read.contains(last) ? Tasks.KEEPS : Tasks.READS;
  }

  /**
   * Why an instance shows no windows, if it has none to close.
   *
   * @param instances of the pipeline, if the cluster said so
   */
  static Optional<String> idle(Tasks tasks, OptionalInt instances, int partitions) {
    String shared =
        instances.isPresent()
            ? Plurals.of(instances.getAsInt(), "instance shares", "instances share")
                + " "
                + Plurals.of(partitions, "partition")
            : Plurals.of(partitions, "partition") + " in all";
    return switch (tasks) {
      case KEEPS -> Optional.empty();
      case READS ->
          Optional.of(
              "no windows here: this instance reads records, and other instances release the windows (%s)"
                  .formatted(shared));
      case NONE ->
          Optional.of(
              "idle: no partitions assigned (%s); it takes over when another instance ends"
                  .formatted(shared));
    };
  }
}
