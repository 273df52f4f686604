// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes events, ticks and commands; every write is acknowledged before {@link #close} returns. */
public final class EventPublisher implements AutoCloseable {
  /** Large, since requests follow one another. */
  private static final int BATCH_BYTES = 1 << 18;

  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaSettings settings;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  public EventPublisher(KafkaSettings settings) {
    this.settings = settings;
    Map<String, Object> config = settings.producer();
    config.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 20);
    config.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    config.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000);
    config.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 20_000);
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends one event, candidate or command, keyed by its subject. */
  public void event(String topic, String key, byte[] value) throws RefusedException {
    send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  /**
   * Writes a tick into every partition of a records' topic, and waits until they are acknowledged.
   *
   * @param time event time, milliseconds since 1970
   * @param header how it is signed
   * @return number of partitions
   */
  public int tick(String topic, long time, TickHeader header) throws RefusedException {
    int partitions = tickBetween(topic, time, header);
    flush();
    return partitions;
  }

  /** The same between events, without waiting: each partition has what was sent in that order. */
  public int tickBetween(String topic, long time, TickHeader header) throws RefusedException {
    List<PartitionInfo> partitions;
    try {
      partitions = producer.partitionsFor(topic);
    } catch (KafkaException e) {
      throw failed(e);
    }
    for (PartitionInfo partition : partitions) {
      RecordHeaders headers = new RecordHeaders();
      headers.add(Names.TICK_HEADER, header.of(topic, partition.partition(), time));
      send(new ProducerRecord<>(topic, partition.partition(), null, null, null, headers));
    }
    return partitions.size();
  }

  /** Waits until everything is acknowledged. */
  public void flush() throws RefusedException {
    producer.flush();
    throwFailure();
  }

  @Override
  public void close() {
    producer.close();
  }

  private void send(ProducerRecord<byte[], byte[]> record) throws RefusedException {
    throwFailure();
    try {
      producer.send(
          record,
          (metadata, exception) -> {
            if (exception != null) {
              failure.compareAndSet(null, exception);
            }
          });
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  private void throwFailure() throws RefusedException {
    // Told once: whoever goes on, as the automatic ticks do, must not fail for ever.
    Exception told = failure.getAndSet(null);
    if (told != null) {
      throw failed(told);
    }
  }

  private RefusedException failed(Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "cannot write to %s: %s (%s)%s"
            .formatted(
                settings.bootstrapServers(),
                ClientErrors.words(e, settings),
                e.getClass().getSimpleName(),
                e instanceof TimeoutException
                    ? ". Check that the cluster is up, that --bootstrap-servers is right, and "
                        + "that the pipeline has run there once"
                    : ""));
  }
}
