// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Local state that must not be gone on with. */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class DiskIT {
  /** How many times as many subjects as in every build. */
  private static final int SUBJECTS = 50 * Integer.getInteger("sfumato.faults.size", 1);

  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster(folder.resolve("broker"));
    configure(ConfigResource.Type.BROKER, "", "log.cleaner.backoff.ms", "100");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static PipelineRun run(String name, String state, Time clock) throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow(name));
    return new Instances(cluster, folder).start(plan, folder.resolve(state), clock);
  }

  private static void send(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
    try (var producer = cluster.producer()) {
      records.forEach(producer::send);
    }
  }

  private static ProducerRecord<byte[], byte[]> event(String name, String who, String what) {
    return TestCluster.event(name + "-in", 0, BASE, who, BASE, what);
  }

  private static ProducerRecord<byte[], byte[]> tick(String name) {
    return TestCluster.tick(name, name + "-in", 0, BASE, BASE + 10_000);
  }

  private static String changelog(String name) {
    return "sfumato-" + name + "-dataset-store-changelog";
  }

  private static boolean holds(String topic, Predicate<ConsumerRecord<byte[], byte[]>> what)
      throws RefusedException {
    try (Cluster admin = new Cluster(TestCluster.settings(cluster.servers(), Map.of()))) {
      return admin.topics().isThere(topic) && cluster.committed(topic).stream().anyMatch(what);
    }
  }

  private static boolean isAbout(ConsumerRecord<byte[], byte[]> record, String who) {
    return new String(record.key(), StandardCharsets.ISO_8859_1).contains(who);
  }

  private static void configure(ConfigResource.Type type, String name, String setting, String value)
      throws Exception {
    try (Admin admin = cluster.client()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(type, name),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  /** Subject and number of records of each release. */
  private static List<String> released(String name) throws RefusedException {
    return cluster.committed(name + "-mix").stream()
        .map(record -> Outputs.decodeRelease(record.value()))
        .map(release -> release.getSubject() + " " + release.getRecords())
        .toList();
  }

  private static void awaitRelease(PipelineRun run, String name, String subject) {
    awaitRunning(run, () -> released(name).stream().anyMatch(line -> line.startsWith(subject)));
  }

  private static void awaitRunning(PipelineRun run, Callable<Boolean> condition) {
    await().atMost(TestCluster.PATIENCE).until(() -> run.failure().isPresent() || condition.call());
    assertThat(run.failure()).isEmpty();
  }

  /** Writes to a topic that is compacted, since what is appended last never is. */
  private static void appendUntil(
      String topic, Predicate<List<ConsumerRecord<byte[], byte[]>>> done) {
    byte[] nobody = "nobody".getBytes(StandardCharsets.US_ASCII);
    await()
        .atMost(TestCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              send(List.of(new ProducerRecord<>(topic, 0, nobody, null)));
              return done.test(cluster.read(topic, "read_uncommitted"));
            });
  }

  /** Until neither a value nor a deletion of anybody of that name is left. */
  private static void compact(String topic, String who) throws Exception {
    for (String[] setting :
        new String[][] {
          {"delete.retention.ms", "0"}, {"min.cleanable.dirty.ratio", "0"}, {"segment.ms", "1"}
        }) {
      configure(ConfigResource.Type.TOPIC, topic, setting[0], setting[1]);
    }
    appendUntil(
        topic,
        records ->
            records.stream().noneMatch(record -> record.key() != null && isAbout(record, who)));
    configure(ConfigResource.Type.TOPIC, topic, "delete.retention.ms", "604800000");
  }

  /**
   * An instance keeps its folder, another takes over, somebody is forgotten, her deletion is
   * compacted away, and the first one comes back. The folder's age decides: without a limit (the
   * clock says that no time has passed) she is back, which is what Kafka Streams does.
   */
  @ParameterizedTest
  @CsvSource({"aged, 4, bob 1", "young, 0, ann 1;bob 1"})
  void shouldNotBringBackWhomAnOldFolderStillKnows(String name, int days, String expected)
      throws Exception {
    cluster.createTopic(name + "-in", 1);
    send(List.of(event(name, "ann", "a"), event(name, "bob", "b")));
    try (PipelineRun kept = run(name, name + "-kept", Time.SYSTEM)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> holds(changelog(name), record -> isAbout(record, "ann")));
    }
    try (PipelineRun other = run(name, name + "-other", Time.SYSTEM)) {
      ControlEntry forget =
          ControlEntry.newBuilder()
              .setCommand(ControlCommand.FORGET)
              .setBudget(name)
              .setSubject("ann")
              .build();
      send(List.of(new ProducerRecord<>(name + "-control", Outputs.encode(forget))));
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  holds(
                      changelog(name), record -> isAbout(record, "ann") && record.value() == null));
    }
    compact(changelog(name), "ann");
    try (CapturedLog log = new CapturedLog();
        PipelineRun back = run(name, name + "-kept", new Ahead(Duration.ofDays(days)))) {
      send(List.of(tick(name)));
      awaitRelease(back, name, "bob");
      assertThat(released(name)).containsExactlyInAnyOrder(expected.split(";"));
      assertThat(log.lines().stream().anyMatch(line -> line.contains("is too old")))
          .isEqualTo(days > 0);
    }
  }

  /** A process that stood still for days begins anew by itself. */
  @Test
  void shouldBeginAnewAfterStandingStill() throws Exception {
    String name = "still";
    cluster.createTopic(name + "-in", 1);
    Ahead clock = new Ahead(Duration.ZERO);
    try (CapturedLog log = new CapturedLog();
        PipelineRun run = run(name, name, clock)) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      send(List.of(event(name, "ann", "a")));
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> holds(changelog(name), record -> isAbout(record, "ann")));
      Supplier<Boolean> wiped =
          () ->
              log.lines().stream()
                  .anyMatch(line -> line.contains("this process was stalled or disconnected"));
      clock.ahead = Duration.ofDays(2);
      run.lookAtCopies();
      assertThat(wiped.get()).as("not for so long").isFalse();
      clock.ahead = Duration.ofDays(6);
      run.lookAtCopies();
      assertThat(wiped.get()).isTrue();
      send(List.of(event(name, "ann", "b"), tick(name)));
      awaitRelease(run, name, "ann");
      assertThat(released(name)).containsExactly("ann 2");
      assertThat(run.failure()).isEmpty();
      run.close(); // and again below
    }
    assertThat(cluster.setting(changelog(name), "delete.retention.ms")).isEqualTo("604800000");
    configure(ConfigResource.Type.TOPIC, changelog(name), "delete.retention.ms", "60000");
    try (PipelineRun refused = run(name, name, Time.SYSTEM)) {
      assertThat(refused.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(refused.failure().orElseThrow())
          .hasMessageContaining(changelog(name))
          .hasMessageContaining("delete.retention.ms=60000");
    }
  }

  /** One that cannot begin anew ends: nobody would tell that it does not work. */
  @Test
  void shouldEndWhereItCannotBeginAnew() throws Exception {
    String name = "unopened";
    cluster.createTopic(name + "-in", 1);
    Plan plan = TestCluster.plan(HistogramFile.perWindow(name));
    KafkaSettings settings = new Instances(cluster, folder).settings();
    TestCluster.prepare(settings, plan);
    Ahead clock = new Ahead(Duration.ZERO);
    AtomicBoolean full = new AtomicBoolean();
    FencingClients clients =
        new FencingClients() {
          @Override
          public Admin getAdmin(Map<String, Object> config) {
            if (full.get()) {
              throw new StreamsException("the disk is full");
            }
            return super.getAdmin(config);
          }
        };
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, 1, PipelineMeters.none()),
            new PipelineRun.Instance(settings, folder.resolve(name), 1, 0),
            clients,
            clock)) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      send(List.of(event(name, "ann", "a")));
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> holds(changelog(name), record -> isAbout(record, "ann")));
      full.set(true);
      clock.ahead = Duration.ofDays(6);
      run.lookAtCopies();
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure()).isPresent();
    }
  }

  /**
   * Killed after the store of an aborted transaction was closed and before it was wiped: RocksDB
   * has flushed what was never committed, and marked the store as closed.
   */
  @Test
  void shouldNotGoOnWithWritesThatWereNeverCommitted() throws Exception {
    String name = "torn";
    cluster.createTopic(name + "-in", 1);
    Path file = Files.writeString(folder.resolve("torn.yaml"), HistogramFile.perWindow(name));
    send(List.of(event(name, "ann", "a")));
    try (PipelineRun first = run(name, name, Time.SYSTEM)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> holds(changelog(name), record -> isAbout(record, "ann")));
    }
    Path out = folder.resolve("torn.log");
    Process torn =
        TestCluster.fork(
            out,
            TornApp.class,
            cluster.servers(),
            file.toString(),
            folder.resolve(name).toString(),
            changelog(name));
    send(List.of(event(name, "ann", "b"), event(name, "zoe", "b")));
    assertThat(torn.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(torn.exitValue()).as(Files.readString(out)).isEqualTo(TornApp.DIED_AT_THE_WIPE);
    assertThat(folder.resolve(name).resolve("sfumato-torn/1_0/rocksdb/dataset-store")).exists();
    try (PipelineRun back = run(name, name, Time.SYSTEM)) {
      send(List.of(tick(name)));
      awaitRelease(back, name, "zoe");
      assertThat(released(name)).containsExactlyInAnyOrder("ann 2", "zoe 1");
    }
  }

  /**
   * A copy of the folder from some windows ago is put in its place, after everything that was
   * written since has been compacted. A copy of an open folder is what a kill leaves. Budgets that
   * were spent since then stay spent.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldForgetNoChargeWhenAnOldCopyOfItsFolderComesBack(boolean open, TestCluster shared)
      throws Exception {
    String name = open ? "copied-open" : "copied";
    Plan plan = TestCluster.plan(HistogramFile.lifetime(name, 4));
    Instances instances = new Instances(cluster, folder);
    Path state = folder.resolve(name);
    Path old = folder.resolve(name + "-old");
    cluster.createTopic(name + "-in", 1);
    try (PipelineRun first = instances.start(plan, name)) {
      closeWindows(name, 0, 1);
      awaitDecided(first, name, 1);
      if (open) {
        copy(state, old);
      }
    }
    if (!open) {
      copy(state, old);
    }
    try (PipelineRun second = instances.start(plan, name)) {
      closeWindows(name, 1, 3);
      awaitDecided(second, name, 3);
    }
    for (String topic : Names.changelogTopics(plan.pipeline())) {
      compactAll(topic);
    }
    delete(state);
    copy(old, state);
    try (PipelineRun third = instances.start(plan, name)) {
      closeWindows(name, 3, 6);
      awaitDecided(third, name, 6);
      assertThat(third.failure()).isEmpty();
    }
    new Undisturbed(new Instances(shared, folder.resolve("calm")))
        .assertSameFromRecords(cluster, plan);
  }

  private static void closeWindows(String name, int from, int to) throws Exception {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int window = from; window < to; window++) {
      long start = BASE + window * 10_000L;
      for (int subject = 0; subject < SUBJECTS; subject++) {
        records.add(TestCluster.event(name + "-in", 0, BASE + window, "s" + subject, start, "a"));
      }
      records.add(TestCluster.tick(name, name + "-in", 0, BASE + window, start + 10_000));
    }
    send(records);
  }

  /** Each subject is released four times, and refused once. */
  private static void awaitDecided(PipelineRun run, String name, int windows) {
    awaitRunning(
        run,
        () ->
            cluster.count(name + "-mix") + cluster.count(name + "-refusals")
                >= SUBJECTS * Math.min(windows, 5));
  }

  /** Until no key has two values; deletions stay. */
  private static void compactAll(String topic) throws Exception {
    configure(ConfigResource.Type.TOPIC, topic, "min.cleanable.dirty.ratio", "0");
    configure(ConfigResource.Type.TOPIC, topic, "segment.ms", "1");
    appendUntil(
        topic,
        records -> {
          List<Bytes> keys =
              records.stream()
                  .filter(record -> !isAbout(record, "nobody"))
                  .map(record -> Bytes.wrap(record.key()))
                  .toList();
          return keys.size() == Set.copyOf(keys).size();
        });
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void delete(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A wall clock that is set. */
  private static final class Ahead implements Time {
    private volatile Duration ahead;

    Ahead(Duration ahead) {
      this.ahead = ahead;
    }

    @Override
    public long milliseconds() {
      return Time.SYSTEM.milliseconds() + ahead.toMillis();
    }

    @Override
    public long nanoseconds() {
      return Time.SYSTEM.nanoseconds();
    }

    @Override
    public void sleep(long millis) {
      Time.SYSTEM.sleep(millis);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline)
        throws InterruptedException {
      Time.SYSTEM.waitObject(object, condition, deadline - ahead.toMillis());
    }
  }
}
