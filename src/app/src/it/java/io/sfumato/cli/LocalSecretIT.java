// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.FolderLock;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The key of an embedded cluster's folder is used for that cluster alone, wherever another one
 * listens: what it signs elsewhere is refused there, record by record.
 */
class LocalSecretIT {
  private static final Path FILE = Path.of("topology/diary.yaml").toAbsolutePath();

  @TempDir Path folder;

  /** Where there are no records yet. */
  private static CommandResult tick(String... arguments) {
    List<String> all = new ArrayList<>(List.of("tick", "--at", "1991-01-01", "--yes"));
    all.addAll(List.of(arguments));
    return CommandResult.of(all.toArray(String[]::new));
  }

  private static void createTopic(EmbeddedBroker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      TestCluster.create(admin, List.of(new NewTopic("diary", 2, (short) 1)));
    }
  }

  /** Runs a command without --data, in a process whose current folder has an embedded cluster. */
  private String inFolder(String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = CommandProcess.of(folder, log, arguments).start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + Files.readString(log);
  }

  @Test
  void shouldUseAFoldersKeyForItsOwnClusterAlone() throws Exception {
    Path data = Files.createDirectory(folder.resolve(".sfumato"));
    NoiseSecret secret = NoiseSecret.random();
    secret.write(data.resolve("noise.key"));
    String tag = secret.derive().tag();
    try (EmbeddedBroker own = EmbeddedBroker.start(data.resolve("broker"));
        EmbeddedBroker other = EmbeddedBroker.start(folder.resolve("other"))) {
      createTopic(own);
      createTopic(other);
      String here = own.bootstrapServers();
      String there = other.bootstrapServers();
      String named = data.toString();
      CommandResult ticked = tick(FILE.toString(), "--bootstrap-servers", here, "--data", named);
      assertThat(ticked.code()).as(ticked.text()).isZero();
      assertThat(ticked.text())
          .contains("ticked 2 partitions of diary")
          .contains("signed with tick key " + secret.tickKey("diary").tag())
          .contains(" of noise key " + tag + " from " + data.resolve("noise.key"));
      CommandResult elsewhere =
          tick(FILE.toString(), "--bootstrap-servers", there, "--data", named);
      assertThat(elsewhere.code()).isEqualTo(3);
      assertThat(elsewhere.text())
          .contains("the cluster at " + there + " is not the embedded one of folder " + named);
      CommandResult skipped =
          CommandResult.of(
              "skip-record",
              FILE.toString(),
              "diary-0@0",
              "--bootstrap-servers",
              there,
              "--data",
              named);
      assertThat(skipped.code()).isEqualTo(3);
      assertThat(skipped.text()).contains("is not the embedded one of folder");
      // Needs no secret, and what it writes cannot be taken back.
      CommandResult forgotten =
          CommandResult.of(
              "forget", FILE.toString(), "17", "--bootstrap-servers", there, "--data", named);
      assertThat(forgotten.code()).isEqualTo(3);
      assertThat(forgotten.text()).contains("is not the embedded one of folder");

      assertThat(
              inFolder(
                  "tick",
                  FILE.toString(),
                  "--at",
                  "1991-01-01",
                  "--yes",
                  "--bootstrap-servers",
                  here))
          .startsWith("0 ticked 2 partitions")
          .contains(" of noise key " + tag + " from .sfumato/noise.key");
      assertThat(
              inFolder(
                  "tick",
                  FILE.toString(),
                  "--at",
                  "1991-01-01",
                  "--yes",
                  "--bootstrap-servers",
                  there))
          .startsWith("3 ")
          .contains("no key to sign ticks with", "valid for that cluster only");
    }
  }

  /** A process that was killed leaves an address behind, at which another broker may listen. */
  @Test
  void shouldSendNothingToAnotherClusterInTheFoldersPlace() throws Exception {
    EmbeddedFolder here = new EmbeddedFolder(folder.resolve(".sfumato"));
    try (FolderLock held = here.tryLock().orElseThrow()) {
      NoiseSecret.random().write(here.secret());
      sendNothingToAnother(here);
    }
  }

  private void sendNothingToAnother(EmbeddedFolder here) throws Exception {
    Path rows =
        Files.writeString(
            folder.resolve("rows.csv"), "person,at,what\nann,2026-01-05T00:00Z,tea\n");
    String[] produce = {
      "produce",
      "--csv",
      rows.toString(),
      "--topic",
      "diary",
      "--subject",
      "person",
      "--time",
      "at",
      "--category",
      "what"
    };
    try (EmbeddedBroker own = EmbeddedBroker.start(here.broker())) {
      here.announce(own.bootstrapServers());
      createTopic(own);
      assertThat(inFolder(produce)).startsWith("0 ").contains("published 1 event to diary");
    }
    CommandResult run =
        CommandResult.of("run", FILE.toString(), "--wait", "0s", "--data", here.path().toString());
    assertThat(run.code()).isEqualTo(4);
    assertThat(run.text())
        .contains("the broker of folder " + here.path() + " is not running: start it with");
    try (EmbeddedBroker other = EmbeddedBroker.start(folder.resolve("other"))) {
      createTopic(other);
      here.announce(other.bootstrapServers());
      for (String[] command :
          List.of(
              produce, new String[] {"consume", "diary"}, new String[] {"tick", FILE.toString()})) {
        assertThat(inFolder(command))
            .startsWith("4 ")
            .contains("and another cluster answers at " + other.bootstrapServers());
      }
      assertThat(inFolder("consume", "diary", "--bootstrap-servers", other.bootstrapServers()))
          .startsWith("0 ")
          .contains("topic diary holds no record yet");
    }
  }
}
