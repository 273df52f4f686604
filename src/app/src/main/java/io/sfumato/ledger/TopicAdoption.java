// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.RocksLibrary;
import io.sfumato.topology.RunningVersion;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Lets a budget go on with a restored copy of its state, whose topics have other ids than those
 * that it began with. The registry, which was restored too or survived, says how far each partition
 * was when it was counted last: a copy that is older would give budget back, and is refused. What
 * was charged after the last count nobody can know: the operator has to accept that, and the
 * registry keeps that he did.
 */
public final class TopicAdoption {
  /** Key of the entry that says what an operator accepted. */
  static final String ADOPTED_TOPICS = "adopted-topics";

  /** By then the cluster has noticed that an instance which stopped is gone. */
  private static final Duration LEAVING = Duration.ofSeconds(30);

  /** Longer than a transaction of an instance is open, and the brokers' next look, 10 s. */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final NoiseKey key;
  private final Registry registry;
  private final CountLog counts;
  private final Consumer<String> out;
  private final ProgressListener stages;

  /**
   * @param key that the budget draws with: it signs the adoption
   * @param out is told how it goes
   * @param stages hear how far long work is
   */
  public TopicAdoption(
      Pipeline pipeline,
      KafkaSettings settings,
      NoiseKey key,
      Consumer<String> out,
      ProgressListener stages) {
    String budget = pipeline.budget().name();
    this.pipeline = pipeline;
    this.settings = settings;
    this.key = key;
    this.registry = new Registry(settings, budget, Optional.of(key));
    this.counts = new CountLog(settings, budget, key);
    this.out = out;
    this.stages = stages;
  }

  /** Whether an operator accepts that charges after the last count may be missing. */
  public enum Uncounted {
    REFUSED,
    ACCEPTED
  }

  /**
   * What an adoption found.
   *
   * @param changed whether the topics are others than those that the budget went on with before
   * @param topics that hold the state
   * @param counted when the oldest of the states was committed that were counted last, one for each
   *     partition; nothing if the registry has no counts, so that nothing was compared
   * @param otherRecords whether the records' topic has another id than the state knows
   */
  public record Adopted(
      boolean changed, List<String> topics, Optional<Instant> counted, boolean otherRecords) {}

  /**
   * Compares the state with the registry and adopts its topics.
   *
   * @throws RefusedException if instances run, the state is older than the last count, incomplete
   *     or not of one moment, or charges after the last count are not accepted
   */
  public Adopted adopt(Uncounted uncounted) throws RefusedException {
    RocksLibrary.require();
    try (Cluster cluster = new Cluster(settings)) {
      Begun begun = begun(cluster);
      requireStopped(cluster);
      List<String> topics = Names.stateTopics(pipeline);
      Map<String, String> now = cluster.topics().ids(topics);
      requireThere(topics, now);
      boolean isKnown =
          begun.lost(topics, now).isEmpty() && begun.topics().keySet().containsAll(topics);
      SourceTopics present = cluster.topics().sources(pipeline);
      requirePartitions(topics, present, cluster);
      cluster.offsets().awaitSettled(topics, SETTLING);
      StateReader found = new StateTopics(pipeline).readMeta(settings, cluster);
      SourceTopics sources = found.joined(present, pipeline.version());
      requireMaker(found.runningVersion(), sources);
      PresentState state = PresentState.read(pipeline, sources, settings, stages);
      state.requireOneMoment();
      requireOffsets(state, cluster);
      KnownCounts known = counts.read();
      if (!isKnown || !known.all().isEmpty()) {
        requireNotOlder(state.counts(), known);
      }
      if (isKnown) {
        return new Adopted(false, topics, known.oldest(), false);
      }
      Instant counted = known.oldest().orElseThrow();
      if (uncounted == Uncounted.REFUSED) {
        throw uncounted(counted);
      }
      Begun adopted = Begun.with(now).withRecords(knownIds(sources, found.runningVersion()));
      remember(adopted, state.counts(), counted);
      return new Adopted(true, topics, Optional.of(counted), !adopted.records().isEmpty());
    }
  }

