// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.KafkaSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody listens where a command is sent: one line that names the address. */
class NoClusterTest {
  @Test
  void shouldSayInOneLineThatNobodyAnswers() {
    String servers = "127.0.0.1:" + EmbeddedBroker.freePort();
    CommandResult result = CommandResult.of("consume", "any", "--bootstrap-servers", servers);
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .isEqualTo(
            "no Kafka cluster answers at %s (tried for 5 s; wait longer with SFUMATO_WAIT=30s). Check that it is up and --bootstrap-servers is right"
                .formatted(servers));
  }

  /** A trial in a folder of its own is read with the option that it was started with. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "consume any",
        "query --pipeline topology/diary-model.yaml --simulator event-rates --subject 17 --window"
            + " 1991-04-22",
        "query --pipeline topology/diary-model.yaml --from quarterly-mix --simulator event-rates"
            + " --subject 17 --window 1991-04-22",
        "play topology/demo.yaml",
        "estimate topology/diary-taste.yaml",
        "offsets topology/diary.yaml",
        "skip topology/diary.yaml 3f9a02c41b77d8e5",
        "forget topology/diary.yaml 17",
        "activate topology/diary.yaml",
        "ledger export topology/diary.yaml --to target/no.ledger",
        "ledger import topology/diary.yaml --from target/no.ledger"
      })
  void shouldLookForTheClusterOfTheFolderThatWasNamed(String command, @TempDir Path folder) {
    requireBrokerOf(folder, command);
  }

  /** Typed in another directory, say: the usual cluster is not meant there. */
  @Test
  void shouldTakeTheUsualFolderForNamedWhereItWas() {
    assumeThat(EmbeddedFolder.DEFAULT).doesNotExist();
    requireBrokerOf(EmbeddedFolder.DEFAULT, "forget topology/diary.yaml 17");
    requireBrokerOf(EmbeddedFolder.DEFAULT, "play topology/demo.yaml");
    requireBrokerOf(EmbeddedFolder.DEFAULT, "ledger export topology/diary.yaml --to target/no");
  }

  private static void requireBrokerOf(Path folder, String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--data", folder.toString()));
    CommandResult result = CommandResult.of(words.toArray(String[]::new));
    assertThat(result.err()).contains("folder " + folder + " has no embedded broker");
    assertThat(result.code()).isEqualTo(4);
  }

  /** Its folder holds state, with a broker's log or without one. */
  @Test
  void shouldLetTheDoctorLookAtTheClusterOfItsFolder(@TempDir Path folder) throws Exception {
    Files.createDirectories(new EmbeddedFolder(folder).broker());
    CommandResult result =
        CommandResult.of("doctor", "topology/diary.yaml", "--data", folder.toString());
    assertThat(result.err()).contains("the broker of folder " + folder + " is not running");
    assertThat(result.code()).isEqualTo(4);
  }

  @Test
  void shouldSayHowToNameAnotherFolder(@TempDir Path data) throws Exception {
    EmbeddedFolder folder = new EmbeddedFolder(data);
    Files.createDirectories(folder.broker());
    NearbyCluster nearby =
        new NearbyCluster(folder, true, Duration.ZERO, waiting -> {}, NearbyCluster.BY_FOLDER);
    KafkaSettings settings =
        KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.empty(), nearby);
    assertThatThrownBy(() -> nearby.require(settings))
        .hasMessage(
            "the broker of folder %s is not running: start it with 'sfumato run FILE --embedded', or name the cluster with --bootstrap-servers HOST:PORT, or the folder of its embedded broker with --data DIR"
                .formatted(data));
  }
}
