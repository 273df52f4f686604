// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SourceRecord;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.clock.TimelinessFilter;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * How far the records that count have come, as far as the last records and ticks of the topic's
 * partitions tell. One that intake refuses, above all because it claims to lie far ahead, moves
 * nothing.
 */
public final class NewestEvent {
  /** Last records of a partition: looked at first, and at most. */
  private static final long LAST = 10_000;

  private static final long MOST = 1_000_000;
  private static final long WIDER = 10;

  private static final Set<RejectionCode> TOO_FAR =
      EnumSet.of(RejectionCode.EARLY, RejectionCode.TIME_OUT_OF_RANGE);

  private final WindowSpec window;
  private final EventReader reader;
  private final TimelinessFilter timeliness;
  private final TickVerifier ticks;
  private final SourceTopics sources;
  private final OperatorOrders orders;

  /** Whether a record in the middle may set the clock: not under ticks, nor for fixed subjects. */
  private final boolean seeds;

  /** By number of the source. */
  private final Map<Integer, SeenPartition> partitions = new TreeMap<>();

  NewestEvent(
      Pipeline pipeline,
      SourceTopics sources,
      Optional<TickKey> key,
      EventReader reader,
      OperatorOrders orders) {
    this.sources = sources;
    this.window = pipeline.window();
    this.reader = reader;
    this.timeliness = new TimelinessFilter(pipeline, orders.caughtUp());
    this.ticks = new TickVerifier(window, key);
    this.orders = orders;
    this.seeds = window.clock() == WindowSpec.Clock.RECORDS && !pipeline.subjects().isFixed();
  }

  /**
   * What was found.
   *
   * @param newest latest event time of a record that counts, milliseconds since 1970
   * @param furthest latest event time of a record that lies too far ahead to count
   * @param untold partitions whose latest records nobody can judge: no tick, and not the topic's
   *     beginning, lies in front of them
   */
  public record Found(OptionalLong newest, OptionalLong furthest, List<String> untold) {
    public Found {
      untold = List.copyOf(untold);
    }
  }

  /**
   * A pipeline as it goes on with an imported ledger: what starts before the place where that was
   * sealed is closed, as what lies before {@code window.begin} is.
   *
   * @param sealedAt milliseconds since 1970; nothing where none was imported
   */
  public static Pipeline goingOn(Pipeline pipeline, OptionalLong sealedAt) {
    WindowSpec window = pipeline.window();
    return sealedAt.isPresent() && sealedAt.getAsLong() > window.begin().orElse(Long.MIN_VALUE)
        ? pipeline.with(window.beginningAt(sealedAt.getAsLong()))
        : pipeline;
  }

