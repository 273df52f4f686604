// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** A record arrives a second time. It is not taken in. */
public final class ReadAgainException extends PipelineStopException {
  private static final long serialVersionUID = 1L;

  private final TopicPartition place;
  private final long before;

  /**
   * @param before offset of the last record read
   * @param now the record that arrives
   */
  public ReadAgainException(long before, RecordMetadata now) {
    super(
        ("%s-%d was read up to offset %d before, but now offset %d arrives: the group's offsets "
                + "were reset, or the topic was re-created. Counting records twice would break "
                + "the guarantee. 'sfumato offsets FILE --restore' sets the group's offsets to "
                + "the state's (%d); if the topic is a new one, carry the ledger over: sfumato "
                + "ledger export OLD --for NEW, sfumato ledger import NEW")
            .formatted(now.topic(), now.partition(), before, now.offset(), before + 1));
    this.place = new TopicPartition(now.topic(), now.partition());
    this.before = before;
  }

  /** Topic and partition. */
  public TopicPartition place() {
    return place;
  }

  /** Offset of the last record of it that the state has read. */
  public long before() {
    return before;
  }
}
