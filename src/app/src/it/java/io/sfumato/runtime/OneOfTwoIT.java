// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.ledger.Registry;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of two that would begin the same thing one begins it, whichever comes first. */
@ExtendWith(SharedBroker.class)
class OneOfTwoIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
  }

  private static String yaml(String name) {
    return HistogramFile.lifetime(name, 4);
  }

  private static Instances instances() {
    return new Instances(cluster, folder);
  }

  private static KafkaSettings settings() throws RefusedException {
    return instances().settings();
  }

  private static Continuity.Ready ready(Plan plan) {
    return new Continuity.Ready(plan, new StateReader(), TestCluster.sources(plan, 1));
  }

  private static String ledgers(String budget) {
    return Names.changelogTopic("sfumato-" + budget, LedgerImage.LEDGERS);
  }

  /** A file as the export of a budget with one subject writes it. */
  private static LedgerFile exported(String budget) throws Exception {
    LedgerImage image = LedgerImage.of(TestCluster.plan(yaml(budget)), BASE);
    LedgerImage.Line ann =
        new LedgerImage.Line(0, "mix", "ann", new TreeMap<>(Map.of(0, 1L)), false);
    return LedgerFile.write(
        folder.resolve(budget + ".ledger"), budget, image, reader -> reader.accept(ann));
  }

  /** A file that is rolled out before there is a record: what runs holds, else the new one. */
  @Test
  void shouldLetAnotherFileBeginOnlyWhereNobodyRunsAndNothingWasRead() throws Exception {
    cluster.createTopic("early-in", 1);
    String yaml = yaml("early");
    Plan first = TestCluster.plan(yaml);
    Plan second = TestCluster.plan("version: 2\n" + yaml.replace("[a, b]", "[b, a]"));
    NoiseKey key = TestCluster.key();
    try (Cluster admin = new Cluster(settings())) {
      registry("early").create(admin);
      Continuity.enter(ready(first), settings(), admin, key);
      assertThatThrownBy(() -> Continuity.enter(ready(second), settings(), admin, key))
          .as("its instance may be about to join")
          .hasMessageContaining("was started with another file (version 1)");
      startedLongAgo(first, key);
      try (PipelineRun run = instances().startIfAllowed(first, "early-1")) {
        assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
        assertThatThrownBy(
                () ->
                    Continuity.requireSuccessor(
                        second,
                        settings(),
                        admin,
                        admin.topics().sources(second.pipeline()),
                        key.tag(),
                        BASE))
            .hasMessageContaining("has no state yet");
        assertThatThrownBy(() -> Continuity.enter(ready(second), settings(), admin, key))
            .hasMessageContaining("was started with another file (version 1)");
      }
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.instances("sfumato-early") == 0);
      Continuity.enter(ready(second), settings(), admin, key);
      assertThatThrownBy(() -> Continuity.enter(ready(first), settings(), admin, key))
          .hasMessageContaining("was started with another file (version 2)");
      try (var producer = cluster.producer()) {
        for (int window = 0; window < 3; window++) {
          long time = BASE + window * 10_000L;
          producer.send(TestCluster.event("early-in", 0, BASE, "ann", time, "a"));
        }
      }
      try (PipelineRun run = instances().startIfAllowed(second, "early-2")) {
        await()
            .atMost(TestCluster.PATIENCE)
            .untilAsserted(() -> assertThat(cluster.committed("early-mix")).hasSize(2));
        assertThat(run.failure()).isEmpty();
      }
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.instances("sfumato-early") == 0);
      startedLongAgo(second, key);
      assertThatThrownBy(() -> Continuity.enter(ready(first), settings(), admin, key))
          .as("records were read, though it found no state when it looked")
          .hasMessageContaining("was started with another file (version 2)");
    }
  }

  /** Says in the registry that a file was started two minutes ago. */
  private static void startedLongAgo(Plan plan, NoiseKey key) throws Exception {
    String budget = plan.pipeline().budget().name();
    String value =
        "{\"budget\":\"%s\",\"version\":%d,\"file\":\"%s\",\"key\":\"%s\"}"
            .formatted(budget, plan.pipeline().version(), plan.digestText(), key.tag());
    long at = System.currentTimeMillis() - Duration.ofMinutes(2).toMillis();
    String topic = Registry.topicOf(budget);
    byte[] name = "started".getBytes(StandardCharsets.UTF_8);
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> entry = new ProducerRecord<>(topic, 0, at, name, bytes);
    CanonicalEncoder facts = new CanonicalEncoder().text(topic).bytes(name).bytes(bytes);
    entry.headers().add("sfumato-signature", key.entriesOf("budget/" + budget).sign(facts));
    try (var producer = cluster.producer()) {
      producer.send(entry).get();
    }
  }

  private static Registry registry(String budget) throws RefusedException {
    return new Registry(settings(), budget, Optional.of(TestCluster.key()));
  }

  /** Whoever imports signs with a key of his own, and believes nobody more for that. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLetOneOfTwoImportsOfAFileGoOn(boolean sameKey) throws Exception {
    String from = sameKey ? "both" : "each";
    LedgerFile file = exported(from);
    CyclicBarrier together = new CyclicBarrier(2);
    Map<String, CompletableFuture<String>> imports = new TreeMap<>();
    String first = from + "-left";
    String second = from + "-right";
    for (String name : List.of(first, second)) {
      NoiseKey key =
          sameKey || name.equals(first) ? TestCluster.key() : NoiseSecret.random().derive();
      cluster.createTopic(name + "-in", 1);
      Plan plan = TestCluster.plan(yaml(name));
      imports.put(
          name,
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  together.await();
                  LedgerImport mine =
                      new LedgerImport(plan, settings(), key, Cluster.Safety.WAIVED);
                  return mine.importFrom(file).name();
                } catch (RefusedException e) {
                  return e.getMessage();
                } catch (InterruptedException | BrokenBarrierException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    String imported = imports.get(first).get().equals("IMPORTED") ? first : second;
    String refused = imported.equals(first) ? second : first;
    assertThat(imports.get(imported).get()).isEqualTo("IMPORTED");
    assertThat(imports.get(refused).get())
        .contains("the ledger of '" + from + "' already continues as '" + imported + "'");
    assertThat(registry(from).read().unverified().continued()).contains(imported);
    assertThat(cluster.committed(ledgers(imported))).hasSize(1);
    try (Cluster admin = new Cluster(settings())) {
      String none = ledgers(refused);
      assertThat(admin.topics().isThere(none) ? cluster.committed(none) : List.of()).isEmpty();
    }
  }

  /** It has restored an empty state, and would begin with it whatever the changelogs hold then. */
  @Test
  void shouldImportNothingWhereAnInstanceRuns() throws Exception {
    LedgerFile file = exported("sealed");
    cluster.createTopic("idle-in", 1);
    Plan plan = TestCluster.plan(yaml("idle"));
    LedgerImport mine =
        new LedgerImport(plan, settings(), TestCluster.key(), Cluster.Safety.WAIVED);
    try (PipelineRun run = instances().startIfAllowed(plan, "idle")) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      assertThatThrownBy(() -> mine.importFrom(file)).hasMessageContaining("stop them");
      assertThat(cluster.committed(ledgers("idle"))).isEmpty();
      try (Cluster admin = new Cluster(settings())) {
        assertThat(registry("sealed").read(admin).unverified().continued()).isEmpty();
      }
    }
    await().atMost(TestCluster.PATIENCE).until(() -> cluster.instances("sfumato-idle") == 0);
    assertThat(mine.importFrom(file)).isEqualTo(LedgerImport.Outcome.IMPORTED);
    try (var producer = cluster.producer()) {
      for (int window = 0; window < 6; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event("idle-in", 0, BASE, "ann", time, "a"));
      }
    }
    try (PipelineRun run = instances().startIfAllowed(plan, "idle")) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(cluster.committed("idle-refusals")).hasSize(1));
      assertThat(cluster.committed("idle-mix")).as("one of four was charged before").hasSize(3);
      assertThat(run.failure()).isEmpty();
    }
  }
}
