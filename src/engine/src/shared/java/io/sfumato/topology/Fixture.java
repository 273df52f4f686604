// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.gate.Witness;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.ChargeCounts;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Deployment.Watch;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.context.Slices;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** A pipeline under TopologyTestDriver: one source partition, one journal partition. */
public final class Fixture implements AutoCloseable {
  static final String KEY = "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  /** Two windows of budget; windows of ten seconds, two of grace. */
  public static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s, clock: records }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 2 }
      """;

  final TopologyTestDriver driver;
  final Counts counts = new Counts();
  private final TickHeader ticks;

  Fixture(String yaml, Path stateDir) {
    this(yaml, stateDir, Deployment.JumpPolicy.STOP);
  }

  Fixture(String yaml, Path stateDir, Deployment.JumpPolicy policy) {
    this(yaml, stateDir, policy, OperatorOrders.none());
  }

  Fixture(String yaml, Path stateDir, Deployment.JumpPolicy policy, OperatorOrders skipped) {
    ticks = ticks(plan(yaml).pipeline().budget().name());
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
    driver =
        new TopologyTestDriver(
            PipelineTopology.build(
                plan(yaml),
                deployment(sources(plan(yaml)), counts, NoiseSecret.parse(KEY).derive())
                    .with(policy)
                    .under(() -> skipped)),
            config,
            Instant.ofEpochMilli(NOW));
  }

  /** The plan of a text that is known to be valid. */
  public static Plan plan(String yaml) {
    return Plans.valid(yaml);
  }

  /** Signs ticks of a budget. */
  static TickHeader ticks(String budget) {
    return TickHeader.signedBy(NoiseSecret.parse(KEY).tickKey(budget));
  }

  static Deployment deployment(int sources, PipelineMeters meters) {
    return deployment(sources, meters, NoiseSecret.parse(KEY).derive());
  }

  /** The same with another key. What a window leaves to do is done at once, on any machine. */
  static Deployment deployment(int sources, PipelineMeters meters, NoiseKey key) {
    return deployment(sources(sources), meters, key);
  }

  /** The same with other topics. */
  static Deployment deployment(SourceTopics sources, PipelineMeters meters, NoiseKey key) {
    return new Deployment(
        sources,
        key,
        meters,
        Deployment.JumpPolicy.STOP,
        new HeldReleases(),
        SchemaSource.none(),
        () -> new StateEpoch(7, 7),
        OperatorOrders::none,
        OpenMemory.ofHeap(),
        new ChargeCounts(),
        new Watch(Witness.NONE, AtOnce::new, Deployment.Storage.ON_DISK));
  }

  /** The topics of a plan, each with one partition. */
  private static SourceTopics sources(Plan plan) {
    return new SourceTopics(
        plan.pipeline().input().topics().names().stream()
            .map(name -> new SourceTopics.Topic(name, "topic", 1))
            .toList());
  }

  /** The topic of records that files of tests name. */
  static SourceTopics sources(int partitions) {
    return SourceTopics.of("in", "topic", partitions);
  }

  /** Slices that no clock cuts. */
  private static final class AtOnce implements Slices {
    @Override
    public boolean begin() {
      return true;
    }

    @Override
    public boolean mayContinue() {
      return true;
    }

    @Override
    public void end(boolean left) {}
  }

  void event(String who, long second, String what) {
    send(null, json(who, second, what));
  }

  static byte[] json(String who, long second, String what) {
    return "{\"who\":\"%s\",\"at\":%d,\"what\":\"%s\"}"
        .formatted(who, NOW + second * 1000, what)
        .getBytes(StandardCharsets.UTF_8);
  }

  void send(byte[] key, byte[] value) {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(key, value, NOW);
  }

  /** Sends a record that came at a time. */
  void sendTo(String topic, byte[] value, Headers headers, Instant at) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, value, headers, at));
  }

  /** Sends a tick of a time, at that time. */
  void tickTo(String topic, Instant time) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Names.TICK_HEADER, ticks.of(topic, 0, time.toEpochMilli()));
    sendTo(topic, null, headers, time);
  }

  /**
   * Sends a JSON record.
   *
   * @param fields all of them but its time, in single quotes and with placeholders
   */
  void sendJson(long second, String fields, Object... values) {
    String text = "{'at':%d,".formatted(NOW + second * 1000) + fields + "}";
    send(null, text.replace('\'', '"').formatted(values).getBytes(StandardCharsets.UTF_8));
  }

  void tick(long second) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Names.TICK_HEADER, ticks.of("in", 0, NOW + second * 1000));
    tick(headers);
  }

  /** A tick as somebody else writes it. */
  void tick(byte[] header) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Names.TICK_HEADER, header);
    tick(headers);
  }

  private void tick(RecordHeaders headers) {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, null, headers, NOW));
  }

  /** Releases go on in turns, which a wall clock gives: more of them than any test has releases. */
  private void settle() {
    for (int turn = 0; turn < 200; turn++) {
      driver.advanceWallClockTime(Duration.ofMillis(10));
    }
  }

  void control(byte[] value) {
    driver
        .createInputTopic("test-control", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, value, NOW);
  }

  /** Sends a command about a subject or user, from the first open window on. */
  void command(ControlCommand command, String subject) {
    control(
        Outputs.encode(ControlEntry.newBuilder().setCommand(command).setSubject(subject).build()));
  }

  /** Sends a command about a subject, from a second on. */
  void command(ControlCommand command, String subject, long second) {
    control(
        Outputs.encode(
            ControlEntry.newBuilder()
                .setCommand(command)
                .setSubject(subject)
                .setFrom(Instant.ofEpochMilli(NOW + second * 1000))
                .build()));
  }

  List<DirichletRelease> releases() {
    return releases("mix");
  }

  List<DirichletRelease> releases(String topic) {
    return records(topic).stream().map(r -> Outputs.decodeRelease(r.value())).toList();
  }

  /** Releases of one kind, once everything is released. */
  <T> List<T> releases(String topic, Class<T> kind) {
    return records(topic).stream().map(r -> kind.cast(Outputs.decodeAny(r.value()))).toList();
  }

  /** "subject [counts]" of each release of counts. */
  List<String> counts(String topic) {
    return releases(topic, CountRelease.class).stream()
        .map(release -> release.getSubject() + " " + release.getCounts())
        .toList();
  }

  /** Entries of one kind that the users' journal or the subjects' has received. */
  <T extends JournalEntry> List<T> entries(String journal, Class<T> kind) {
    return recordsSoFar("test-" + journal + "-repartition").stream()
        .map(entry -> JournalCodec.decode(entry.value()))
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** Records in the users' journal. */
  List<Contribution> contributions() {
    return entries(Names.USERS_JOURNAL, Contributions.class).stream()
        .flatMap(entry -> entry.records().stream())
        .toList();
  }

  List<Refusal> refusals() {
    return records("test-refusals").stream().map(r -> Outputs.decodeRefusal(r.value())).toList();
  }

  List<String> deadLetters() {
    return records("test-dead-letters").stream()
        .map(r -> Outputs.decodeDeadLetter(r.value()))
        .map(letter -> letter.getOffset() + ":" + letter.getCode())
        .toList();
  }

  /** What a topic got since it was last asked, once everything is released. */
  List<ProducerRecord<byte[], byte[]>> records(String topic) {
    settle();
    return recordsSoFar(topic);
  }

  /** What a topic got since it was last asked, perhaps in the middle of a window's releases. */
  List<ProducerRecord<byte[], byte[]>> recordsSoFar(String topic) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    var output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    while (!output.isEmpty()) {
      TestRecord<byte[], byte[]> next = output.readRecord();
      records.add(
          new ProducerRecord<>(
              topic, 0, next.timestamp(), next.key(), next.value(), next.headers()));
    }
    return records;
  }

  /** What is thrown where a release, or the answer to a candidate, fails. */
  static ReleaseFailedException failed(
      Deployment deployment,
      KeyValueStore<Bytes, byte[]> meta,
      String output,
      String subject,
      long windowStart,
      int candidate) {
    ReleaseId id =
        new ReleaseId("test", new StateEpoch(7, 7), 1, output, subject, windowStart, candidate);
    return new SkippedReleases(deployment, new MetaStore(new StagedWrites(meta)), 0)
        .failed(id, new ArithmeticException());
  }

  /** Slices that start at once and continue for as long as a test says. */
  static Slices slicesWhile(BooleanSupplier mayContinue) {
    return new Slices() {
      @Override
      public boolean begin() {
        return true;
      }

      @Override
      public boolean mayContinue() {
        return mayContinue.getAsBoolean();
      }

      @Override
      public void end(boolean left) {
        // Nobody waits.
      }
    };
  }

  /** Lets a program continue with the state of another one. */
  static void takeOver(Plan before, Plan after) {
    Deployment deployment = deployment(1, PipelineMeters.none());
    new StateIdentity(
            new StateEpoch(7, 7),
            Long.MIN_VALUE,
            StateIdentity.Maker.of(before, deployment),
            BudgetTerms.of(before))
        .takenOver(StateIdentity.Maker.of(after, deployment), after, NOW);
  }

  /** "subject@second" of each release. */
  static List<String> windows(List<DirichletRelease> releases) {
    return releases.stream()
        .map(r -> r.getSubject() + "@" + (r.getWindowStart().toEpochMilli() - NOW) / 1000)
        .toList();
  }

  @Override
  public void close() {
    driver.close();
  }

  /** Meters that count, for tests. */
  static final class Counts implements PipelineMeters {
    final Map<String, Integer> seen = new TreeMap<>();
    int ticksTaken;
    int ticksOfOthers;
    int ticksOutOfRange;

    @Override
    public void tickOutOfRange() {
      ticksOutOfRange++;
    }

    @Override
    public void tickTaken(int source, long time) {
      ticksTaken++;
    }

    @Override
    public void tickOfOtherBudget() {
      ticksOfOthers++;
    }

    @Override
    public void accepted() {
      seen.merge("accepted", 1, Integer::sum);
    }

    @Override
    public void unselected() {
      seen.merge("unselected", 1, Integer::sum);
    }

    @Override
    public void rejected(RejectionCode code) {
      seen.merge(code.name(), 1, Integer::sum);
    }

    @Override
    public void silent(String output) {
      seen.merge("silent", 1, Integer::sum);
    }

    @Override
    public void notEnrolled(long records) {
      seen.merge("notEnrolled", (int) records, Integer::sum);
    }
  }
}
