// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.doctor.Doctor;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.ledger.LedgerImport.Outcome;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.ProgressListener;
import io.sfumato.ledger.Registry;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers on a real broker: sealed, carried over, and shared. */
@ExtendWith(SharedBroker.class)
class LedgerIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final int SUBJECTS = 20;
  private static final int AFFORDED = 4;

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
  }

  private static String yaml(String name, String budget, String window, String topic) {
    return """
    pipeline: %s
    input: { topic: %s, subject: who, time: at, category: what, categories: [a, b] }
    window: { size: %s }
    budget: { name: %s, unit: record, epsilon: 2, delta: 1e-6 }
    releases:
      - histogram: { name: %s-mix, method: laplace, share: { epsilon: 2, delta: 1e-6, ledger: mix }, windows: 4 }
    """
        .formatted(name, topic, window, budget, name);
  }

  private static Instances instances() {
    return new Instances(cluster, folder);
  }

  private static KafkaSettings settings() throws RefusedException {
    return instances().settings();
  }

  private static PipelineRun run(Plan plan, String state, int partitions) throws RefusedException {
    return instances().withPartitions(partitions).startIfAllowed(plan, state);
  }

  /** Every subject has one record every five seconds. */
  private static void send(String topic, int partitions, int from, int to) throws Exception {
    try (var producer = cluster.producer()) {
      for (int second = from; second < to; second += 5) {
        for (int subject = 0; subject < SUBJECTS; subject++) {
          producer.send(
              TestCluster.event(
                  topic,
                  subject % partitions,
                  BASE,
                  "s" + subject,
                  BASE + second * 1000L,
                  subject % 2 == 0 ? "a" : "b"));
        }
      }
    }
  }

  /** Number of releases of every subject in a topic. */
  private static Map<String, Integer> releases(String topic) throws RefusedException {
    Map<String, Integer> releases = new TreeMap<>();
    cluster
        .committed(topic)
        .forEach(
            record ->
                releases.merge(
                    Outputs.decodeRelease(record.value()).getSubject(), 1, Integer::sum));
    return releases;
  }

  /**
   * Another window grid, more partitions and a new topic: through seal, export and import nobody
   * regains budget, no window is released twice, and what was open is read again.
   */
  @Test
  void shouldCarryALedgerOverToAnotherGridAndMorePartitions() throws Exception {
    cluster.createTopic("old-in", 2);
    cluster.createTopic("new-in", 3);
    Plan old = TestCluster.plan(yaml("old", "walk", "10s", "old-in"));
    Path file = folder.resolve("walk.ledger");
    send("old-in", 2, 0, 32); // windows 0, 1 and 2 are closed by what lies in window 3
    LedgerExport export =
        new LedgerExport(old.pipeline(), settings(), TestCluster.key(), message -> {});
    assertThatThrownBy(() -> export.export(file, Unreleased.RELEASE, Duration.ofSeconds(30)))
        .hasMessageContaining("its pipeline has never run there");
    try (PipelineRun run = run(old, "old", 2)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(cluster.count("old-mix")).isEqualTo(3 * SUBJECTS));
      CompletableFuture<LedgerFile> exported =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return export.export(file, Unreleased.RELEASE, TestCluster.PATIENCE);
                } catch (RefusedException e) {
                  throw new IllegalStateException(e.getMessage());
                }
              });
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure())
          .get()
          .extracting(RefusedException::code)
          .isEqualTo(ExitCode.STOPPED);
      run.close();
      LedgerFile ledger = exported.get();
      assertThat(ledger.ledgers()).isEqualTo(SUBJECTS);
      assertThat(ledger.image().floor()).isEqualTo(BASE + 30_000);
    }
    assertThatThrownBy(() -> run(old, "old", 2))
        .hasMessageContaining("was sealed")
        .hasMessageContaining("sfumato ledger import");

    // Damage is noticed.
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(3, lines.get(3).replace("\"0\":3", "\"0\":2"));
    Path forged = Files.write(folder.resolve("forged.ledger"), lines);
    assertThatThrownBy(() -> LedgerFile.read(forged)).hasMessageContaining("damaged");
    Files.write(forged, lines.subList(0, 5));
    assertThatThrownBy(() -> LedgerFile.read(forged)).hasMessageContaining("damaged");

    // The same records in a topic of three partitions, and windows of 15 s.
    LedgerFile ledger = LedgerFile.read(file);
    Plan fresh = TestCluster.plan(yaml("old", "walk-2", "10s", "old-in"));
    assertThatThrownBy(() -> require(fresh))
        .hasMessageContaining("pipeline 'old' uses budget 'walk'");
    Plan next = TestCluster.plan(yaml("next", "walk-2", "15s", "new-in"));
    LedgerImport importing =
        new LedgerImport(next, settings(), TestCluster.key(), Cluster.Safety.WAIVED);
    assertThat(importing.importFrom(ledger)).isEqualTo(Outcome.IMPORTED);
    assertThat(importing.importFrom(ledger)).isEqualTo(Outcome.ALREADY_IMPORTED);
    require(fresh); // the same pipeline, on the ledger that its own goes on as
    Plan third = TestCluster.plan(yaml("third", "walk-3", "15s", "new-in"));
    assertThatThrownBy(
            () ->
                new LedgerImport(third, settings(), TestCluster.key(), Cluster.Safety.WAIVED)
                    .importFrom(ledger))
        .as("two of them would each spend what is left")
        .hasMessageContaining("the ledger of 'walk' already continues as 'walk-2'");
    send("new-in", 3, 0, 76);
    try (PipelineRun run = run(next, "next", 3)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(cluster.count("next-mix")).isEqualTo(SUBJECTS);
                assertThat(cluster.count("next-refusals")).isEqualTo(SUBJECTS);
              });
      assertThat(run.failure()).isEmpty();
    }
    assertThat(releases("next-mix").values()).as("three of four were spent").containsOnly(1);
    assertThat(cluster.committed("next-mix"))
        .allSatisfy(
            record ->
                assertThat(Outputs.decodeRelease(record.value()).getWindowStart())
                    .as("the first window at or after the floor")
                    .isEqualTo(Instant.ofEpochMilli(BASE + 30_000)));
    Refusal refusal = Outputs.decodeRefusal(cluster.committed("next-refusals").get(0).value());
    assertThat(refusal.getCode().name()).isEqualTo("EXHAUSTED");
    assertThatThrownBy(() -> importing.importFrom(ledger))
        .hasMessageContaining("has run since: its ledger is newer");
    assertThat(AFFORDED).isEqualTo(old.all(PlannedHistogram.class).get(0).plan().releases());
  }

  /**
   * An import of 25,000 ledgers ends after the first transaction of them. Nothing runs on the half
   * that was written, no other file takes its place; the same file does, and what is exported from
   * there is what was imported.
   */
  @Test
  void shouldFinishAnImportThatWasCutShort() throws Exception {
    cluster.createTopic("cut-in", 3);
    Plan plan = TestCluster.plan(yaml("cut", "cut-2", "10s", "cut-in"));
    LedgerFile file = large("cut-1", folder.resolve("cut.ledger"), 25_000);
    LedgerFile other = large("cut-0", folder.resolve("other.ledger"), 10);
    ProgressListener cut = (what, total) -> new CutShort();
    assertThatThrownBy(
            () ->
                new LedgerImport(plan, settings(), TestCluster.key(), Cluster.Safety.WAIVED, cut)
                    .importFrom(file))
        .isInstanceOf(CancellationException.class);
    String changelog = Names.changelogTopic("sfumato-cut-2", LedgerImage.LEDGERS);
    assertThat(cluster.committed(changelog)).hasSize(LedgerImport.TRANSACTION_LEDGERS);
    assertThatThrownBy(() -> require(plan))
        .hasMessageContaining("import of the ledger of budget 'cut-1' was interrupted")
        .hasMessageContaining(file.digest());
    LedgerImport importing =
        new LedgerImport(plan, settings(), TestCluster.key(), Cluster.Safety.WAIVED);
    Path exported = folder.resolve("again.ledger");
    LedgerExport export =
        new LedgerExport(plan.pipeline(), settings(), TestCluster.key(), message -> {});
    assertThatThrownBy(() -> export.export(exported, Unreleased.ABANDON, Duration.ofSeconds(30)))
        .hasMessageContaining("was interrupted: part of it is missing");
    OffsetsOfState offsets = new OffsetsOfState(plan.pipeline(), settings());
    assertThatThrownBy(offsets::look).hasMessageContaining("Run 'sfumato ledger import' again");
    assertThatThrownBy(() -> offsets.restore(Optional.empty(), true))
        .as("nothing is set on half a ledger")
        .hasMessageContaining("was interrupted: part of it is missing");
    assertThat(doctor(plan, "budget cut-2"))
        .startsWith("PROBLEM")
        .contains("was interrupted: part of it is missing", "sfumato ledger import");
    assertThatThrownBy(() -> importing.importFrom(other))
        .hasMessageContaining("the import of another file into budget 'cut-2' was interrupted")
        .hasMessageContaining(file.digest());
    assertThat(importing.importFrom(file)).isEqualTo(Outcome.IMPORTED);
    assertThat(importing.importFrom(file)).isEqualTo(Outcome.ALREADY_IMPORTED);
    assertThat(cluster.committed(changelog))
        .as("nothing more than the first part came twice")
        .hasSize(25_000 + LedgerImport.TRANSACTION_LEDGERS);
    assertThatThrownBy(() -> importing.importFrom(other))
        .hasMessageContaining("another ledger was imported");
    require(plan);
    assertThat(doctor(plan, "budget cut-2")).startsWith("OK");
    assertThatThrownBy(() -> require(twinOf(file)))
        .as("imported at the same moment; the registry's log says which one holds")
        .hasMessageContaining("continues as budget 'cut-2'");
    Path left = Files.createDirectory(folder.resolve("again.ledger.part"));
    assertThatThrownBy(() -> export.export(exported, Unreleased.ABANDON, Duration.ofSeconds(30)))
        .as("another one may be at work")
        .hasMessageContaining("again.ledger.part exists");
    Files.delete(left);
    LedgerFile again = export.export(exported, Unreleased.ABANDON, TestCluster.PATIENCE);
    assertThat(again.image()).isEqualTo(file.image());
    assertThat(lines(again.path())).isEqualTo(lines(file.path()));
    assertThat(left).as("nothing is left that names subjects").doesNotExist();
  }

  /** Another budget whose state says that it was imported from the same file. */
  private static Plan twinOf(LedgerFile file) throws Exception {
    Plan twin = TestCluster.plan(yaml("twin", "cut-3", "10s", "cut-in"));
    String meta = Names.changelogTopic("sfumato-cut-3", LedgerImage.META);
    try (Cluster admin = new Cluster(settings());
        var producer = cluster.producer()) {
      admin.pipelineTopics().createChangelogs(twin.pipeline(), List.of(meta), 3);
      file.image()
          .origins(3, file.digest(), "cut-1")
          .forEach(
              row ->
                  producer.send(
                      new ProducerRecord<>(meta, row.partition(), row.key(), row.value())));
    }
    return twin;
  }

  /** Ends in the middle of the work, as if the process did. */
  private static final class CutShort implements ProgressListener.Stage {
    @Override
    public void at(long done) {
      throw new CancellationException();
    }

    @Override
    public void close() {
      // Nothing is drawn.
    }
  }

  /** The ledgers' lines of a file. */
  private static List<String> lines(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.subList(1, lines.size() - 1);
  }

  /** A file as the export of a budget with many subjects writes it. */
  private static LedgerFile large(String budget, Path file, int ledgers) throws Exception {
    LedgerImage image = LedgerImage.of(TestCluster.plan(yaml("x", "x", "10s", "x")), BASE);
    return LedgerFile.write(
        file,
        budget,
        image,
        reader -> {
          for (int subject = 0; subject < ledgers; subject++) {
            reader.accept(
                new LedgerImage.Line(
                    0,
                    "mix",
                    "subject-%06d".formatted(subject),
                    new TreeMap<>(Map.of(0, 1L + subject % 4)),
                    subject % 4 == 3));
          }
        });
  }

  private static OptionalInt predecessor(Plan plan) throws RefusedException {
    try (Cluster admin = new Cluster(settings())) {
      return Continuity.runningPredecessor(TestCluster.ready(plan, settings(), admin, 2), admin);
    }
  }

  /** What the doctor says of one thing. */
  private static String doctor(Plan plan, String subject) throws RefusedException {
    Doctor.Machine machine = new Doctor.Machine(Optional.empty(), Map.of(), folder);
    return new Doctor(plan, settings())
        .examine(machine).stream()
            .filter(finding -> finding.subject().equals(subject))
            .map(f -> f.severity() + " " + f.found() + " " + f.fix())
            .collect(Collectors.joining());
  }

  /** A version takes over on all partitions or on none: half of each, and no program could run. */
  @Test
  void shouldHandOverToANewVersionOnceEveryPartitionIsReady() throws Exception {
    cluster.createTopic("turn-in", 2);
    String yaml = yaml("turn", "turn", "10s", "turn-in");
    Plan first = TestCluster.plan(yaml);
    Plan second =
        TestCluster.plan("version: 2\n" + yaml.replace("size: 10s", "size: 10s, grace: 1s"));
    String key = TestCluster.key().tag();
    send("turn-in", 2, 0, 12);
    try (PipelineRun run = run(first, "turn", 2)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(cluster.count("turn-mix")).isEqualTo(SUBJECTS));
      assertThatThrownBy(() -> require(second)).hasMessageContaining("was not announced");
      try (var producer = cluster.producer()) {
        ControlEntry activate =
            ControlEntry.newBuilder()
                .setCommand(ControlCommand.ACTIVATE)
                .setBudget("turn")
                .setVersion(2)
                .setFrom(Instant.ofEpochMilli(BASE + 20_000))
                .setDigest(second.digestText())
                .setNoiseKey(key)
                .build();
        producer.send(new ProducerRecord<>("turn-control", Outputs.encode(activate)));
        producer.flush();
        await()
            .atMost(TestCluster.PATIENCE)
            .untilAsserted(
                () ->
                    assertThatThrownBy(() -> require(second))
                        .hasMessageContaining("has windows left to release"));
        assertThat(predecessor(first)).as("itself").isEmpty();
        // Windows 1 and 2 close; the third window is the second version's.
        for (int partition = 0; partition < 2; partition++) {
          producer.send(TestCluster.tick("turn", "turn-in", partition, BASE, BASE + 30_000));
        }
      }
      await().atMost(TestCluster.PATIENCE).ignoreExceptions().untilAsserted(() -> require(second));
      assertThat(predecessor(second)).as("partitions that it holds wait for it").hasValue(1);
      assertThat(cluster.count("turn-mix")).isEqualTo(2 * SUBJECTS);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(predecessor(second)).as("nobody runs").isEmpty();
    send("turn-in", 2, 30, 47);
    try (PipelineRun run = run(second, "turn", 2)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(cluster.count("turn-mix")).isEqualTo(3 * SUBJECTS));
      assertThat(run.failure()).isEmpty();
    }
    assertThatThrownBy(() -> run(first, "turn", 2))
        .as("an older file, which might get a part of intake alone")
        .hasMessageContaining("the state is already at version 2, but the file is version 1");
    Plan exchanged = TestCluster.plan("version: 2\n" + yaml.replace("[a, b]", "[b, a]"));
    assertThatThrownBy(() -> run(exchanged, "turn", 2))
        .as("another file under the same version")
        .hasMessageContaining("categories: the state was made with [a, b]");
  }

  @Test
  void shouldLetOneFileBeginABudgetWhenTwoAreStartedAtOnce() throws Exception {
    List<String> files =
        List.of(
            yaml("twice", "twice", "10s", "twice-in"),
            yaml("twice", "twice", "10s", "twice-in").replace("[a, b]", "[b, a]"));
    AtomicInteger refused = new AtomicInteger();
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    try (Cluster admin = new Cluster(settings())) {
      new Registry(settings(), "twice", Optional.of(TestCluster.key())).create(admin);
    }
    for (int instance = 0; instance < 4; instance++) {
      Plan plan = TestCluster.plan(files.get(instance % 2));
      starts.add(
          CompletableFuture.runAsync(
              () -> {
                try (Cluster admin = new Cluster(settings())) {
                  Continuity.enter(ready(plan), settings(), admin, TestCluster.key());
                } catch (RefusedException e) {
                  assertThat(e).hasMessageContaining("was started with another file (version 1)");
                  refused.incrementAndGet();
                }
              }));
    }
    for (CompletableFuture<Void> start : starts) {
      start.get();
    }
    assertThat(refused).hasValue(2);
    try (Cluster admin = new Cluster(settings())) {
      Plan second = TestCluster.plan("version: 2\n" + files.get(0));
      assertThatThrownBy(
              () -> Continuity.enter(ready(second), settings(), admin, TestCluster.key()))
          .as("another version is another file as long as nothing has begun")
          .hasMessageContaining("was started with another file (version 1)");
    }
  }

  private static Continuity.Ready ready(Plan plan) {
    return new Continuity.Ready(plan, new StateReader(), TestCluster.sources(plan, 1));
  }

  @Test
  void shouldGiveEachPipelineItsShareOfAnAccountInLogOrder() throws Exception {
    cluster.createTopic("shared-in", 1);
    Plan first = TestCluster.plan(account("first", "2", "5"));
    Plan second = TestCluster.plan(account("second", "3", "5"));
    Plan third = TestCluster.plan(account("third", "0.5", "5"));
    // Four instances of it start at once.
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (int instance = 0; instance < 4; instance++) {
      starts.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  require(first);
                } catch (RefusedException e) {
                  throw new IllegalStateException(e.getMessage());
                }
              }));
    }
    for (CompletableFuture<Void> start : starts) {
      start.get();
    }
    require(second);
    require(first);
    assertThatThrownBy(() -> require(third))
        .hasMessageContaining("account 'people' has epsilon 5")
        .hasMessageContaining("together first 1 x (2, 0.000001), second 1 x (3, 0.000001)")
        .hasMessageContaining("does not fit");
    assertThatThrownBy(() -> require(TestCluster.plan(account("first", "1", "5"))))
        .hasMessageContaining("A grant cannot change: restore the former values");
    assertThatThrownBy(() -> require(TestCluster.plan(account("fourth", "1", "50"))))
        .as("the account is what its first claimant said")
        .hasMessageContaining("does not fit");
    require(second);
    Plan renamed =
        TestCluster.plan(
            account("first", "2", "5").replace("budget: { name: first", "budget: { name: fresh"));
    assertThatThrownBy(() -> require(renamed))
        .as("a new budget's name is no new beginning")
        .hasMessageContaining("pipeline 'first' uses budget 'first'")
        .hasMessageContaining("sfumato ledger export");
  }

  @Test
  void shouldRefuseABudgetWhoseWindowsOverlapThoseOfItsAccount() throws Exception {
    cluster.createTopic("account-visits", 1);
    Plan weekly = TestCluster.plan(visits("weekly", "size: 7d, begin: 2026-11-02"));
    require(weekly);
    for (String other :
        List.of(
            visits("thursday", "size: 7d, begin: 2026-11-05, origin: 2026-11-05"),
            visits("daily", "size: 1d, begin: 2026-11-02"))) {
      assertThatThrownBy(() -> require(TestCluster.plan(other)))
          .hasMessageContaining("does not fit account 'patients'")
          .hasMessageContaining("weekly 1 x (1, 0.000001)")
          .hasMessageContaining("same window.size, window.origin");
    }
    require(TestCluster.plan(visits("weekly-too", "size: 7d, begin: 2026-11-09")));
    require(weekly);
  }

  private static String visits(String name, String window) {
    return """
    pipeline: NAME
    version: 1
    input: { topic: account-visits, subject: ward, user: patient, time: at, category: kind, categories: [a, b] }
    contributions: { per-window: 1 }
    subjects: [n, s]
    window: { clock: ticks, WINDOW }
    budget: { name: NAME, unit: user, epsilon: 1, delta: 1e-6, period: window, account: { name: patients, epsilon: 2, delta: 2e-6 } }
    releases:
      - count: { name: NAME-counts, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
    """
        .replace("NAME", name)
        .replace("WINDOW", window);
  }

  private static void require(Plan plan) throws RefusedException {
    try (Cluster admin = new Cluster(settings())) {
      TestCluster.require(
          plan,
          settings(),
          admin,
          admin.topics().partitions(plan.pipeline().input().topics().names().get(0)));
    }
  }

  private static String account(String name, String epsilon, String total) {
    return """
    pipeline: %s
    input: { topic: shared-in, subject: who, time: at, category: what, categories: [a, b] }
    window: { size: 10s }
    budget: { name: %s, unit: record, epsilon: %s, delta: 1e-6, account: { name: people, epsilon: %s, delta: 1e-5 } }
    releases:
      - histogram: { name: %s-mix, method: laplace, share: { epsilon: %s, delta: 1e-6 }, windows: 4 }
    """
        .formatted(name, name, epsilon, total, name, epsilon);
  }
}
