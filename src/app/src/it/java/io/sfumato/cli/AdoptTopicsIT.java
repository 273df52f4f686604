// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Registry;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A restored state goes on where it was, and one that is older than what was counted does not. */
@Tag("cluster")
// Its tests mostly wait, so they run side by side.
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedBroker.class)
class AdoptTopicsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** Releases of one subject that the budget covers. */
  private static final int COVERED = 4;

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("noise.key"));
  }

  private static BackgroundCommand run(String name, String state) throws Exception {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, HistogramFile.lifetime(name, COVERED));
    return BackgroundCommand.run(cluster, file, folder.resolve("noise.key"), folder.resolve(state));
  }

  private static CommandResult command(String name, String... words) {
    List<String> all = new ArrayList<>(Arrays.asList(words));
    int file = words[0].equals("ledger") ? 2 : 1;
    all.add(file, folder.resolve(name + ".yaml").toString());
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return CommandResult.of(all.toArray(String[]::new));
  }

  private static CommandResult adopt(String name, String... more) {
    List<String> words = new ArrayList<>(List.of("ledger", "adopt", "--topics"));
    words.addAll(List.of("--secret-file", folder.resolve("noise.key").toString()));
    words.addAll(Arrays.asList(more));
    return command(name, words.toArray(String[]::new));
  }

  private static void assertRefused(CommandResult result, String... words) {
    assertThat(result.code()).as(result.text()).isEqualTo(5);
    assertThat(result.err()).contains("Nothing was changed").contains(words);
  }

  private static void send(String name, int from, int windows) throws Exception {
    try (var producer = cluster.producer()) {
      for (int window = from; window < from + windows; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(name + "-in", 0, BASE, "ann", time, "a"));
      }
    }
  }

  /** Releases the first window of a pipeline and stops it: the registry counts one charge. */
  private static void release(String name) throws Exception {
    cluster.createTopic(name + "-in", 1);
    send(name, 0, 2);
    releaseUpTo(name, name, 1);
  }

  private static void releaseUpTo(String name, String state, int releases) throws Exception {
    try (BackgroundCommand run = run(name, state)) {
      cluster.awaitCount(name + "-mix", releases);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
  }

  /** Entries of the registry with a key. */
  private static List<String> entries(String name, String key) throws Exception {
    return cluster.committed("sfumato-" + name + "-registry").stream()
        .filter(record -> text(record.key()).equals(key))
        .map(ConsumerRecord::value)
        .map(AdoptTopicsIT::text)
        .toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void shouldGoOnChargingWhereItWasWhenARestoredStateIsAdopted() throws Exception {
    release("moved");
    StateCopy.ofState(cluster, "moved").restore();
    try (BackgroundCommand refused = run("moved", "moved")) {
      assertThat(refused.awaitEnd().err())
          .contains("were deleted or re-created", "sfumato ledger adopt FILE --topics");
    }
    assertRefused(adopt("moved"), "at least the charges counted at ", "--accept-uncounted");
    assertThat(entries("moved", "adopted-topics")).isEmpty();

    CommandResult adopted = adopt("moved", "--accept-uncounted");
    assertThat(adopted.code()).as(adopted.text()).isZero();
    assertThat(adopted.out())
        .contains("They hold at least the charges counted at ", "; later charges may be missing");
    assertThat(entries("moved", "adopted-topics"))
        .singleElement()
        .asString()
        .contains("accepted-uncounted-since");
    assertThat(adopt("moved").out())
        .contains(
            "already uses these topics: nothing was changed. They hold at least the charges counted"
                + " at ");

    CommandResult offsets = command("moved", "offsets", "--restore");
    assertThat(offsets.code()).as(offsets.text()).isZero();
    send("moved", 2, COVERED + 2);
    try (BackgroundCommand run = run("moved", "moved")) {
      cluster.awaitCount("moved-refusals", 1);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    assertThat(cluster.count("moved-mix")).as("releases of both lives").isEqualTo(COVERED);
  }

  /** Whoever may read a registry learns nothing of what a subject has left. */
  @Test
  void shouldShowNoNumbersWhenAnybodyReadsTheRegistry() throws Exception {
    release("shown");
    assertThat(entries("shown", "counted"))
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(entry).matches("\\{\"counts\":\"[0-9A-Za-z+/=]+\"}"));
  }

  @Test
  void shouldRefuseACopyWhenItIsOlderThanTheLastCount() throws Exception {
    release("aged");
    StateCopy old = StateCopy.ofState(cluster, "aged");
    send("aged", 2, 1);
    releaseUpTo("aged", "aged", 2);
    old.restore();
    assertRefused(
        adopt("aged", "--accept-uncounted"),
        "partition 0 (meta-store) holds fewer charges than were counted at ");
    assertThat(entries("aged", "adopted-topics")).isEmpty();
  }

  @Test
  void shouldRefuseACopyWhenAChangelogIsEmpty() throws Exception {
    release("hollow");
    StateCopy copy = StateCopy.ofState(cluster, "hollow");
    String ledgers = "sfumato-hollow-ledger-store-changelog";
    copy.replace();
    assertRefused(
        adopt("hollow", "--accept-uncounted"),
        "partition 0 (meta-store) holds fewer charges than were counted at ");
    copy.fillAllBut(Set.of(ledgers));
    assertRefused(
        adopt("hollow", "--accept-uncounted"),
        "topic '" + ledgers + "', partition 0, holds fewer charges than the rest");
  }

  @Test
  void shouldRefuseACopyWhenATopicHasOtherPartitions() throws Exception {
    release("split");
    StateCopy copy = StateCopy.ofState(cluster, "split");
    copy.restore();
    String ledgers = "sfumato-split-ledger-store-changelog";
    try (Admin admin = cluster.client()) {
      admin.createPartitions(Map.of(ledgers, NewPartitions.increaseTo(2))).all().get();
      // The controller has them; the broker that answers has them a moment later.
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  admin
                          .describeTopics(List.of(ledgers))
                          .allTopicNames()
                          .get()
                          .get(ledgers)
                          .partitions()
                          .size()
                      == 2);
    }
    assertRefused(
        adopt("split", "--accept-uncounted"), "topic '" + ledgers + "' has 2 partitions", "has 1");
  }

  @Test
  void shouldRefuseACopyWhenTheJournalHasOtherOffsets() throws Exception {
    release("shifted");
    StateCopy copy = StateCopy.ofState(cluster, "shifted");
    copy.replace();
    copy.fillAllBut(Set.of("sfumato-shifted-journal-repartition"));
    assertRefused(
        adopt("shifted", "--accept-uncounted"),
        "topic 'sfumato-shifted-journal-repartition', partition 0, ends at offset 0",
        "must keep the offsets");
  }

  /** As on a cluster that took over: the records' topic has another id, and the same offsets. */
  @Test
  void shouldGoOnWhenTheRecordsTopicWasCopiedToo() throws Exception {
    release("failed-over");
    StateCopy records = StateCopy.of(cluster, List.of("failed-over-in"));
    StateCopy.ofState(cluster, "failed-over").restore();
    records.replace();
    records.fill(Set.of("failed-over-in"));
    CommandResult adopted = adopt("failed-over", "--accept-uncounted");
    assertThat(adopted.code()).as(adopted.text()).isZero();
    assertThat(adopted.out()).contains("the records' topic has a new topic id");
    CommandResult offsets = command("failed-over", "offsets", "--restore");
    assertThat(offsets.code()).as(offsets.text()).isZero();
    send("failed-over", 2, 1);
    releaseUpTo("failed-over", "failed-over", 2);
  }

  @Test
  void shouldRefuseToAdoptWhenInstancesRun() throws Exception {
    cluster.createTopic("occupied-in", 1);
    send("occupied", 0, 2);
    try (BackgroundCommand run = run("occupied", "occupied")) {
      cluster.awaitCount("occupied-mix", 1);
      assertRefused(
          adopt("occupied", "--accept-uncounted"), "instances of the pipeline are running");
      assertThat(run.isAlive()).isTrue();
    }
  }

  /** A seal cannot be taken back, and what is missing could not be exported. */
  @Test
  void shouldNotSealALedgerWhoseTopicsAreGone() throws Exception {
    release("unsealed");
    cluster.deleteTopics(List.of("sfumato-unsealed-ledger-store-changelog"));
    CommandResult refused =
        command(
            "unsealed",
            "ledger",
            "export",
            "--stopped",
            "--to",
            folder.resolve("unsealed.ledger").toString(),
            "--secret-file",
            folder.resolve("noise.key").toString());
    assertThat(refused.code()).as(refused.text()).isEqualTo(5);
    assertThat(refused.text()).contains("sfumato-unsealed-ledger-store-changelog", "Do not export");
    assertThat(
            new Registry(
                    TestCluster.settings(cluster.servers(), Map.of()), "unsealed", Optional.empty())
                .read()
                .unverified()
                .sealed())
        .isEmpty();
  }
}
