// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.topology.context.ThreadProgress;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Tells releases when their thread has polled. Changes nothing. */
public final class PollSignal implements ConsumerInterceptor<byte[], byte[]> {
  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    ThreadProgress.polled();
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    // Nothing waits for commits.
  }

  @Override
  public void configure(Map<String, ?> config) {
    // Nothing to configure.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