  /**
   * Reads the last records.
   *
   * @param key that ticks are signed with, where it is at hand
   * @param orders what operators said about the topic, as far as that is known
   * @param out told if the search takes long
   * @throws RefusedException if the topic cannot be read
   */
  public static Found of(
      Pipeline pipeline,
      Optional<TickKey> key,
      OperatorOrders orders,
      KafkaSettings settings,
      java.util.function.Consumer<String> out)
      throws RefusedException {
    EventReader reader = EventReader.of(pipeline, SchemaRegistries.of(pipeline, settings));
    OutputReader outputs = new OutputReader(settings);
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all = outputs.partitions(consumer, pipeline.input().topics().names());
      NewestEvent found = new NewestEvent(pipeline, sources(all), key, reader, orders);
      found.search(consumer, all, out);
      return found.found();
    } catch (KafkaException e) {
      throw outputs.unreadable(e);
    }
  }

  /** Topics in order, as these partitions show them. */
  private static SourceTopics sources(List<TopicPartition> all) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    all.forEach(place -> counts.merge(place.topic(), 1, Integer::sum));
    List<SourceTopics.Topic> topics = new ArrayList<>();
    counts.forEach((name, partitions) -> topics.add(new SourceTopics.Topic(name, "", partitions)));
    return new SourceTopics(topics);
  }

  /** Ever further back, until each partition has told something, or has nothing to tell. */
  void search(
      Consumer<byte[], byte[]> consumer,
      List<TopicPartition> all,
      java.util.function.Consumer<String> out) {
    Map<TopicPartition, Long> first = consumer.beginningOffsets(all);
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(all));
    Set<TopicPartition> open = new HashSet<>(all);
    for (long span = LAST; !open.isEmpty(); span *= WIDER) {
      if (span > LAST) {
        out.accept("none of the newest records counts; searching older records ...");
      }
      Map<TopicPartition, Long> from = new HashMap<>();
      for (TopicPartition partition : open) {
        long place = Math.max(first.get(partition), ends.get(partition) - span);
        from.put(partition, place);
        int source = sources.number(partition);
        partitions.remove(source);
        if (place == 0) {
          begins(source);
        } else if (orders.isCaughtUp()) {
          // No record is too far ahead for want of a tick.
          startsAtBegin(source);
        }
      }
      read(consumer, from, ends);
      boolean last = span >= MOST;
      open.removeIf(
          partition ->
              last
                  || from.get(partition) <= first.get(partition)
                  || !of(sources.number(partition)).isOpen());
    }
  }

  private void read(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> ends) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    while (from.keySet().stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      consumer.poll(OutputReader.POLL).forEach(this::see);
    }
  }

  private SeenPartition of(int source) {
    return partitions.computeIfAbsent(source, unseen -> new SeenPartition());
  }

  /** All of a partition is looked at: its clock stands where the file says, or is not set yet. */
  void begins(int source) {
    of(source).whole = true;
    startsAtBegin(source);
  }

  /** The file's beginning is as far as the clock is known to be. */
  private void startsAtBegin(int source) {
    of(source).watermark =
        Optional.of(
            new PartitionWatermark(
                0, PartitionWatermark.UNSET, window.begin().orElse(PartitionWatermark.UNSET)));
  }

  /** Looks at one record or tick; what intake would refuse tells nothing. */
  void see(ConsumerRecord<byte[], byte[]> record) {
    int source = sources.number(record.topic(), record.partition());
    if (orders.contains(source, record.offset())) {
      return;
    }
    SeenPartition partition = of(source);
    Header tick = record.headers().lastHeader(Names.TICK_HEADER);
    try {
      TickVerifier.refuseSecond(record.headers());
      if (tick != null) {
        ticks
            .time(tick.value(), record.topic(), record.partition(), record.timestamp())
            .ifPresent(time -> tick(partition, time));
      } else {
        Optional<Event> event = reader.read(SourceRecord.of(record));
        if (event.isPresent()) {
          accept(partition, event.get(), record.timestamp());
        }
      }
    } catch (RejectedRecordException e) {
      // Intake says why.
    }
  }

  private void move(SeenPartition partition, long time) {
    PartitionWatermark before =
        partition.watermark.orElse(
            new PartitionWatermark(0, PartitionWatermark.UNSET, PartitionWatermark.UNSET));
    partition.watermark = Optional.of(before.passing(window, time));
  }

  /** Whoever can write may repeat an earlier one: the latest of many is a lower bound. */
  private void tick(SeenPartition partition, long time) {
    partition.doubtful |=
        !partition.whole && partition.watermark.stream().anyMatch(seen -> time < seen.latestTime());
    move(partition, time);
  }

  private void accept(SeenPartition partition, Event event, long timestamp)
      throws RejectedRecordException {
    if (partition.watermark.isEmpty()) {
      if (!seeds) {
        partition.untold = later(partition.untold, event.time());
        return;
      }
      // What lies before it moved the clock no further than that, or would be told by what follows.
      move(partition, Math.min(event.time(), timestamp));
    }
    try {
      timeliness.require(event, timestamp, partition.watermark.orElseThrow());
    } catch (RejectedRecordException e) {
      if (TOO_FAR.contains(e.code())) {
        partition.furthest = later(partition.furthest, event.time());
        partition.doubtful |= !partition.whole;
      }
      throw e;
    }
    partition.newest = later(partition.newest, event.time());
    if (window.clock() == WindowSpec.Clock.RECORDS) {
      move(partition, event.time());
    }
  }

  private static OptionalLong later(OptionalLong one, long other) {
    return OptionalLong.of(Math.max(other, one.orElse(other)));
  }

  Found found() {
    return new Found(
        latest(partition -> partition.newest),
        latest(partition -> partition.furthest),
        partitions.entrySet().stream()
            .filter(entry -> entry.getValue().isUntold())
            .map(entry -> sources.words(entry.getKey()))
            .toList());
  }

  private OptionalLong latest(Function<SeenPartition, OptionalLong> what) {
    return partitions.values().stream().map(what).flatMapToLong(OptionalLong::stream).max();
  }
}
