// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.ledger.Continuity;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.core.ConditionTimeoutException;

/** A broker in this JVM and what integration tests do with it. */
public final class TestCluster implements AutoCloseable {
  public static final String KEY =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";

  /** How long a test waits for what must come: only a defect takes that long, on any machine. */
  public static final Duration PATIENCE = Duration.ofMinutes(12);

  private final String servers;
  private final AutoCloseable brokers;
  private final boolean isShared;

  /** A broker in this JVM, for one test. */
  public TestCluster(Path folder) {
    this(EmbeddedBroker.start(folder), false);
  }

  /** Brokers in processes of their own, which are somebody else's to close. */
  public TestCluster(ForkedCluster forked) {
    this.servers = forked.bootstrapServers();
    this.brokers = () -> {};
    this.isShared = false;
  }

  private TestCluster(EmbeddedBroker broker, boolean isShared) {
    this.servers = broker.bootstrapServers();
    this.brokers = broker;
    this.isShared = isShared;
  }

  /** A broker in this JVM that test classes share. */
  static TestCluster shared(Path folder) {
    return new TestCluster(EmbeddedBroker.start(folder), true);
  }

  public String servers() {
    return servers;
  }

  public static KafkaSettings settings(String servers, Map<String, String> section)
      throws RefusedException {
    Map<String, String> all = new HashMap<>(section);
    // Most runs of tests wait most of the time, and to look a hundred times a second costs.
    all.putIfAbsent("poll.ms", "50");
    return KafkaSettings.gather(all, Optional.empty(), Map.of(), Optional.of(servers));
  }

  public static Plan plan(String yaml) throws PipelineFileException {
    return Plan.of("test.yaml", PipelineFile.parse("test.yaml", yaml));
  }

  /** Everything is fixed, the state epoch too, so that two runs can be compared. */
  public static Deployment deployment(Plan plan, int partitions, PipelineMeters meters) {
    return new Deployment(
        sources(plan, partitions),
        NoiseSecret.parse(KEY).derive(),
        meters,
        Deployment.JumpPolicy.STOP,
        new HeldReleases(),
        SchemaSource.none(),
        () -> new StateEpoch(7, 7));
  }

  /** The topic of a plan, under an id that is the same in every run. */
  public static SourceTopics sources(Plan plan, int partitions) {
    String name = plan.pipeline().input().topics().only().orElseThrow();
    return SourceTopics.of(name, "topic", partitions);
  }

  /** The key that {@link #deployment} draws with. */
  public static NoiseKey key() {
    return NoiseSecret.parse(KEY).derive();
  }

  /**
   * What must hold before a start, of a run with {@link #deployment}.
   *
   * @return the plan as it goes on
   */
  public static Plan require(Plan plan, KafkaSettings settings, Cluster admin, int partitions)
      throws RefusedException {
    return ready(plan, settings, admin, partitions).plan();
  }

  /** The same with what was found. */
  static Continuity.Ready ready(Plan plan, KafkaSettings settings, Cluster admin, int partitions)
      throws RefusedException {
    return Continuity.require(plan, settings, admin, sources(plan, partitions), key());
  }

  /**
   * Creates a topic.
   *
   * @throws IllegalStateException if it exists, on a broker that test classes share: another one
   *     uses the name
   */
  public void createTopic(String topic, int partitions) throws RefusedException {
    try (Cluster cluster = new Cluster(settings(servers(), Map.of()))) {
      if (isShared && cluster.topics().isThere(topic)) {
        throw new IllegalStateException(
            "topic " + topic + " exists: another test on the shared broker uses this name");
      }
      cluster.topics().createIfMissing(topic, partitions);
    }
  }

  /** Creates topics. The controller has them at once, the broker that answers a moment later. */
  public static void create(Admin admin, Collection<NewTopic> topics) throws Exception {
    List<String> names = topics.stream().map(NewTopic::name).toList();
    admin.createTopics(topics).all().get();
    Patiently.await()
        .atMost(PATIENCE)
        .until(() -> admin.listTopics().names().get().containsAll(names));
  }

