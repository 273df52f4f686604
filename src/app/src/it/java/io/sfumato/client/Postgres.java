// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Debian's PostgreSQL, in a folder of its own, as a user without rights. */
final class Postgres implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String USER = "nobody";

  private final Path programs;
  private final Path folder;
  private final int port;
  private Process server;

  private Postgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** The programs of the newest version, if there is one. */
  static Optional<Path> programs() throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Path::compareTo);
    }
  }

  /** Starts a server, and waits until it answers. */
  static Postgres start(Path programs) throws Exception {
    // Outside of JUnit's folder, which nobody else may enter.
    Path folder = Files.createTempDirectory("sfumato-postgres");
    Postgres postgres = new Postgres(programs, folder, EmbeddedBroker.freePort());
    if (isRoot()) {
      postgres.run(List.of("chown", USER, folder.toString()));
    }
    Path data = folder.resolve("data");
    postgres.run(
        postgres.asUser(
            "initdb", "--pgdata=" + data, "--username=sfumato", "--auth=trust", "--no-sync"));
    postgres.server =
        new ProcessBuilder(
                postgres.asUser(
                    "postgres",
                    "-D",
                    data.toString(),
                    "-p",
                    Integer.toString(postgres.port),
                    "-k",
                    folder.toString(),
                    "-h",
                    "127.0.0.1",
                    "-F"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(() -> postgres.query("SELECT 1").equals("1"));
    return postgres;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private List<String> asUser(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=" + USER, "--clear-groups"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** For JDBC. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
  }

  /** Rows as lines, columns with a bar between them; in a session of another time zone. */
  String query(String sql) throws Exception {
    return run(
        List.of(
            programs.resolve("psql").toString(),
            "--host=127.0.0.1",
            "--port=" + port,
            "--username=sfumato",
            "--dbname=postgres",
            "--no-align",
            "--tuples-only",
            "--quiet",
            "--set=ON_ERROR_STOP=1",
            "--command=SET TIME ZONE 'Asia/Tokyo'",
            "--command=" + sql));
  }

  private String run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command + ": " + said).isZero();
    return said.strip();
  }

  @Override
  public void close() throws Exception {
    if (server != null) {
      server.destroy();
      server.waitFor();
    }
    run(List.of("rm", "-rf", folder.toString()));
  }
}
