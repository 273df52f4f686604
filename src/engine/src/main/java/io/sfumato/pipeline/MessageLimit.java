// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;

/**
 * How large the Kafka records that a pipeline writes may become. A cluster that does not take one
 * of them stops the pipeline in front of it for good, so what a file may need is bounded before
 * anything runs.
 */
public final class MessageLimit {
  /** Most records of one journal entry: other work is looked after between two entries. */
  public static final int ENTRY_RECORDS = 500;

  /** Most bytes of a journal entry with more than one record. */
  public static final int ENTRY_BYTES = 256 << 10;

  /** Most bytes of an entry, row or output, with key and headers, unless the file says more. */
  public static final long BYTES = 900 << 10;

  /**
   * More than what Kafka puts around one record that is sent alone: 61 bytes of a batch, lengths
   * and times of the record, and the lengths of a few headers.
   */
  public static final int AROUND = 1024;

  /** What topics take, and the producer sends, where nobody says otherwise. */
  public static final long TOPIC_DEFAULT = 1_048_588;

  /** The setting by which a file says that its cluster takes more. */
  public static final String SETTING = "max.request.size";

  private MessageLimit() {}

  /** Most bytes of an entry, row or output of a pipeline, with key and headers. */
  public static long of(Pipeline pipeline) {
    return declared(pipeline).map(bytes -> bytes - AROUND).orElse(BYTES);
  }

  /**
   * What a topic that a pipeline writes to is made to take, in bytes of a batch: at least Kafka's
   * default, whatever the brokers' own is.
   */
  public static long ofTopic(Pipeline pipeline) {
    return Math.max(TOPIC_DEFAULT, declared(pipeline).orElse(0L));
  }

  /** What the file's own Kafka properties let the producer send. */
  private static Optional<Long> declared(Pipeline pipeline) {
    return Optional.ofNullable(pipeline.kafka().get("producer." + SETTING))
        .or(() -> Optional.ofNullable(pipeline.kafka().get(SETTING)))
        // What is no number Kafka refuses by itself.
        .filter(value -> value.matches("\\d{1,10}"))
        .map(Long::valueOf);
  }
}
