// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * A record of an input topic, as Kafka hands it over.
 *
 * @param topic that it was read from
 * @param key null without one
 * @param value null for a tombstone
 * @param timestamp Kafka's, milliseconds since 1970; -1 without one
 */
public record SourceRecord(
    String topic, byte[] key, byte[] value, long timestamp, Headers headers) {
  /** One that a consumer has read. */
  public static SourceRecord of(ConsumerRecord<byte[], byte[]> read) {
    return new SourceRecord(
        read.topic(), read.key(), read.value(), read.timestamp(), read.headers());
  }
}
