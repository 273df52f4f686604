// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.GroupOffsets;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RecordRanges;
import io.sfumato.runtime.RecordRanges.Range;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.Positions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares a group's offsets with what the application's state says that it has read, and puts back
 * those that were lost: a cluster forgets the offsets of a group that was stopped for a week.
 */
public final class OffsetsOfState {
  private final Pipeline pipeline;
  private final KafkaSettings settings;

  public OffsetsOfState(Pipeline pipeline, KafkaSettings settings) {
    this.pipeline = pipeline;
    this.settings = settings;
  }

  /** How a partition stands. */
  public enum Standing {
    /** The group goes on where the state is. */
    IN_ORDER,
    /** The group has no offset, or one in front of the state: {@code --restore} sets it. */
    LOST,
    /** The group's offset lies after records that were not read: {@code --restore} sets it. */
    AHEAD,
    /** Records that the group would read next are gone. */
    GONE,
    /** The group has no offset, and the state does not say what was read. */
    UNKNOWN;

    /** For people. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Where to go on where the state does not say it. */
  public enum Unknown {
    /** From the first record that is there: commands that were obeyed before are obeyed again. */
    BEGINNING,
    /** After the last record: what nobody has read is passed over. */
    END
  }

  /** Looks at every partition that the group reads. */
  public List<StatePlace> look() throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      requireNotSealed(cluster);
      return look(cluster);
    }
  }

  /** Without the secret every entry counts: who commands it can look, and a start does not ask. */
  private void requireNotSealed(Cluster cluster) throws RefusedException {
    String budget = pipeline.budget().name();
    if (Continuity.isEnded(budget, settings, cluster, Optional.empty())) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' is sealed: its pipeline reads no more records"
              .formatted(budget));
    }
  }

  /**
   * The first offset of each partition that was not read, by the state or else the group, once
   * nobody is a member: an instance that stands still in front of its commit is none, and may
   * commit until the brokers end its transaction, which is waited for. Of what is not in it nothing
   * was read.
   *
   * @param settling how long to wait for that
   * @throws RefusedException if it stays open
   */
  public Map<TopicPartition, Long> next(Cluster cluster, Duration settling)
      throws RefusedException {
    Map<TopicPartition, Long> settled = cluster.offsets(pipeline).settled(settling);
    if (!hasState(cluster)) {
      return settled;
    }
    cluster.offsets().awaitSettled(Positions.changelogs(pipeline), settling);
    return look(cluster).stream()
        .collect(
            Collectors.toMap(
                StatePlace::partition,
                place -> Math.max(place.group().orElse(0), place.state().orElse(0))));
  }

  private List<StatePlace> look(Cluster cluster) throws RefusedException {
    String budget = pipeline.budget().name();
    ImportCompleteness.require(pipeline, settings, cluster);
    if (!hasState(cluster)) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "budget '%s' has no state at %s: there is nothing to restore; start it with 'sfumato run FILE'"
              .formatted(budget, settings.bootstrapServers()));
    }
    Positions positions =
        new Positions(
            pipeline,
            SourceIds.known(pipeline, settings, cluster, cluster.topics().sources(pipeline)));
    // Read now, whoever has read the state before: both sides move while somebody runs.
    new OutputReader(settings)
        .read(
            positions.changelogs(),
            OutputReader.Ending.AT_END,
            record -> {
              positions.apply(record.topic(), record.partition(), record.key(), record.value());
              return true;
            });
    GroupOffsets offsets = cluster.offsets(pipeline);
    List<TopicPartition> partitions = offsets.partitions();
    Map<TopicPartition, Long> begins = cluster.offsets().beginnings(partitions);
    Map<TopicPartition, Long> ends = cluster.offsets().ends(partitions);
    Map<TopicPartition, Long> committed = offsets.committed();
    List<StatePlace> places = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      places.add(
          place(
              partition,
              begins.get(partition),
              ends.get(partition),
              committed.get(partition),
              positions));
    }
    places.sort(
        Comparator.comparing((StatePlace place) -> place.partition().topic())
            .thenComparing(place -> place.partition().partition()));
    return inOrderWhereNothingIsLeftOut(places);
  }

  /**
   * Whether the budget has begun.
   *
   * @throws RefusedException if a part of its state is missing: that is no first start
   */
  private boolean hasState(Cluster cluster) throws RefusedException {
    List<String> changelogs = Positions.changelogs(pipeline);
    List<String> missing = new ArrayList<>(changelogs);
    missing.removeAll(cluster.topics().ids(changelogs).keySet());
    if (!missing.isEmpty() && missing.size() < changelogs.size()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "budget '%s' was started before, but these state topics are missing: %s. Nothing was changed; see docs/operate/backup.md"
              .formatted(pipeline.budget().name(), missing));
    }
    return missing.isEmpty();
  }

  /** Between state and group there may be marks of transactions alone, which are no records. */
  private List<StatePlace> inOrderWhereNothingIsLeftOut(List<StatePlace> places)
      throws RefusedException {
    Map<TopicPartition, Range> between = new HashMap<>();
    for (StatePlace place : places) {
      if (place.standing() == Standing.AHEAD) {
        between.put(place.partition(), place.leftOut());
      }
    }
    Set<TopicPartition> nothing = new RecordRanges(settings).withoutRecords(between);
    return places.stream()
        .map(place -> nothing.contains(place.partition()) ? place.inOrder() : place)
        .toList();
  }

  private static StatePlace place(
      TopicPartition partition, long begin, long end, Long committed, Positions positions) {
    OptionalLong state = positions.next(partition);
    OptionalLong group = committed == null ? OptionalLong.empty() : OptionalLong.of(committed);
    Standing standing =
        group.isPresent()
            ? standing(begin, group.getAsLong(), state)
            : lost(partition, begin, end, state, positions);
    return new StatePlace(partition, begin, end, group, state, standing);
  }

  static Standing standing(long begin, long group, OptionalLong state) {
    if (group < begin) {
      return Standing.GONE;
    }
    if (group < state.orElse(0)) {
      return Standing.LOST;
    }
    boolean ahead = state.isPresent() && Math.max(begin, state.getAsLong()) < group;
    return ahead ? Standing.AHEAD : Standing.IN_ORDER;
  }

  private static Standing lost(
      TopicPartition partition, long begin, long end, OptionalLong state, Positions positions) {
    if (state.isEmpty() && positions.mayBeUnknown(partition) && end > 0) {
      return Standing.UNKNOWN;
    }
    // The application deletes of its journal what it has read, and nothing else.
    return begin > state.orElse(0) && !positions.isJournal(partition)
        ? Standing.GONE
        : Standing.LOST;
  }

  /**
   * Refuses a start from where records would be left out or read twice.
   *
   * @param cluster that the pipeline starts on
   * @throws RefusedException if the group's offsets are not where the state is
   */
  public void requireInOrder(Cluster cluster) throws RefusedException {
    if (!hasState(cluster)) {
      return;
    }
    if (cluster.groups().hasMembers(pipeline.applicationId())) {
      // Others go on reading, so that the two cannot be compared; they have been, at their start.
      return;
    }
    String found =
        look(cluster).stream()
            .filter(place -> place.standing() != Standing.IN_ORDER)
            .map(place -> place.partition() + " (" + place.standing().text() + ")")
            .collect(Collectors.joining(", "));
    if (!found.isEmpty()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the group's offsets do not match the state: %s. Records would be skipped or read twice: 'sfumato offsets FILE' shows them, with --restore it sets them to the state's"
              .formatted(found));
    }
  }

  /**
   * Sets lost offsets to where the state is.
   *
   * @param unknown where to go on where the state does not say it; nothing refuses
   * @param acceptLoss whether datasets may miss records that are gone
   * @return how it was found
   */
  public List<StatePlace> restore(Optional<Unknown> unknown, boolean acceptLoss)
      throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      requireNotSealed(cluster);
      List<StatePlace> places = look(cluster);
      if (!acceptLoss) {
        refuse(
            places,
            Standing.GONE,
            "records were deleted before they were read, so counts would lack them. To accept "
                + "that, add --accept-loss");
      }
      if (unknown.isEmpty()) {
        refuse(
            places,
            Standing.UNKNOWN,
            "the state does not record how far these were read. Use --unknown=end to skip what "
                + "is unread, or --unknown=beginning to read everything again: commands are then "
                + "executed again, candidates answered as before");
      }
      Map<TopicPartition, Long> lost = new HashMap<>();
      places.stream()
          .filter(place -> place.standing() != Standing.IN_ORDER)
          .forEach(
              place -> lost.put(place.partition(), place.restored(unknown.orElse(Unknown.END))));
      if (!lost.isEmpty()) {
        cluster.offsets(pipeline).set(lost);
      }
      return places;
    }
  }

  private static void refuse(List<StatePlace> places, Standing standing, String why)
      throws RefusedException {
    String found =
        places.stream()
            .filter(place -> place.standing() == standing)
            .map(place -> place.partition().toString())
            .collect(Collectors.joining(", "));
    if (!found.isEmpty()) {
      throw new RefusedException(ExitCode.STOPPED, found + ": " + why + "; nothing was changed");
    }
  }
}
