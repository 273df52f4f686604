// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The drill beside a pipeline that runs, after it has stopped, and after its state was changed. */
@ExtendWith(SharedBroker.class)
class DrillIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("noise.key"));
  }

  private static BackgroundCommand run(String name) throws Exception {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, HistogramFile.lifetime(name, 4));
    return BackgroundCommand.run(cluster, file, folder.resolve("noise.key"), folder.resolve(name));
  }

  private static void publish(String name, int window) throws Exception {
    try (var producer = cluster.producer()) {
      for (String subject : List.of("ann", "bob", "eve")) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(name + "-in", 0, BASE, subject, time, "a"));
      }
    }
  }

  private static void releaseOneWindow(String name) throws Exception {
    publish(name, 0);
    publish(name, 1);
    try (BackgroundCommand run = run(name)) {
      cluster.awaitCount(name + "-mix", 3);
      assertThat(run.isAlive()).isTrue();
    }
  }

  private static CommandResult drill(String name, String data, String... more) {
    List<String> arguments = new ArrayList<>(List.of("drill"));
    arguments.add(folder.resolve(name + ".yaml").toString());
    arguments.addAll(List.of("--bootstrap-servers", cluster.servers()));
    arguments.addAll(List.of("--data", folder.resolve(data).toString(), "-o", "json"));
    arguments.addAll(List.of(more));
    return CommandResult.of(arguments.toArray(String[]::new));
  }

  private static JsonNode store(CommandResult drill, String store) throws Exception {
    for (JsonNode found : JSON.readTree(drill.out()).at("/partitions/0/stores")) {
      if (found.get("store").asText().equals(store)) {
        return found;
      }
    }
    throw new AssertionError(drill.text());
  }

  private static List<String> groups() throws Exception {
    try (Admin admin = cluster.client()) {
      return admin.listGroups().all().get().stream()
          .map(group -> group.groupId())
          .sorted()
          .toList();
    }
  }

  @Test
  void shouldFindTheSameStateBesideARunningPipelineAndAfterIt() throws Exception {
    cluster.createTopic("drilled-in", 1);
    publish("drilled", 0);
    publish("drilled", 1);
    try (BackgroundCommand run = run("drilled")) {
      cluster.awaitCount("drilled-mix", 3);
      List<String> before = groups();
      CommandResult beside = drill("drilled", "drilled");
      assertThat(beside.code()).as(beside.text()).isZero();
      CommandResult elsewhere = drill("drilled", "none");
      assertThat(elsewhere.code()).as(elsewhere.text()).isZero();
      JsonNode again = store(elsewhere, "ledger-store").at("/compared/0");
      assertThat(again.get("local").isNull()).isTrue();
      assertThat(again.get("same").asLong()).isEqualTo(3);
      assertThat(JSON.readTree(elsewhere.out()).at("/partitions/0/ledgers").asText())
          .isEqualTo("equal");
      assertThat(groups()).isEqualTo(before);
      publish("drilled", 2);
      cluster.awaitCount("drilled-mix", 6);
      assertThat(run.isAlive()).isTrue();
    }
    CommandResult after =
        drill("drilled", "drilled", "--secret-file", folder.resolve("noise.key").toString());
    assertThat(after.code()).as(after.text()).isZero();
    for (String name : List.of("ledger-store", "meta-store", "dataset-store", "source-store")) {
      JsonNode compared = store(after, name).at("/compared/0");
      assertThat(compared.get("local").asText()).contains(name);
      assertThat(compared.get("same").asLong()).as(name).isPositive();
      assertThat(compared.get("changed_meanwhile").asLong()).as(name).isZero();
    }
    JsonNode rows = JSON.readTree(after.out()).get("rows");
    assertThat(rows.get("all").asLong()).isPositive();
    assertThat(rows.get("compared")).as("after a clean stop").isEqualTo(rows.get("all"));
    assertThat(rows.get("restored_twice").asLong()).isZero();
  }

  @Test
  void shouldFindWhatAForeignWriterChanged() throws Exception {
    cluster.createTopic("altered-in", 1);
    releaseOneWindow("altered");
    String ledgers = "sfumato-altered-ledger-store-changelog";
    ConsumerRecord<byte[], byte[]> one = cluster.committed(ledgers).get(0);
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(ledgers, 0, one.key(), null)).get();
    }
    CommandResult drill = drill("altered", "altered");
    assertThat(drill.code()).as(drill.text()).isEqualTo(5);
    JsonNode found = JSON.readTree(drill.out());
    assertThat(found.get("verdict").asText()).isEqualTo("different");
    assertThat(found.at("/partitions/0/ledgers").asText()).isEqualTo("different");
    assertThat(drill.text()).as("names nobody").doesNotContain("ann", "bob", "eve");
  }

  @Test
  void shouldKeepWhatItRestoredOnlyInAnEmptyFolder() throws Exception {
    cluster.createTopic("kept-in", 1);
    releaseOneWindow("kept");
    String into = folder.resolve("restored").toString();
    CommandResult kept = drill("kept", "kept", "--into", into);
    assertThat(kept.code()).as(kept.text()).isZero();
    try (Stream<Path> files = Files.list(Path.of(into))) {
      assertThat(files.map(file -> file.getFileName().toString())).contains("ledger-store-0");
    }
    CommandResult refused = drill("kept", "kept", "--into", into);
    assertThat(refused.code()).isEqualTo(3);
    assertThat(refused.err()).contains("is not empty");
  }
}
