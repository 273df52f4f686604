package io.sfumato.ledger;

import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.GroupOffsets;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.Positions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
    /** The group goes on where the state is, or behind it. */
    IN_ORDER,
    /** The group has no offset, or one in front of the state: {@code --restore} sets it. */
    LOST,
    /** The same, and records between the state and the log's beginning are gone. */
    GONE,
    /** The group has no offset, and the state does not say what was read. */
    UNKNOWN
  }

  /** Where to go on where the state does not say it. */
  public enum Unknown {
    /** From the first record that is there: commands that were obeyed before are obeyed again. */
    BEGINNING,
    /** Behind the last record: what nobody has read is passed over. */
    END
  }

  /**
   * One partition.
   *
   * @param begin first offset that is there
   * @param end behind the last record
   * @param group where the group goes on
   * @param state where the state would go on
   */
  public record Place(
      TopicPartition partition,
      long begin,
      long end,
      OptionalLong group,
      OptionalLong state,
      Standing standing) {

    private long restored(Unknown unknown) {
      if (standing == Standing.UNKNOWN) {
        return unknown == Unknown.BEGINNING ? begin : end;
      }
      return Math.max(begin, state.orElse(begin));
    }
  }

  /** Looks at every partition that the group reads. */
  public List<Place> look() throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      return look(cluster);
    }
  }

  private List<Place> look(Cluster cluster) throws RefusedException {
    String budget = pipeline.budget().name();
    if (new Registry(settings).read().isSealed(budget)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of budget '%s' is sealed: it reads nothing any more".formatted(budget));
    }
    Positions positions = new Positions(pipeline);
    for (String changelog : positions.changelogs()) {
      if (!cluster.exists(changelog)) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "budget '%s' has no state at %s: there is nothing to restore; just run the file"
                .formatted(budget, settings.bootstrapServers()));
      }
    }
    new OutputReader(settings)
        .read(
            positions.changelogs(),
            OutputReader.Ending.AT_END,
            record -> {
              positions.take(record.topic(), record.partition(), record.key(), record.value());
              return true;
            });
    GroupOffsets offsets = cluster.offsets(pipeline);
    List<TopicPartition> partitions = offsets.partitions();
    Map<TopicPartition, Long> begins = offsets.beginnings(partitions);
    Map<TopicPartition, Long> ends = offsets.ends(partitions);
    Map<TopicPartition, Long> committed = offsets.committed();
    return partitions.stream()
        .map(
            partition ->
                place(
                    partition,
                    begins.get(partition),
                    ends.get(partition),
                    committed.get(partition),
                    positions))
        .sorted(
            Comparator.comparing((Place place) -> place.partition().topic())
                .thenComparing(place -> place.partition().partition()))
        .toList();
  }

  private static Place place(
      TopicPartition partition, long begin, long end, Long committed, Positions positions) {
    OptionalLong state = positions.next(partition);
    OptionalLong group = committed == null ? OptionalLong.empty() : OptionalLong.of(committed);
    return new Place(
        partition,
        begin,
        end,
        group,
        state,
        standing(partition, begin, end, group, state, positions));
  }

  private static Standing standing(
      TopicPartition partition,
      long begin,
      long end,
      OptionalLong group,
      OptionalLong state,
      Positions positions) {
    boolean kept = group.isPresent() && group.getAsLong() >= state.orElse(0);
    if (kept) {
      return Standing.IN_ORDER;
    }
    if (state.isEmpty() && positions.mayBeUnknown(partition) && end > 0) {
      return Standing.UNKNOWN;
    }
    return begin > state.orElse(0) ? Standing.GONE : Standing.LOST;
  }

  /**
   * Sets lost offsets to where the state is.
   *
   * @param unknown where to go on where the state does not say it; nothing refuses
   * @param acceptLoss whether datasets may miss records that are gone
   * @return how it was found
   */
  public List<Place> restore(Optional<Unknown> unknown, boolean acceptLoss)
      throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      List<Place> places = look(cluster);
      if (!acceptLoss) {
        refuse(
            places,
            Standing.GONE,
            "records are gone that were not read: their datasets would miss them. If that is accepted, say --accept-loss");
      }
      if (unknown.isEmpty()) {
        refuse(
            places,
            Standing.UNKNOWN,
            "the state does not say how far these were read (an earlier program did not note it). Say --unknown=end to pass over what nobody has read, or --unknown=beginning to read all again: commands are then obeyed a second time, candidates answered as before");
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

  private static void refuse(List<Place> places, Standing standing, String why)
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
