// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.intake.ReadUpTo;
import io.sfumato.topology.version.MetaStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;

/**
 * How far an application has read its topics, by its own state: read from changelogs, for when the
 * group's offsets are lost.
 */
public final class Positions {
  private final Pipeline pipeline;
  private final SourceTopics topics;
  private final String sources;

  /** Changelogs of the keepers' meta stores, each with the journal that it follows. */
  private final Map<String, String> journals = new HashMap<>();

  /** Offsets of the last records taken in. */
  private final Map<TopicPartition, Long> last = new HashMap<>();

  /**
   * @param topics of the records
   */
  public Positions(Pipeline pipeline, SourceTopics topics) {
    this.pipeline = pipeline;
    this.topics = topics;
    String application = pipeline.applicationId();
    this.sources = Names.changelogTopic(application, Names.SOURCE_STORE);
    List<String> read = Names.journalTopics(pipeline);
    journals.put(Names.changelogTopic(application, Names.META_STORE), read.get(0));
    journals.put(
        Names.changelogTopic(application, Names.keeperMeta(pipeline)), read.get(read.size() - 1));
  }

  /** The changelogs that tell it. */
  public List<String> changelogs() {
    List<String> all = new ArrayList<>(journals.keySet());
    all.add(sources);
    return all;
  }

  /** The changelogs that tell it of a pipeline. */
  public static List<String> changelogs(Pipeline pipeline) {
    return new Positions(pipeline, SourceTopics.of("none", "", 1)).changelogs();
  }

  /** Takes in a record of one of these changelogs, in the order of each partition. */
  public void apply(String changelog, int partition, byte[] key, byte[] value) {
    if (value == null) {
      return;
    }
    Bytes at = Bytes.wrap(key);
    if (!changelog.equals(sources)) {
      if (at.equals(MetaStore.POSITION)) {
        last.put(
            new TopicPartition(journals.get(changelog), partition), MetaStore.positionOf(value));
      }
    } else if (key.length == Integer.BYTES) {
      int source = ByteBuffer.wrap(key).getInt();
      if (source >= 0 && source < topics.count()) {
        last.put(topics.place(source), PartitionWatermark.decode(value).offset());
      }
    } else {
      apply(ReadUpTo.Source.COMMANDS, pipeline.controlTopic(), at, value);
      apply(ReadUpTo.Source.CANDIDATES, pipeline.candidatesTopic(), at, value);
    }
  }

  private void apply(ReadUpTo.Source source, String topic, Bytes key, byte[] value) {
    source
        .partitionOf(key)
        .ifPresent(
            partition -> last.put(new TopicPartition(topic, partition), ReadUpTo.decode(value)));
  }

  /** Where to go on reading; nothing if the state knows of no record. */
  public OptionalLong next(TopicPartition partition) {
    Long offset = last.get(partition);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset + 1);
  }

  /** Whether a partition is of a topic that the application alone writes and deletes from. */
  public boolean isJournal(TopicPartition partition) {
    return journals.containsValue(partition.topic());
  }

  /** Whether only an operator can say where to go on if the state does not. */
  public boolean mayBeUnknown(TopicPartition partition) {
    return partition.topic().equals(pipeline.controlTopic())
        || partition.topic().equals(pipeline.candidatesTopic());
  }
}