  /**
   * Deletes topics, and waits until the broker, which hears of it later, tells clients so. A
   * running pipeline may have made one of them anew by then, where the machine is slow: that is
   * another one.
   */
  public void deleteTopics(Collection<String> topics) throws Exception {
    deleteTopics(settings(servers(), Map.of()), topics);
  }

  /** The same of any cluster. */
  static void deleteTopics(KafkaSettings settings, Collection<String> topics) throws Exception {
    try (Admin admin = Admin.create(settings.admin());
        Cluster cluster = new Cluster(settings)) {
      Map<String, String> doomed = cluster.topics().ids(topics);
      admin.deleteTopics(topics).all().get();
      Patiently.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  cluster.topics().ids(topics).values().stream()
                      .noneMatch(doomed.values()::contains));
    }
  }

  /** How many brokers the others know of. */
  public int brokers() throws Exception {
    try (Admin admin = admin()) {
      return admin.describeCluster().nodes().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).size();
    }
  }

  /** How many instances an application has: each is a member for every stream thread. */
  public int instances(String group) throws Exception {
    return (int)
        members(group).stream()
            .map(member -> member.clientId().replaceFirst("-StreamThread-.*", ""))
            .distinct()
            .count();
  }

  /** What each member of a consumer group reads, by the member's id. */
  public Map<String, Set<TopicPartition>> owned(String group) throws Exception {
    return members(group).stream()
        .collect(
            Collectors.toMap(
                MemberDescription::consumerId, member -> member.assignment().topicPartitions()));
  }

  private Collection<MemberDescription> members(String group) throws Exception {
    try (Admin admin = admin()) {
      return admin
          .describeConsumerGroups(List.of(group))
          .describedGroups()
          .get(group)
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .members();
    }
  }

  /** The first offset that is there, or the one behind the last record, of each partition. */
  public Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec spec)
      throws Exception {
    try (Admin admin = admin()) {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      admin
          .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> spec)))
          .all()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .forEach((partition, info) -> offsets.put(partition, info.offset()));
      return offsets;
    }
  }

  private Admin admin() throws RefusedException {
    Map<String, Object> config = settings(servers, Map.of()).admin();
    // A broker that stands still takes requests and answers none: another one is asked soon.
    config.put("request.timeout.ms", 2_000);
    config.put("default.api.timeout.ms", 5_000);
    return Admin.create(config);
  }

  /** Checks and creates what a pipeline needs, as a run does. */
  public static void prepare(KafkaSettings settings, Plan plan) throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      cluster.pipelineTopics().prepare(plan, Cluster.Safety.WAIVED);
      cluster.offsets(plan.pipeline()).establish();
    }
  }

  public KafkaProducer<byte[], byte[]> producer() throws RefusedException {
    Map<String, Object> config = settings(servers(), Map.of()).producer();
    config.put("max.request.size", 20_000_000);
    config.put("buffer.memory", 64_000_000);
    config.put("max.block.ms", PATIENCE.toMillis());
    config.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
    return new CertainProducer(config);
  }

  public static ProducerRecord<byte[], byte[]> event(
      String topic, int partition, long timestamp, String who, long time, String what) {
    byte[] value =
        "{\"who\":\"%s\",\"at\":%d,\"what\":\"%s\"}"
            .formatted(who, time, what)
            .getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(
        topic, partition, timestamp, who.getBytes(StandardCharsets.UTF_8), value);
  }

  /** Signs ticks of a budget whose runs have {@link #deployment}. */
  public static TickHeader ticks(String budget) {
    return TickHeader.signedBy(NoiseSecret.parse(KEY).tickKey(budget));
  }

  /** A tick for a budget, signed. */
  public static ProducerRecord<byte[], byte[]> tick(
      String budget, String topic, int partition, long timestamp, long time) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Names.TICK_HEADER, ticks(budget).of(topic, partition, time));
    return new ProducerRecord<>(topic, partition, timestamp, null, null, headers);
  }

  /** All records of a topic, by partition and offset. */
  public List<ConsumerRecord<byte[], byte[]>> read(String topic, String isolation)
      throws RefusedException {
    Map<String, Object> config = settings(servers(), Map.of()).consumer();
    config.put("isolation.level", isolation);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  public List<ConsumerRecord<byte[], byte[]>> committed(String topic) throws RefusedException {
    return read(topic, "read_committed");
  }

  /** The number of committed records of a topic. */
  public int count(String topic) {
    try {
      return committed(topic).size();
    } catch (RefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until a topic has at least so many committed records.
   *
   * @param runs that write them: the wait is over when one of them has ended by itself
   */
  public void awaitCount(String topic, int records, PipelineRun... runs) {
    try {
      Patiently.await()
          .atMost(PATIENCE)
          .failFast("a run has ended by itself", () -> requireUnderWay(runs))
          .until(() -> count(topic) >= records);
    } catch (ConditionTimeoutException e) {
      List<?> states = Stream.of(runs).map(PipelineRun::state).toList();
      throw new AssertionError(
          "%s has %d records, not %d; runs: %s; topics end at %s"
              .formatted(topic, count(topic), records, states, ends()),
          e);
    }
  }

  private static void requireUnderWay(PipelineRun... runs) throws InterruptedException {
    for (PipelineRun run : runs) {
      assertThat(run.awaitEnd(Duration.ZERO)).as("%s", run.failure()).isFalse();
    }
  }

  /** Where the partitions of all topics end, transaction markers included. */
  private Map<String, Long> ends() {
    Map<String, Long> ends = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings(servers(), Map.of()).consumer(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.listTopics().values().stream()
              .flatMap(List::stream)
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.endOffsets(all).forEach((place, end) -> ends.put(place.toString(), end));
    } catch (RefusedException e) {
      throw new IllegalStateException(e);
    }
    return ends;
  }

  /** A client for administration that waits as long as Kafka's defaults say. */
  public Admin client() {
    return Admin.create(Map.of("bootstrap.servers", servers));
  }

  /** The value of a topic's setting. */
  public String setting(String topic, String name) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin client = client()) {
      return client.describeConfigs(List.of(resource)).all().get().get(resource).get(name).value();
    }
  }

  /**
   * Partition, timestamp, key, headers and value of every record, in the order of each partition.
   */
  public static List<String> payloads(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .sorted(
            Comparator.<ConsumerRecord<byte[], byte[]>>comparingInt(ConsumerRecord::partition)
                .thenComparingLong(ConsumerRecord::offset))
        .map(TestCluster::payload)
        .toList();
  }

  public static String payload(ConsumerRecord<byte[], byte[]> record) {
    return payload(record, HexFormat.of()::formatHex);
  }

  /** The same with the value in other words. */
  static String payload(ConsumerRecord<byte[], byte[]> record, Function<byte[], String> words) {
    String headers =
        StreamSupport.stream(record.headers().spliterator(), false)
            .map(h -> h.key() + "=" + new String(h.value(), StandardCharsets.UTF_8))
            .collect(Collectors.joining(","));
    return "%d %d %s %s %s"
        .formatted(
            record.partition(),
            record.timestamp(),
            record.key() == null ? "-" : new String(record.key(), StandardCharsets.UTF_8),
            headers,
            record.value() == null ? "-" : words.apply(record.value()));
  }

  public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      brokers.close();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not close", e);
    }
  }

  /** Forks a process of this test's class path whose life is short: to start fast matters. */
  public static Process fork(Path log, Class<?> main, String... arguments) throws IOException {
    return fork(log, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), main, arguments);
  }

  public static Process fork(Path log, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(ForkArchive.here());
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }
}
