// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer whose records are all taken when it is closed: a test that lost one would wait in vain
 * for what follows from it.
 */
final class CertainProducer extends KafkaProducer<byte[], byte[]> {
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  CertainProducer(Map<String, Object> config) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    return super.send(
        record,
        (metadata, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
          if (callback != null) {
            callback.onCompletion(metadata, failed);
          }
        });
  }

  @Override
  public void flush() {
    super.flush();
    requireTaken();
  }

  /** What {@code close()} of a producer calls, too. */
  @Override
  public void close(Duration timeout) {
    super.close(timeout);
    requireTaken();
  }

  private void requireTaken() {
    Exception failed = failure.get();
    if (failed != null) {
      throw new AssertionError("the cluster did not take a record of the test", failed);
    }
  }
}