  /** The ids that the state knows the records' topics by, by those that they have now. */
  private static Map<String, String> knownIds(
      SourceTopics sources, Optional<RunningVersion> runningVersion) {
    Map<String, String> known = new TreeMap<>();
    for (SourceTopics.Topic topic : sources.topics()) {
      known.put(
          topic.id(),
          runningVersion
              .flatMap(version -> version.sources().topic(topic.name()))
              .map(SourceTopics.Topic::id)
              .orElse(topic.id()));
    }
    return known;
  }

  private void remember(Begun begun, List<PartitionCount> present, Instant counted)
      throws RefusedException {
    SignedLog.Draft accepted =
        new SignedLog.Draft(
            ADOPTED_TOPICS,
            JsonNodeFactory.instance
                .objectNode()
                .put("at", Instant.now().toString())
                .put("accepted-uncounted-since", counted.toString()));
    long now = System.currentTimeMillis(); // nobody runs: this is what there is
    List<CountedState> states = present.stream().map(c -> new CountedState(c, now)).toList();
    registry.goOnWith(begun.with(present), List.of(counts.draft(states), accepted));
  }

  private Begun begun(Cluster cluster) throws RefusedException {
    String budget = pipeline.budget().name();
    RegistryEntries mine = registry.read(cluster).mine();
    if (mine.begun().equals(Begun.NOT)) {
      throw refused(
          "topic '%s' has no entry under this noise key (%s) that budget '%s' was started: restore it together with the state topics, or give the budget's secret"
              .formatted(Registry.topicOf(budget), key.tag(), budget));
    }
    registry.requireNotFollowed();
    if (mine.ended().isPresent()) {
      throw refused("the ledger of budget '%s' %s".formatted(budget, mine.ended().get()));
    }
    BegunState.requireFormat(pipeline, mine.begun());
    return mine.begun();
  }

  private void requireStopped(Cluster cluster) throws RefusedException {
    boolean stopped =
        cluster
            .groups()
            .awaitStopped(
                pipeline.applicationId(),
                LEAVING,
                () -> out.accept("waiting for the pipeline's instances to stop ..."));
    if (!stopped) {
      throw refused("instances of the pipeline are running: stop all of them first");
    }
  }

  private void requireThere(List<String> topics, Map<String, String> now) throws RefusedException {
    List<String> missing = topics.stream().filter(topic -> !now.containsKey(topic)).toList();
    if (!missing.isEmpty()) {
      throw refused(
          "these state topics of budget '%s' are missing: %s. Restore them first"
              .formatted(pipeline.budget().name(), missing));
    }
  }

  private void requirePartitions(List<String> topics, SourceTopics present, Cluster cluster)
      throws RefusedException {
    int partitions = present.journalPartitions();
    for (String topic : topics) {
      int found = cluster.topics().partitions(topic);
      if (found != partitions) {
        throw refused(
            "topic '%s' has %d partitions, but the records' topic '%s' has %d: restore it with the same number"
                .formatted(topic, found, widest(present), partitions));
      }
    }
    List<String> truncated = BegunState.truncated(BegunState.changelogs(topics), cluster);
    if (!truncated.isEmpty()) {
      throw refused("the first records of these changelogs were deleted: " + truncated);
    }
  }

  /** The name of the topic with the most partitions. */
  private static String widest(SourceTopics present) {
    return present.topics().stream()
        .filter(topic -> topic.partitions() == present.journalPartitions())
        .findFirst()
        .orElseThrow()
        .name();
  }

