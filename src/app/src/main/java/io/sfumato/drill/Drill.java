// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.CountedCharges;
import io.sfumato.ledger.ProgressListener;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.InstancePlace;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.RocksLibrary;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.runtime.TopicOffsets;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PartitionCount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Restores all state of a pipeline from its changelogs, beside the pipeline, and compares it with
 * what instances have on this machine's disk. It joins no group, writes to no topic and takes no
 * lock: the pipeline does not notice it.
 *
 * <p>A store without a copy here is restored a second time. That shows whether the changelog can be
 * read whole and twice alike; whether it is right only its writer's copy can show, and for ledgers
 * their total.
 *
 * @param data folder where {@code run} keeps local state
 * @param key of the budget, to compare with the charges that its registry has counted
 */
public record Drill(
    Pipeline pipeline,
    KafkaSettings settings,
    Path data,
    Optional<NoiseKey> key,
    ProgressListener stages) {
  /** A difference that another try does not find came of a write in between. */
  private static final int TRIES = 3;

  private static final Duration SETTLING = Duration.ofSeconds(20);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
  private static final int FETCH_BYTES = 2 << 20;

  /**
   * Restores and compares.
   *
   * @param into folder that is there and empty, where what is restored stays; without one it is
   *     deleted
   * @throws RefusedException if there is no state, or it cannot be restored at all
   */
  public DrillReport run(Optional<Path> into) throws RefusedException {
    RocksLibrary.require();
    if (into.isPresent()) {
      return run(into.get(), Kept.ALWAYS);
    }
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-drill-")) {
      return run(folder.path(), Kept.WHILE_COMPARED);
    }
  }

  /** How long what is restored stays on disk. */
  private enum Kept {
    ALWAYS,
    WHILE_COMPARED
  }

  private DrillReport run(Path folder, Kept kept) throws RefusedException {
    long began = System.nanoTime();
    Map<String, Object> config = settings.consumer();
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    try (Cluster cluster = new Cluster(settings);
        KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      int partitions = requireState(cluster);
      Ends ends = new Ends(cluster.offsets());
      long total = total(ends, partitions);
      Map<Integer, PartitionCount> counted = counted(cluster);
      List<PartitionReport> reports = new ArrayList<>();
      try (ProgressListener.Stage stage = stages.begin("restoring", total)) {
        PartitionDrill drill =
            new PartitionDrill(
                new ChangelogRestorer(consumer),
                InstancePlace.known(data, pipeline.applicationId()),
                folder,
                new Done(stage, total)::add);
        for (int partition = 0; partition < partitions; partition++) {
          List<PartitionDrill.Place> places = places(partition);
          reports.add(settled(drill, ends, places, new Expected(partitions, counted)));
          if (kept == Kept.WHILE_COMPARED) {
            drill.discard(places);
          }
        }
      }
      return new DrillReport(reports, Duration.ofNanos(System.nanoTime() - began));
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read the changelogs at %s: %s"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  /** What is known of all partitions. */
  private record Expected(int partitions, Map<Integer, PartitionCount> counted) {}

  /** Before any cut: a state that is restored later has all of these charges. */
  private Map<Integer, PartitionCount> counted(Cluster cluster) throws RefusedException {
    Map<Integer, PartitionCount> counted = new HashMap<>();
    if (key.isPresent()) {
      CountedCharges.of(pipeline.budget().name(), settings, cluster, key.get()).stream()
          .filter(count -> count.place().keeper().equals(LedgerImage.META))
          .forEach(count -> counted.put(count.place().partition(), count));
    }
    return counted;
  }

  private static PartitionReport settled(
      PartitionDrill drill, Ends ends, List<PartitionDrill.Place> places, Expected expected)
      throws RefusedException {
    int partition = places.get(0).changelog().partition();
    for (int attempt = 1; ; attempt++) {
      long deadline = System.nanoTime() + SETTLING.toNanos();
      ConsistentCut cut =
          ConsistentCut.find(
              ends,
              changelogs(places),
              () -> {
                Cluster.pause(BETWEEN_LOOKS);
                return System.nanoTime() < deadline;
              });
      PartitionReport report =
          drill.run(
              places,
              cut,
              new LedgerComparison(partition, expected.partitions()),
              Optional.ofNullable(expected.counted().get(partition)));
      if (report.verdict() == Verdict.SAME || attempt == TRIES) {
        return report;
      }
      drill.discard(places);
    }
  }

  /**
   * Number of partitions of the state.
   *
   * @throws RefusedException if there is none, or a part of it is missing
   */
  private int requireState(Cluster cluster) throws RefusedException {
    List<String> topics = Names.changelogTopics(pipeline);
    List<String> missing = new ArrayList<>(topics);
    missing.removeAll(cluster.topics().ids(topics).keySet());
    String budget = pipeline.budget().name();
    if (missing.size() == topics.size()) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "budget '%s' has no state at %s: start its pipeline with 'sfumato run FILE' first"
              .formatted(budget, settings.bootstrapServers()));
    }
    if (!missing.isEmpty()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "these changelogs of budget '%s' are missing: %s. Give the file that runs; if it is this one, see docs/operate/backup.md"
              .formatted(budget, missing));
    }
    return cluster
        .topics()
        .partitions(Names.changelogTopic(pipeline.applicationId(), LedgerImage.LEDGERS));
  }

  /** Ledgers and their keeper's facts first. */
  private List<String> stores() {
    List<String> first = List.of(LedgerImage.LEDGERS, LedgerImage.META);
    return Names.stores(pipeline).stream()
        .sorted(
            Comparator.comparing((String store) -> !first.contains(store))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private List<PartitionDrill.Place> places(int partition) {
    return stores().stream()
        .map(
            store ->
                new PartitionDrill.Place(
                    store,
                    new TopicPartition(
                        Names.changelogTopic(pipeline.applicationId(), store), partition)))
        .toList();
  }

  private static List<TopicPartition> changelogs(List<PartitionDrill.Place> places) {
    return places.stream().map(PartitionDrill.Place::changelog).toList();
  }

  private long total(Ends ends, int partitions) throws RefusedException {
    List<TopicPartition> all = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      all.addAll(changelogs(places(partition)));
    }
    return ends.committed(all).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Asks the brokers. */
  private record Ends(TopicOffsets offsets) implements ConsistentCut.Ends {
    @Override
    public Map<TopicPartition, Long> committed(Collection<TopicPartition> changelogs)
        throws RefusedException {
      return offsets.committedEnds(changelogs);
    }

    @Override
    public Map<TopicPartition, Long> all(Collection<TopicPartition> changelogs)
        throws RefusedException {
      return offsets.ends(changelogs);
    }
  }

  /** How far all of it is: what is read again, or was written meanwhile, does not count. */
  private static final class Done {
    private final ProgressListener.Stage stage;
    private final long total;
    private long done;

    Done(ProgressListener.Stage stage, long total) {
      this.stage = stage;
      this.total = total;
    }

    void add(long offsets) {
      done = Math.min(total, done + offsets);
      stage.at(done);
    }
  }
}
