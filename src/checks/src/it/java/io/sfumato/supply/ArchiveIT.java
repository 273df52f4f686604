// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.deploy.LoginLibrary;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One file for machines without Maven: it runs elsewhere, and is made again byte by byte. */
@Tag("release")
class ArchiveIT {
  private static final String NAME = "sfumato-1.2.3";

  @TempDir Path folder;

  private String run(Path where, String... command) throws Exception {
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TZ", "Pacific/Apia");
    // A Maven that is called would be noticed.
    Path maven = folder.resolve("path/mvn");
    if (Files.notExists(maven)) {
      Files.createDirectories(maven.getParent());
      Files.writeString(maven, "#!/bin/sh\nexit 9\n");
      assertThat(maven.toFile().setExecutable(true)).isTrue();
    }
    builder.environment().put("PATH", maven.getParent() + ":" + System.getenv("PATH"));
    Process process = builder.start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> read(log)).isZero();
    return Files.readString(log);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Path pack(String name) throws Exception {
    Path to = Files.createDirectories(folder.resolve(name));
    run(Path.of("").toAbsolutePath(), "src/build/archive", "1.2.3", to.toString());
    return to.resolve(NAME + ".tar.gz");
  }

  @Test
  void shouldRunWhereItIsUnpacked() throws Exception {
    Path archive = pack("one");
    assertThat(Files.mismatch(archive, pack("two"))).isEqualTo(-1);
    run(archive.getParent(), "sha256sum", "--check", "--strict", NAME + ".tar.gz.sha256");

    Path elsewhere = Files.createDirectories(folder.resolve("else where"));
    run(elsewhere, "tar", "--extract", "--gzip", "--file", archive.toString());
    Path home = elsewhere.resolve(NAME);
    run(home, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS");
    String sums = Files.readString(home.resolve("SHA256SUMS"));
    for (String file :
        List.of(
            "bin/sfumato",
            "LICENSE",
            "NOTICE",
            "THIRD-PARTY.txt",
            "bom.json",
            "README.md",
            "docs/README.md",
            "target/sfumato.jar")) {
      assertThat(home.resolve(file)).isNotEmptyFile();
      assertThat(sums).contains("  ./" + file + "\n");
    }
    String sfumato = home.resolve("bin/sfumato").toString();
    assertThat(run(folder, sfumato, "plan", home.resolve("topology/diary.yaml").toString()))
        .contains("pipeline   glucose-diary");
    assertThat(run(folder, sfumato, "demo", "--seconds", "8"))
        .containsPattern("summary: .* [1-9]\\d* releases");
    Path jar = LoginLibrary.jar(folder.resolve("login.jar"));
    Path config = LoginLibrary.properties(folder, folder.toString());
    try (EmbeddedBroker broker = LoginLibrary.broker(folder.resolve("broker"))) {
      String[] produce = {
        "env",
        "SFUMATO_CLASS_PATH=" + jar,
        sfumato,
        "produce",
        home.resolve("topology/diary.yaml").toString(),
        "--csv",
        home.resolve("topology/diary-sample.csv").toString(),
        "--no-ticks",
        "--bootstrap-servers",
        broker.bootstrapServers(),
        "--config",
        config.toString()
      };
      assertThat(run(folder, produce)).as("by the class of a jar").contains("published 500 events");
    }
  }
}
