// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backup of a pipeline's topics, taken after a clean stop, is restored into an empty cluster with
 * the commands of docs/operate/backup.md: the pipeline continues with what is left of its budget.
 */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class RestoreIT {
  private static final String NAME = "restored";
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** Releases of one subject that the budget covers. */
  private static final int COVERED = 4;

  private static final int BEFORE = 2;

  @TempDir Path folder;

  private Path file;
  private Path secret;

  @Test
  void shouldContinueInAnEmptyClusterWhenTheBackupIsRestored(TestCluster former) throws Exception {
    secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
    file = Files.writeString(folder.resolve("mine.yaml"), HistogramFile.lifetime(NAME, COVERED));
    former.createTopic(NAME + "-in", 1);
    send(former, 0, BEFORE + 1);
    try (BackgroundCommand run = run(former, "former")) {
      former.awaitCount(NAME + "-mix", BEFORE);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    StateCopy backup = StateCopy.of(former, topics(former));

    try (TestCluster fresh = new TestCluster(folder.resolve("fresh"))) {
      backup.restoreOn(fresh);
      try (BackgroundCommand refused = run(fresh, "fresh-state")) {
        assertThat(refused.awaitEnd().err()).contains("sfumato ledger adopt FILE --topics");
      }
      List<List<String>> guide =
          GuideCommands.of(
              Path.of("docs/operate/backup.md"),
              "ledger adopt",
              Map.of("mine.yaml", file.toString(), "noise.key", secret.toString()));
      List<Integer> codes = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      for (List<String> command : guide) {
        CommandResult result = on(fresh, command);
        codes.add(result.code());
        texts.add(result.text());
      }
      assertThat(codes).as("%s", texts).containsExactly(5, 0, 0);
      assertThat(texts.get(0)).contains("at least the charges counted at ", "--accept-uncounted");

      send(fresh, BEFORE + 1, COVERED + 2);
      try (BackgroundCommand run = run(fresh, "fresh-state")) {
        fresh.awaitCount(NAME + "-refusals", 1);
        assertThat(run.isAlive()).as(run.text()).isTrue();
      }
      assertThat(fresh.count(NAME + "-mix")).as("releases of both lives").isEqualTo(COVERED);
    }
  }

  private static CommandResult on(TestCluster cluster, List<String> command) {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return CommandResult.of(words.toArray(String[]::new));
  }

  private BackgroundCommand run(TestCluster cluster, String state) {
    return BackgroundCommand.run(cluster, file, secret, folder.resolve(state));
  }

  /** All topics of the pipeline, as the guide's table lists them. */
  private static List<String> topics(TestCluster cluster) throws Exception {
    try (Admin admin = cluster.client()) {
      return admin.listTopics().names().get().stream()
          .filter(
              topic -> topic.startsWith(NAME + "-") || topic.startsWith("sfumato-" + NAME + "-"))
          .toList();
    }
  }

  private static void send(TestCluster cluster, int from, int windows) throws Exception {
    try (var producer = cluster.producer()) {
      for (int window = from; window < from + windows; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(NAME + "-in", 0, BASE, "ann", time, "a"));
      }
    }
  }
}
