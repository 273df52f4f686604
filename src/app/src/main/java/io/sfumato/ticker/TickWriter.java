// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes ticks into partitions of the records' topics. Where brokers stamp its records, each
 * acknowledgement says what time it is there.
 */
final class TickWriter implements TickTarget, AutoCloseable {
  private static final Duration DELIVERY = Duration.ofSeconds(60);
  private static final Duration REQUEST = Duration.ofSeconds(20);
  private static final Duration BLOCK = Duration.ofSeconds(10);

  /**
   * A record is stamped by up to this much less than now. A broker's own stamp is then hardly ever
   * the same, whatever the latency and the difference of the clocks.
   */
  private static final long SPREAD_MS = 1_000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaSettings settings;
  private final SourceTopics sources;
  private final TickHeader header;
  private final LastTicks lastTicks;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

  TickWriter(KafkaSettings settings, SourceTopics sources, TickHeader header, LastTicks lastTicks) {
    Map<String, Object> config = settings.producer();
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DELIVERY.toMillis());
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST.toMillis());
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK.toMillis());
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    this.producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    this.settings = settings;
    this.sources = sources;
    this.header = header;
    this.lastTicks = lastTicks;
  }

  @Override
  public Set<Integer> partitions() throws RefusedException {
    Set<Integer> partitions = new TreeSet<>();
    try {
      for (String topic : sources.names()) {
        for (PartitionInfo found : producer.partitionsFor(topic)) {
          TopicPartition place = new TopicPartition(topic, found.partition());
          if (sources.contains(place)) {
            partitions.add(sources.number(place));
          }
        }
      }
    } catch (KafkaException e) {
      throw new RefusedException(ExitCode.REFUSED_CLUSTER, words(e));
    }
    return partitions;
  }

  @Override
  public void send(int partition, OptionalLong time) {
    TopicPartition place = sources.place(partition);
    RecordHeaders headers = new RecordHeaders();
    headers.add(
        Names.TICK_HEADER,
        time.isPresent()
            ? header.of(place.topic(), place.partition(), time.getAsLong())
            : TickVerifier.PROBE.getBytes(StandardCharsets.US_ASCII));
    Moment asked = Moment.now();
    long before = asked.wall() - 1 - ThreadLocalRandom.current().nextLong(SPREAD_MS);
    long stamp = Math.max(time.orElse(before), before);
    try {
      producer.send(
          new ProducerRecord<>(place.topic(), place.partition(), stamp, null, null, headers),
          (metadata, exception) ->
              answers.add(
                  exception == null
                      ? acknowledged(partition, metadata, time, stamp, asked)
                      : failed(partition, time, exception)));
    } catch (KafkaException e) {
      answers.add(failed(partition, time, e));
    }
  }

  /** Brokers that do not stamp records give back what was sent. */
  private static Answer acknowledged(
      int partition, RecordMetadata metadata, OptionalLong time, long stamp, Moment asked) {
    return new Answer(
        partition,
        time,
        metadata.hasOffset() ? OptionalLong.of(metadata.offset()) : OptionalLong.empty(),
        metadata.timestamp() == stamp
            ? Optional.empty()
            : Optional.of(new ClockReading(metadata.timestamp(), asked, Moment.now())),
        Optional.empty());
  }

  /** Brokers judge timestamps only where they do not stamp records themselves. */
  private Answer failed(int partition, OptionalLong time, Exception e) {
    boolean judged = time.isEmpty() && e instanceof InvalidTimestampException;
    return new Answer(
        partition,
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        judged ? Optional.empty() : Optional.of(words(e)));
  }

  @Override
  public Optional<Answer> answer(Duration patience) throws RefusedException {
    try {
      return Optional.ofNullable(answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(ExitCode.FAILED, "stopped while ticking");
    }
  }

  @Override
  public Map<Integer, Long> lastTicks(Map<Integer, Long> ends) {
    return lastTicks.before(ends);
  }

  private String words(Exception e) {
    return "cannot write ticks to %s: %s (%s)"
        .formatted(
            String.join(", ", sources.names()),
            ClientErrors.words(e, settings),
            e.getClass().getSimpleName());
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
