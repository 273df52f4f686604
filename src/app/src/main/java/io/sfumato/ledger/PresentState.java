// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.Positions;
import io.sfumato.topology.StateCounts;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.context.SourceTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the state of a pipeline is by what its changelogs hold now. Ledgers are added up on disk:
 * memory does not grow with their number.
 */
final class PresentState {
  private final String ledgerTopic;
  private final int partitions;
  private final Positions positions;

  /** By the store of each keeper's facts. */
  private final Map<String, StateCounts> keepers = new LinkedHashMap<>();

  /** Charges in the ledgers of each partition. */
  private final Map<Integer, Long> held = new HashMap<>();

  private PresentState(Pipeline pipeline, SourceTopics sources) {
    this.ledgerTopic = Names.changelogTopic(pipeline.applicationId(), LedgerImage.LEDGERS);
    this.partitions = sources.journalPartitions();
    this.positions = new Positions(pipeline, sources);
    List.of(LedgerImage.META, LedgerImage.keeperMeta(pipeline))
        .forEach(keeper -> keepers.put(keeper, new StateCounts(keeper)));
  }

  /**
   * Reads the changelogs, which must be there, with no transaction open.
   *
   * @param sources the records' topics, as the state knows them
   */
  static PresentState read(
      Pipeline pipeline, SourceTopics sources, KafkaSettings settings, ProgressListener stages)
      throws RefusedException {
    PresentState state = new PresentState(pipeline, sources);
    Map<String, StateCounts> byTopic = new HashMap<>();
    state.keepers.forEach(
        (keeper, counts) ->
            byTopic.put(Names.changelogTopic(pipeline.applicationId(), keeper), counts));
    new OutputReader(settings)
        .read(
            state.positions.changelogs(),
            OutputReader.Ending.AT_END,
            record -> {
              state.positions.apply(
                  record.topic(), record.partition(), record.key(), record.value());
              StateCounts counts = byTopic.get(record.topic());
              if (counts != null) {
                counts.apply(record.partition(), record.key(), record.value());
              }
              return true;
            });
    state.addUp(settings, stages);
    return state;
  }

  private void addUp(KafkaSettings settings, ProgressListener stages) throws RefusedException {
    try (TemporaryFolder folder = TemporaryFolder.make("sfumato-ledgers-");
        SortedLedgers ledgers = new SortedLedgers(folder.path().resolve("sorted"))) {
      new Changelog(settings, ledgerTopic)
          .read(
              stages,
              (partition, key, value) -> {
                requireOwnPartition(partition, key);
                ledgers.put(key, value);
              });
      ledgers.forEachRow(
          (key, value) ->
              held.merge(
                  LedgerImage.partitionOf(key, partitions),
                  LedgerImage.chargesOf(value),
                  Math::addExact));
    }
  }

  private void requireOwnPartition(int partition, byte[] key) throws RefusedException {
    if (LedgerImage.partitionOf(key, partitions) != partition) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "topic '%s', partition %d, holds a ledger of another partition: a copy must keep each record in its partition. Nothing was changed"
              .formatted(ledgerTopic, partition));
    }
  }

  /** The count of every partition of every keeper. */
  List<PartitionCount> counts() {
    List<PartitionCount> counts = new ArrayList<>();
    keepers.forEach(
        (keeper, found) -> {
          for (int partition = 0; partition < partitions; partition++) {
            long charges = keeper.equals(LedgerImage.META) ? held(partition) : 0;
            counts.add(found.count(partition, charges));
          }
        });
    return counts;
  }

  private long held(int partition) {
    return held.getOrDefault(partition, 0L);
  }

  /**
   * Refuses ledgers that are not of the same moment as what the rest of the state says of them.
   *
   * @throws RefusedException with the partition
   */
  void requireOneMoment() throws RefusedException {
    for (int partition = 0; partition < partitions; partition++) {
      OptionalLong expected = keepers.get(LedgerImage.META).held(partition);
      if (expected.isPresent() && expected.getAsLong() != held(partition)) {
        throw new RefusedException(
            ExitCode.STOPPED,
            "topic '%s', partition %d, holds %s charges than the rest of that partition's state: copy all state topics at the same point in time. Nothing was changed"
                .formatted(
                    ledgerTopic,
                    partition,
                    held(partition) < expected.getAsLong() ? "fewer" : "more"));
      }
    }
  }

  /** Where the state would go on reading a topic; nothing if it knows of no record there. */
  OptionalLong next(TopicPartition partition) {
    return positions.next(partition);
  }
}
