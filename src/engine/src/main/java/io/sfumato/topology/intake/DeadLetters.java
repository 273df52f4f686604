// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.schema.DeadLetter;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Publishes where a refused record lies, and nothing of what it holds.
 *
 * @param context of the processor that refuses
 * @param child of that processor, which leads to the dead letters
 * @param encoder of the pipeline
 * @param meters that count them
 */
record DeadLetters(
    ProcessorContext<byte[], byte[]> context,
    String child,
    OutputEncoder encoder,
    PipelineMeters meters) {
  /** The record that is being processed is none. */
  void publish(long timestamp, RejectedRecordException rejected) {
    meters.rejected(rejected.code());
    RecordMetadata source = context.recordMetadata().orElseThrow();
    DeadLetter letter =
        DeadLetter.newBuilder()
            .setTopic(source.topic())
            .setPartition(source.partition())
            .setOffset(source.offset())
            .setCode(rejected.code().name())
            .setHint(rejected.hint().orElse(null))
            .build();
    String key = source.topic() + "-" + source.partition();
    context.forward(
        new Record<>(
            key.getBytes(StandardCharsets.UTF_8),
            encoder.encode(letter),
            timestamp,
            new RecordHeaders()),
        child);
  }
}
