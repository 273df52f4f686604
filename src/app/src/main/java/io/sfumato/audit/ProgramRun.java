// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.Run.Published;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.StoreContents;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** One program of a replay: the topology of a version, over the part of a log that it reads. */
final class ProgramRun implements AutoCloseable {
  private static final String APPLICATION = "audit";

  private static final Duration TURN = Duration.ofMillis(10);

  /** Two keepers hand on to each other: more turns than windows could ever need. */
  private static final int SETTLING_TURNS = 20;

  private final Plan plan;
  private final TickHeader ticks;
  private final Left before;
  private final TopologyTestDriver driver;

  /** Place in the whole log of the entry that comes next. */
  private int place;

  /**
   * What a program leaves for the one that goes on: all that is committed, as a changelog and a
   * consumer group would have it.
   *
   * @param stores what each holds
   * @param offsets of the next record of each topic, journals among them
   * @param ledgers as each stood last, of periods that are over too
   * @param place in the log of the entry that comes next
   */
  record Left(
      StoreContents stores,
      Map<TopicPartition, Long> offsets,
      SortedMap<Bytes, LedgerImage.Line> ledgers,
      int place) {
    /** Of nobody. */
    static final Left NOTHING = new Left(StoreContents.NONE, Map.of(), new TreeMap<>(), 0);
  }

  /**
   * @param folder for the stores, empty again when it is closed
   * @param before what was left by the program that it goes on for
   */
  ProgramRun(Plan plan, Deployment deployment, TickHeader ticks, Path folder, Left before) {
    this.plan = plan;
    this.ticks = ticks;
    this.before = before;
    this.place = before.place();
    this.driver =
        new TopologyTestDriver(
            PipelineTopology.build(plan, deployment), settings(folder), Instant.EPOCH);
    offsets(driver)
        .forEach((topic, next) -> next.set(before.offsets().getOrDefault(topic, next.get())));
  }

  private static Properties settings(Path folder) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    // As in a run: no output depends on how topics interleave.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    return settings;
  }

  /** The driver counts from 0 on, and a program that goes on reads the records that come next. */
  @SuppressWarnings("unchecked")
  private static Map<TopicPartition, AtomicLong> offsets(TopologyTestDriver driver) {
    try {
      Field field = TopologyTestDriver.class.getDeclaredField("offsetsByTopicOrPatternPartition");
      field.setAccessible(true);
      return (Map<TopicPartition, AtomicLong>) field.get(driver);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the test driver of Kafka Streams has no offsets", e);
    }
  }

  /** Place in the whole log of the entry that comes next. */
  int place() {
    return place;
  }

  /** Reads entries, then does all that is left to do. */
  void feed(List<Entry> entries, SliceSchedule cuts) {
    Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> topics = inputs();
    for (Entry entry : entries) {
      topics
          .get(entry.channel())
          .pipeInput(
              new TestRecord<>(entry.key(), entry.value(), headers(entry), entry.timestamp()));
      for (int turn = cuts.turns(); turn > 0; turn--) {
        driver.advanceWallClockTime(TURN);
      }
      place++;
    }
    cuts.settle();
    for (int turn = 0; turn < SETTLING_TURNS; turn++) {
      driver.advanceWallClockTime(TURN);
    }
    cuts.resume();
  }

  private Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> inputs() {
    Pipeline pipeline = plan.pipeline();
    Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> topics = new TreeMap<>();
    topics.put(AuditLog.Channel.RECORDS, input(Replay.recordsTopic(pipeline)));
    topics.put(AuditLog.Channel.CONTROL, input(pipeline.controlTopic()));
    if (!pipeline.queries().isEmpty()) {
      topics.put(AuditLog.Channel.CANDIDATES, input(pipeline.candidatesTopic()));
    }
    return topics;
  }

  private TestInputTopic<byte[], byte[]> input(String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private RecordHeaders headers(Entry entry) {
    RecordHeaders headers = new RecordHeaders();
    entry
        .tick()
        .ifPresent(
            time ->
                headers.add(
                    Names.TICK_HEADER, ticks.of(Replay.recordsTopic(plan.pipeline()), 0, time)));
    return headers;
  }

  /** All that it wrote for others, by topic. */
  Map<String, List<Published>> outputs() {
    Map<String, List<Published>> outputs = new TreeMap<>();
    for (String topic : plan.pipeline().writtenTopics()) {
      outputs.put(topic, read(topic));
    }
    return outputs;
  }

  private List<Published> read(String topic) {
    List<Published> records = new ArrayList<>();
    var output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    while (!output.isEmpty()) {
      TestRecord<byte[], byte[]> next = output.readRecord();
      List<String> headers = new ArrayList<>();
      for (Header header : next.headers()) {
        headers.add(header.key() + "=" + HexFormat.of().formatHex(header.value()));
      }
      records.add(new Published(next.key(), next.value(), next.timestamp(), headers));
    }
    return records;
  }

  /** What the next program begins with. Every entry is committed before another one is read. */
  Left left() {
    Map<String, SortedMap<Bytes, byte[]>> stores = new TreeMap<>();
    driver
        .getAllStateStores()
        .forEach(
            (name, store) -> {
              if (store instanceof KeyValueStore) {
                stores.put(name, rows(store));
              }
            });
    Map<TopicPartition, Long> next = new HashMap<>(before.offsets());
    offsets(driver).forEach((topic, offset) -> next.put(topic, offset.get()));
    return new Left(new StoreContents(stores), next, ledgers(), place);
  }

  @SuppressWarnings("unchecked")
  private static SortedMap<Bytes, byte[]> rows(StateStore store) {
    SortedMap<Bytes, byte[]> rows = new TreeMap<>();
    try (var all = ((KeyValueStore<Bytes, byte[]>) store).all()) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    return rows;
  }

  /** Every ledger as it stood last: those of periods that are over are gone from the store. */
  private SortedMap<Bytes, LedgerImage.Line> ledgers() {
    SortedMap<Bytes, LedgerImage.Line> lines = new TreeMap<>(before.ledgers());
    String changelog = Names.changelogTopic(APPLICATION, LedgerImage.LEDGERS);
    if (driver.producedTopicNames().contains(changelog)) {
      var changes =
          driver.createOutputTopic(
              changelog, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      while (!changes.isEmpty()) {
        var change = changes.readKeyValue();
        if (change.value != null) {
          lines.put(Bytes.wrap(change.key), LedgerImage.Line.of(change.key, change.value));
        }
      }
    }
    return lines;
  }

  @Override
  public void close() {
    driver.close();
  }
}
