// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A login that comes in a jar on SFUMATO_CLASS_PATH, with a property that is its own. */
@Tag("release")
class OwnLoginIT {
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path folder;

  private String servers;
  private Path config;

  @Test
  void shouldLogInByAClassOfAJarInEveryCommandThatConnects() throws Exception {
    Path jar = LoginLibrary.jar(folder.resolve("login.jar"));
    config = LoginLibrary.properties(folder, folder.toString());
    String file =
        Files.writeString(folder.resolve("own.yaml"), HistogramFile.perWindow("own")).toString();
    String secret = Files.writeString(folder.resolve("noise.key"), TestCluster.KEY).toString();
    Files.setPosixFilePermissions(Path.of(secret), PosixFilePermissions.fromString("rw-------"));
    Path csv = Files.writeString(folder.resolve("in.csv"), "who,at,what\nann," + BEGIN + ",a\n");
    try (EmbeddedBroker broker = LoginLibrary.broker(folder.resolve("broker"));
        Launcher with = new Launcher(folder, Map.of("SFUMATO_CLASS_PATH", jar.toString()));
        Launcher without = new Launcher(folder, Map.of())) {
      servers = broker.bootstrapServers();
      Launcher.Ended lacking = without.run(at("consume", "own-mix"));
      assertThat(lacking.code()).as(lacking.text()).isEqualTo(3);
      assertThat(lacking.text())
          .contains("'sasl.client.callback.handler.class'", "SFUMATO_CLASS_PATH")
          .doesNotContain("correct-horse");

      assertEnds(with, at("produce", file, "--csv", csv.toString()));
      Launcher.Running run =
          with.start(
              at(
                  "run",
                  file,
                  "--secret-file",
                  secret,
                  "--accept-risk",
                  "--no-http",
                  "--data",
                  folder.resolve("data").toString()));
      run.awaitText("own is running");
      assertEnds(
          with,
          at(
              "tick",
              file,
              "--at",
              BEGIN.plusSeconds(10).toString(),
              "--yes",
              "--secret-file",
              secret));
      assertThat(assertEnds(with, at("consume", "own-mix", "--follow", "--max", "1")))
          .contains(" ann ");
      assertThat(assertEnds(with, at("offsets", file))).contains("own-in");
      GuidedPipeline.stop(run);
      assertThat(with.run(at("doctor", file, "--secret-file", secret)).text())
          .contains(" in order");
    }
  }

  private String[] at(String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--bootstrap-servers", servers, "--config", config.toString()));
    return all.toArray(String[]::new);
  }

  private static String assertEnds(Launcher launcher, String... command) throws Exception {
    Launcher.Ended ended = launcher.run(command);
    assertThat(ended.code()).as(ended.text()).isZero();
    return ended.text();
  }
}