  private void requireMaker(Optional<RunningVersion> runningVersion, SourceTopics sources)
      throws RefusedException {
    if (runningVersion.isEmpty()) {
      return; // whatever the registry counted is missing, and its partition is named
    }
    for (SourceTopics.Topic known : runningVersion.get().sources().topics()) {
      int partitions = sources.topic(known.name()).map(SourceTopics.Topic::partitions).orElse(0);
      if (partitions != known.partitions()) {
        throw refused(
            "the state was built from %d source partitions, but topic '%s' has %d"
                .formatted(known.partitions(), known.name(), partitions));
      }
    }
    if (!runningVersion.get().noiseKey().equals(key.tag())) {
      throw refused(
          "the state uses noise key %s, not this one (%s): give that secret"
              .formatted(runningVersion.get().noiseKey(), key.tag()));
    }
  }

  /** Records at other offsets would count twice, or not at all. */
  private void requireOffsets(PresentState state, Cluster cluster) throws RefusedException {
    List<TopicPartition> read = cluster.offsets(pipeline).partitions();
    Map<TopicPartition, Long> ends = cluster.offsets().ends(read);
    for (TopicPartition partition : read) {
      OptionalLong next = state.next(partition);
      if (next.isPresent() && next.getAsLong() > ends.get(partition)) {
        throw refused(
            "topic '%s', partition %d, ends at offset %d, but the state has read it up to offset %d: a copy must keep the offsets of journals and of source topics"
                .formatted(
                    partition.topic(),
                    partition.partition(),
                    ends.get(partition),
                    next.getAsLong()));
      }
    }
  }

  private void requireNotOlder(List<PartitionCount> present, KnownCounts known)
      throws RefusedException {
    if (known.all().isEmpty()) {
      throw refused(
          "the registry of budget '%s' holds no charge counts, so nothing shows whether this copy is older than the lost state"
              .formatted(pipeline.budget().name()));
    }
    List<String> older = new ArrayList<>();
    for (PartitionCount count : present) {
      Optional<CountedState> before = known.of(count.place());
      older.addAll(
          before.isEmpty()
              ? List.of(at(count) + " was never counted")
              : difference(count, before.get()));
    }
    known.all().keySet().stream()
        .filter(place -> present.stream().noneMatch(count -> count.place().equals(place)))
        .forEach(place -> older.add("partition %d is missing".formatted(place.partition())));
    if (!older.isEmpty()) {
      throw refused(
          "this copy of the state is older than the charge counts in the registry of budget '%s', or a different one, and would give back spent budget:%n  %s%nRestore a newer copy; or choose new names for the pipeline and its budget, whose loss adds to the former one"
              .formatted(pipeline.budget().name(), String.join("%n  ".formatted(), older)));
    }
  }

  /** In words alone: exact counts are not for every reader of a terminal. */
  private static List<String> difference(PartitionCount count, CountedState known) {
    PartitionCount before = known.count();
    String when = " at " + known.time();
    if (!count.isBehind(before)) {
      return List.of();
    }
    if (count.charges() < before.charges()) {
      return List.of(at(count) + " holds fewer charges than were counted" + when);
    }
    if (before.epoch().isPresent() && !before.epoch().equals(count.epoch())) {
      return List.of(at(count) + " holds another state than was counted" + when);
    }
    return List.of(
        at(count)
            + (count.position() < before.position()
                ? " has read fewer journal entries than were counted"
                : " has decided fewer windows than were counted")
            + when);
  }

  private static String at(PartitionCount count) {
    return "partition %d (%s)".formatted(count.place().partition(), count.place().keeper());
  }

  private RefusedException uncounted(Instant counted) {
    return refused(
        "the state holds at least the charges counted at %s. Later charges may be missing from this copy, which would give back spent budget. None are missing if the copy was made after the pipeline had stopped. To continue anyway, add --accept-uncounted, which the registry records"
            .formatted(counted));
  }

  private static RefusedException refused(String why) {
    return new RefusedException(ExitCode.STOPPED, why + ". Nothing was changed");
  }
}
