// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The latest tick of each source, a partition of one of the topics, by its tail. A partition's
 * clock is there or later: what intake refuses is passed over.
 */
public final class LastTicks {
  /** Numbers of records of a partition that are looked at, one after the other. */
  private static final List<Long> SPANS = List.of(1_000L, 10_000L, 100_000L);

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaSettings settings;
  private final SourceTopics sources;
  private final TickVerifier ticks;
  private final OperatorOrders orders;

  /**
   * Looks at topics.
   *
   * @param ticks judges what is found
   * @param orders what operators said about the topics, by the same numbers of sources
   */
  public LastTicks(
      KafkaSettings settings, SourceTopics sources, TickVerifier ticks, OperatorOrders orders) {
    this.settings = settings;
    this.sources = sources;
    this.ticks = ticks;
    this.orders = orders;
  }

  /**
   * What was found in all sources.
   *
   * @param last event times in milliseconds since 1970; nothing for a partition without any tick
   * @param isComplete false if the tail of some partition has no tick, and its earlier records were
   *     not looked at
   * @param holdsRecords whether a topic is not empty
   */
  public record Found(Collection<OptionalLong> last, boolean isComplete, boolean holdsRecords) {
    public Found {
      last = List.copyOf(last);
    }
  }

  /**
   * Of all sources.
   *
   * @throws RefusedException if a topic cannot be read
   */
  public Found all() throws RefusedException {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = sources.places();
      Map<Integer, Long> ends = new HashMap<>();
      consumer.endOffsets(partitions).forEach((place, end) -> ends.put(number(place), end));
      Map<Integer, OptionalLong> found = before(consumer, ends);
      Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
      boolean holdsRecords =
          partitions.stream().anyMatch(place -> first.get(place) < ends.get(number(place)));
      return new Found(found.values(), found.keySet().equals(ends.keySet()), holdsRecords);
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read from %s: %s"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  /**
   * Of some sources, as far as their tails can be read within seconds.
   *
   * @param ends exclusive, by number of the source
   */
  Map<Integer, Long> before(Map<Integer, Long> ends) {
    Map<Integer, Long> found = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      before(consumer, ends)
          .forEach((source, time) -> time.ifPresent(tick -> found.put(source, tick)));
    } catch (KafkaException e) {
      // Without them the way begins where windows begin; ticks that were given already do no harm.
    }
    return found;
  }

  private int number(TopicPartition place) {
    return sources.number(place);
  }

  private Consumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  Map<Integer, OptionalLong> before(Consumer<byte[], byte[]> consumer, Map<Integer, Long> ends) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Map<Integer, OptionalLong> found = new HashMap<>();
    for (long span : SPANS) {
      Map<TopicPartition, Long> from = new HashMap<>();
      ends.forEach(
          (source, end) -> {
            if (!found.containsKey(source)) {
              from.put(sources.place(source), Math.max(0, end - span));
            }
          });
      if (from.isEmpty()) {
        break;
      }
      read(consumer, from, ends, deadline, found);
    }
    return found;
  }

  private void read(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> from,
      Map<Integer, Long> ends,
      long deadline,
      Map<Integer, OptionalLong> found) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    Set<TopicPartition> open = new HashSet<>(from.keySet());
    open.removeIf(place -> hasRead(consumer, place, ends, from, found));
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        see(record, found);
      }
      open.removeIf(place -> hasRead(consumer, place, ends, from, found));
    }
  }

  private boolean hasRead(
      Consumer<byte[], byte[]> consumer,
      TopicPartition place,
      Map<Integer, Long> ends,
      Map<TopicPartition, Long> from,
      Map<Integer, OptionalLong> found) {
    try {
      if (consumer.position(place, POLL) < ends.get(number(place))) {
        return false;
      }
    } catch (TimeoutException e) {
      return false;
    }
    if (from.get(place) == 0) {
      found.putIfAbsent(number(place), OptionalLong.empty());
    }
    return true;
  }

  private void see(ConsumerRecord<byte[], byte[]> record, Map<Integer, OptionalLong> found) {
    Header header = record.headers().lastHeader(Names.TICK_HEADER);
    int source = sources.number(record.topic(), record.partition());
    if (header == null || orders.contains(source, record.offset())) {
      return;
    }
    try {
      TickVerifier.refuseSecond(record.headers());
      OptionalLong time =
          ticks.time(header.value(), record.topic(), record.partition(), record.timestamp());
      if (time.isPresent()) {
        found.merge(
            source,
            time,
            (one, other) -> one.orElse(Long.MIN_VALUE) > other.getAsLong() ? one : other);
      }
    } catch (RejectedRecordException e) {
      // Intake says why.
    }
  }
}
