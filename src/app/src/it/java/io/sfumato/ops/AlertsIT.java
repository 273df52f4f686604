// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.BackgroundCommand;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.runtime.ForkArchive;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.HungTransaction;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.serde.TickHeader;
import io.sfumato.ticker.OwnTicker;
import io.sfumato.ticker.SkewedTicker;
import io.sfumato.topology.BrokenPlan;
import io.sfumato.topology.context.Names;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each alert fires for its fault and for no other one, on a real pipeline and a real Prometheus.
 * The commands of its section of the runbook run as they are written there, and the alert ends.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class AlertsIT {
  private static final long SECOND = 1_000;
  private static final Pattern FIX = Pattern.compile("kafka-configs\\.sh [^\\n`;]*");

  @TempDir static Path folder;

  private static TestCluster shared;
  private static PrometheusServer prometheus;
  private static Path secret;

  /** Alerts whose fault is not caused here: the rules' own tests alone have them. */
  private static final Set<String> BY_RULES_ALONE =
      Set.of(
          "SfumatoReleasesLate",
          "SfumatoReleaseSkipped",
          "SfumatoStandsStill",
          "SfumatoClusterLost");

  /** Alerts that fired for their fault and ended. */
  private static final Set<String> ENDED = new TreeSet<>();

  private static int testsRun;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> words = new HashMap<>();
  private final int port = EmbeddedBroker.freePort();
  private final long began = System.nanoTime();

  /** All that fired since a fault was caused. */
  private final Set<String> fired = new TreeSet<>();

  private TestCluster cluster = shared;
  private Action meanwhile = () -> {};
  private Optional<BackgroundCommand> running = Optional.empty();
  private String name;
  private Path file;
  private long events;

  private interface Action {
    void run() throws Exception;
  }

  @BeforeAll
  static void start(TestCluster broker) throws Exception {
    PrometheusServer.require();
    shared = broker;
    secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
    prometheus =
        PrometheusServer.start(
            folder.resolve("prometheus"), AlertRules.faster(folder.resolve("faster.yml")));
  }

  @AfterAll
  static void stop() throws Exception {
    if (prometheus != null) {
      prometheus.close();
    }
    long tests =
        List.of(AlertsIT.class.getDeclaredMethods()).stream()
            .filter(method -> method.isAnnotationPresent(Test.class))
            .count();
    if (testsRun == tests) {
      Set<String> caused = new TreeSet<>(AlertRules.names());
      caused.removeAll(BY_RULES_ALONE);
      assertThat(ENDED).as("every alert whose fault is caused").isEqualTo(caused);
    }
  }

  @AfterEach
  void end() throws Exception {
    prometheus.watch();
    if (running.isPresent()) {
      running.get().close();
    }
    testsRun++;
  }

  private void say(String what) {
    System.out.printf("%5.1f s: %s%n", (System.nanoTime() - began) / 1e9, what);
  }

  /** Writes a pipeline's file, and remembers what the runbook calls it. */
  private void pipeline(String called, String yaml) throws Exception {
    name = called;
    file = Files.writeString(folder.resolve(name + ".yaml"), yaml);
    words.put("mine.yaml", file.toString());
    words.put("noise.key", secret.toString());
    words.put("tick.key", folder.resolve(name + ".tick").toString());
    words.put("admin.properties", Files.write(folder.resolve("none"), new byte[0]).toString());
    words.put("mine-dead-letters", name + "-dead-letters");
    words.put("mine-refusals", name + "-refusals");
    words.put("127.0.0.1:8085", "127.0.0.1:" + port);
  }

  private Runbook runbook() {
    return new Runbook(cluster.servers(), words);
  }

  /** What the pipeline prints stays with it. */
  private BackgroundCommand run(Path pipeline, Path key, String data, int at) throws Exception {
    return BackgroundCommand.start(
        "run",
        pipeline.toString(),
        "--secret-file",
        key.toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--data",
        folder.resolve(data).toString(),
        "--port",
        Integer.toString(at),
        "--probe-port",
        "0",
        "--accept-risk",
        "--standbys",
        "0");
  }

  private void runUntilReady(String data) throws Exception {
    running = Optional.of(run(file, secret, data, port));
    awaitReady(port);
    prometheus.watch(port);
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> prometheus.value("up{job=\"sfumato\"}") == 1);
  }

  private void awaitReady(int at) {
    URI probe = URI.create("http://127.0.0.1:" + at + "/readyz");
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              meanwhile.run();
              return http.send(
                          HttpRequest.newBuilder(probe).build(),
                          HttpResponse.BodyHandlers.discarding())
                      .statusCode()
                  == 200;
            });
  }

  private Set<String> firing() throws Exception {
    meanwhile.run();
    Set<String> now = prometheus.firing();
    fired.addAll(now);
    return now;
  }

  /**
   * Causes a fault, waits for its alert, does what the runbook says, and waits until all is well.
   *
   * @param others that the same fault may cause
   * @param mend what else ends the fault, given what the commands wrote
   */
  private void assertFires(String alert, Set<String> others, Action cause, Mending mend)
      throws Exception {
    await(() -> firing().isEmpty());
    fired.clear();
    cause.run();
    await(() -> firing().contains(alert));
    say(alert);
    words.put("2026-11-30T08:00:00Z", Instant.now().toString());
    StringBuilder written = new StringBuilder();
    for (String command : Runbook.commands(alert)) {
      written.append(execute(command));
    }
    mend.after(written.toString());
    await(() -> firing().isEmpty());
    say(alert + " has ended; fired: " + fired);
    assertThat(fired).contains(alert);
    Set<String> unexpected = new TreeSet<>(fired);
    unexpected.remove(alert);
    unexpected.removeAll(others);
    assertThat(unexpected).as("beside " + alert).isEmpty();
    ENDED.add(alert);
  }

  private interface Mending {
    void after(String written) throws Exception;
  }

  private interface Question {
    boolean isSo() throws Exception;
  }

  /** A stream thread that ends by a release that fails is what some tests want. */
  private static void await(Question question) {
    Patiently.await()
        .dontCatchUncaughtExceptions()
        .atMost(TestCluster.PATIENCE)
        .until(question::isSo);
  }

  /** A run goes on, with what this machine has in place of defaults. */
  private String execute(String command) throws Exception {
    if (!command.startsWith("bin/sfumato run mine.yaml ")) {
      return runbook().run(command);
    }
    running = Optional.of(run(file, secret, name, port));
    return "";
  }

  private void produce(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      records.forEach(producer::send);
      producer.flush();
    }
  }

  /** With an id of its own. */
  private ProducerRecord<byte[], byte[]> event(int partition, String who, long time, String what) {
    byte[] value =
        "{\"who\":\"%s\",\"ward\":\"north\",\"at\":%d,\"what\":\"%s\",\"id\":\"%d\"}"
            .formatted(who, time, what, events++)
            .getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(name + "-in", partition, time, null, value);
  }

  private void set(String topic, String setting, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
    try (Admin admin = cluster.client()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
    }
  }

  /**
   * Runs the commands that {@code doctor} wrote about a setting: on one broker it finds other ones.
   */
  private void fix(String setting, String written) throws Exception {
    List<String> commands =
        FIX.matcher(written)
            .results()
            .map(found -> found.group())
            .filter(command -> command.contains("sfumato-" + name + "-"))
            .filter(command -> command.contains(setting + "="))
            .toList();
    assertThat(commands).as(written).isNotEmpty();
    for (String command : commands) {
      runbook().run(command);
    }
  }

  // Records that close windows: event time is this test's.

  private static final long WINDOW = 10 * SECOND;
  private static final long PERIOD = 20 * WINDOW;
  private static final int RELEASES = 10;

  private long now = (System.currentTimeMillis() - 7_200 * SECOND) / PERIOD * PERIOD;

  private void window() throws Exception {
    now += WINDOW;
    produce(List.of(event(0, "s", now, "a"), event(1, "s", now, "a")));
  }

  private void windows(int number) throws Exception {
    for (int i = 0; i < number; i++) {
      window();
    }
  }

  private void nextPeriod() throws Exception {
    now = (now / PERIOD + 1) * PERIOD - WINDOW;
    window();
  }

  /** Closed by records, with a budget for each period. */
  private void periods(String called) throws Exception {
    pipeline(
        called,
        """
        pipeline: NAME
        input: { topic: NAME-in, subject: who, time: at, category: what, id: id, categories: [a, b] }
        window: { size: 10s }
        budget: { name: NAME, unit: record, epsilon: 2, delta: 1e-6, period: 200s }
        releases:
          - histogram: { name: NAME-mix, method: laplace, share: { epsilon: 2, delta: 1e-6, ledger: mix }, windows: %d }
        """
            .replace("NAME", called)
            .formatted(RELEASES));
    cluster.createTopic(called + "-in", 2);
    runUntilReady(name);
    nextPeriod();
    window();
  }

  @Test
  void shouldTellOfRecordsThatDoNotCountWindowsThatWaitAndUnsafeSettings() throws Exception {
    periods("alerts-records");
    assertFires(
        "SfumatoDeadLetters",
        Set.of(),
        () -> meanwhile = () -> produce(List.of(event(0, "s", now, "nonsense"))),
        letters -> {
          assertThat(letters).contains("UNKNOWN_CATEGORY");
          meanwhile = () -> {};
        });
    assertFires(
        "SfumatoLateRecords",
        Set.of(),
        () -> meanwhile = () -> produce(List.of(event(0, "s", now - 6 * WINDOW, "a"))),
        metrics -> {
          assertThat(metrics).contains("outcome=\"late\"");
          meanwhile = () -> {};
        });
    assertFires(
        "SfumatoWindowHeldBack",
        Set.of(),
        () -> {
          now += WINDOW;
          produce(List.of(event(0, "s", now, "a")));
        },
        ticked -> {});
    assertFires(
        "SfumatoUnsafeTopicSettings",
        Set.of(),
        () -> set("sfumato-alerts-records-journal-repartition", "retention.ms", "604800000"),
        found -> fix("retention.ms", found));
  }

  @Test
  void shouldTellOfReleasesThatAreRefusedAndBudgetsThatEnd() throws Exception {
    periods("alerts-budgets");
    assertFires(
        "SfumatoReleasesRefused",
        Set.of(),
        () -> {
          nextPeriod();
          try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
            for (int i = 0; i <= 10_000; i++) {
              producer.send(event(0, "s", now, "a"));
            }
          }
          windows(2);
        },
        refusals -> assertThat(refusals).contains("TOO_MANY_EVENTS"));
    assertFires(
        "SfumatoBudgetNearlySpent",
        Set.of(),
        () -> {
          nextPeriod();
          windows(RELEASES - 1);
        },
        plan -> nextPeriod());
    assertFires(
        "SfumatoBudgetExhausted",
        Set.of("SfumatoBudgetNearlySpent"),
        () -> {
          nextPeriod();
          windows(RELEASES);
        },
        plan -> nextPeriod());
  }

  @Test
  void shouldTellOfAnInstanceThatIsAwayOrNotReady() throws Exception {
    periods("alerts-process");
    assertFires(
        "SfumatoDown",
        Set.of("SfumatoNotReady"),
        () -> running.orElseThrow().close(),
        started -> awaitReady(port));
    prometheus.watch();
    running.orElseThrow().close();
    Map<String, Object> config = TestCluster.settings(cluster.servers(), Map.of()).producer();
    config.put("transactional.id", "somebody-else");
    config.put("transaction.timeout.ms", 600_000);
    try (KafkaProducer<byte[], byte[]> open =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      assertFires(
          "SfumatoNotReady",
          Set.of(),
          () -> {
            open.initTransactions();
            open.beginTransaction();
            open.send(
                    new ProducerRecord<>(
                        Names.changelogTopic("sfumato-alerts-process", Names.DATASET_STORE),
                        0,
                        new byte[1],
                        new byte[1]))
                .get();
            running = Optional.of(run(file, secret, "restored", port));
            prometheus.watch(port);
          },
          found -> {
            assertThat(found).contains("state is REBALANCING", "a transaction stays open");
            open.abortTransaction();
          });
    }
  }

  // Ticks: event time is the clock's.

  private ProducerRecord<byte[], byte[]> tick() {
    long time = System.currentTimeMillis();
    return TestCluster.tick(name, name + "-in", 0, time, time);
  }

  private ProducerRecord<byte[], byte[]> live() {
    return event(0, "ann", System.currentTimeMillis(), "a");
  }

  private static String ticked(String name, String window) {
    return """
    pipeline: NAME
    input: { topic: NAME-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
    contributions: { per-window: 3, subjects: 1 }
    subjects: [north, south]
    window: { WINDOW, clock: ticks, begin: BEGIN }
    budget: { name: NAME, unit: user, epsilon: 2, delta: 1e-6, period: window }
    releases:
      - count: { name: NAME-counts, share: { epsilon: 2, delta: 1e-6 } }
    """
        .replace("NAME", name)
        .replace("WINDOW", window)
        .replace(
            "BEGIN", Instant.ofEpochSecond(Instant.now().getEpochSecond() / 600 * 600).toString());
  }

  @Test
  void shouldTellOfTicksThatAreRefusedOrDoNotCome() throws Exception {
    pipeline("alerts-ticks", ticked("alerts-ticks", "size: 20s, ahead: 10s"));
    cluster.createTopic("alerts-ticks-in", 1);
    Action ticking = () -> produce(List.of(tick(), live()));
    meanwhile = ticking;
    ticking.run();
    runUntilReady(name);
    assertFires(
        "SfumatoTicksRefused",
        Set.of(),
        () -> {
          long time = System.currentTimeMillis();
          RecordHeaders headers = new RecordHeaders();
          headers.add(Names.TICK_HEADER, TickHeader.unsigned().of(name + "-in", 0, time));
          produce(List.of(new ProducerRecord<>(name + "-in", 0, time, null, null, headers)));
        },
        ticked -> {});
    assertFires(
        "SfumatoEarlyRecords",
        Set.of("SfumatoNoTicks"),
        () -> meanwhile = () -> produce(List.of(live())),
        ticked -> meanwhile = ticking);
    assertFires(
        "SfumatoNoTicks",
        Set.of("SfumatoEarlyRecords", "SfumatoReleasesLate"),
        () -> meanwhile = () -> produce(List.of(live())),
        ticked -> meanwhile = ticking);
  }

  @Test
  void shouldTellOfAClockThatIsWrong() throws Exception {
    String yaml = ticked("alerts-clock", "size: 10m, ticks: here");
    pipeline("alerts-clock", yaml);
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    try (Watched watched = new Watched(cluster, folder.resolve("clock"), yaml);
        OwnTicker ticker =
            SkewedTicker.start(
                cluster, TestCluster.plan(yaml), ahead::get, watched.counts().ticks().own())) {
      awaitReady(watched.port());
      prometheus.watch(watched.port());
      assertFires(
          "SfumatoClocksDiffer",
          Set.of(),
          () -> ahead.set(Duration.ofDays(1)),
          times -> ahead.set(Duration.ZERO));
    }
  }

  // A release that fails.

  private static final long BASE = 1_700_000_000_000L;

  /** A subject whose one record is a b is never released. */
  private void play(long window, String what) throws Exception {
    long time = BASE + window * WINDOW;
    produce(
        List.of(
            TestCluster.event(name + "-in", 0, BASE, "good", time, "a"),
            TestCluster.event(name + "-in", 0, BASE, "one", time, what)));
  }

  @Test
  void shouldTellOfReleasesThatFail() throws Exception {
    String yaml = HistogramFile.lifetime("alerts-failing", 40);
    pipeline("alerts-failing", yaml);
    Plan plan = BrokenPlan.failingOn(TestCluster.plan(yaml), new Histogram(0, 1));
    try (Watched watched = new Watched(cluster, folder.resolve("failing"), plan)) {
      words.put("127.0.0.1:8085", "127.0.0.1:" + watched.port());
      awaitReady(watched.port());
      prometheus.watch(watched.port());
      Action failure =
          () -> {
            await(() -> watched.failed().isPresent());
            words.put("3f9a02c41b77d8e5", watched.failed().orElseThrow());
          };
      play(0, "a");
      assertFires(
          "SfumatoReleaseFails",
          Set.of("SfumatoReleaseSkipped"),
          () -> {
            play(1, "b");
            play(2, "a");
            failure.run();
          },
          skipped -> {});
    }
  }

  @Test
  void shouldTellOfTwoVersionsAtOnce() throws Exception {
    String yaml = HistogramFile.perWindow("alerts-versions");
    Path second = folder.resolve("alerts-versions-2.yaml");
    Files.writeString(
        second,
        yaml.replace("pipeline: alerts-versions\n", "pipeline: alerts-versions\nversion: 2\n"));
    pipeline("alerts-versions", yaml);
    cluster.createTopic("alerts-versions-in", 1);
    runUntilReady(name);
    play(0, "a");
    play(1, "a");
    cluster.awaitCount("alerts-versions-mix", 2);
    int next = EmbeddedBroker.freePort();
    try (BackgroundCommand early = startedEarly(second, next)) {
      assertFires(
          "SfumatoInstancesDiffer",
          Set.of("SfumatoNotReady"),
          () -> prometheus.watch(port, next),
          page -> {
            prometheus.watch(next);
            running.orElseThrow().close();
            awaitReady(next);
          });
      assertThat(early.isAlive()).isTrue();
    }
  }

  private BackgroundCommand startedEarly(Path version, int at) throws Exception {
    Instant from = Instant.ofEpochMilli(BASE + 5 * WINDOW);
    runbook()
        .run("bin/sfumato activate %s --secret-file noise.key --from %s".formatted(version, from));
    play(6, "a");
    running.orElseThrow().awaitText("for version 2");
    BackgroundCommand early = run(version, secret, "early", at);
    early.awaitText("waiting for version 1 to stop");
    return early;
  }

  @Test
  void shouldTellOfOnePipelineOfSeveralThatHasEnded() throws Exception {
    Path files = Files.createDirectories(folder.resolve("group"));
    Path keys = Files.createDirectories(folder.resolve("keys"));
    for (String each : List.of("alerts-one", "alerts-two")) {
      Files.writeString(files.resolve(each + ".yaml"), HistogramFile.lifetime(each, 4));
      Files.copy(secret, keys.resolve(each + ".key"));
      cluster.createTopic(each + "-in", 1);
    }
    pipeline("alerts-one", HistogramFile.lifetime("alerts-one", 4));
    running = Optional.of(run(files, keys, "group-data", port));
    awaitReady(port);
    prometheus.watch(port);
    assertFires(
        "SfumatoPipelineEnded",
        Set.of("SfumatoDown", "SfumatoUnsafeTopicSettings"),
        () -> set("sfumato-alerts-one-ledger-store-changelog", "cleanup.policy", "compact,delete"),
        found -> {
          fix("cleanup.policy", found);
          running.orElseThrow().close();
          running = Optional.of(run(files, keys, "group-data", port));
          awaitReady(port);
        });
  }

  // Brokers of their own.

  @Test
  void shouldTellOfABrokerThatIsLost() throws Exception {
    try (ForkedCluster brokers =
            ForkedCluster.start(folder.resolve("brokers"), 3, ForkArchive.here());
        TestCluster three = new TestCluster(brokers)) {
      cluster = three;
      pipeline("alerts-brokers", HistogramFile.perWindow("alerts-brokers"));
      three.createTopic("alerts-brokers-in", 1);
      runUntilReady(name);
      Mending restart =
          written -> {
            brokers.restart(2);
            brokers.awaitAll();
          };
      assertFires("SfumatoBrokerLost", Set.of(), () -> brokers.kill(2), restart);
      end();
      running = Optional.empty();
    }
  }

  /** Nothing ends it, so the pipeline is stopped: its ledger is carried over then. */
  @Test
  void shouldTellOfATransactionThatHangs() throws Exception {
    try (ForkedCluster brokers =
            ForkedCluster.start(folder.resolve("broker"), 1, ForkArchive.here());
        TestCluster one = new TestCluster(brokers)) {
      cluster = one;
      pipeline("alerts-hung", HistogramFile.lifetime("alerts-hung", 4));
      one.createTopic("alerts-hung-in", 1);
      runUntilReady(name);
      play(0, "a");
      play(1, "a");
      one.awaitCount("alerts-hung-mix", 2);
      prometheus.watch();
      running.orElseThrow().close();
      HungTransaction.make(
          brokers, one, TestCluster.plan(Files.readString(file)), "alerts-hung-mix");
      assertFires(
          "SfumatoTransactionHangs",
          Set.of(),
          () -> runUntilReady(name),
          found -> {
            assertThat(found).contains("a transaction hangs (partition 0", "do not abort it");
            prometheus.watch();
            running.orElseThrow().close();
          });
    }
  }
}
