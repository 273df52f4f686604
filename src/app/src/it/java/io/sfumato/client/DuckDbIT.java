// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQL and Java of docs/guides/analyse.md, by DuckDB's JDBC driver. */
@Tag("release")
class DuckDbIT {
  private static final Path DRIVERS = Path.of("src/connect/target/drivers");
  private static final Path PAGE = Path.of("docs/guides/analyse.md");

  private static Path driver;

  @TempDir Path folder;

  @BeforeAll
  static void needDriver() throws IOException {
    assumeTrue(Files.isDirectory(DRIVERS), "no DuckDB: build with -Dconnect.skip=false");
    try (Stream<Path> files = Files.list(DRIVERS)) {
      driver =
          files
              .filter(file -> file.getFileName().toString().startsWith("duckdb_jdbc"))
              .findFirst()
              .orElseThrow()
              .toAbsolutePath();
    }
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  /** The rows of the page, made as it says. */
  private void makeRows() throws Exception {
    String script =
        blocks("sh").stream().filter(block -> block.contains(">orders.csv")).findFirst().get();
    run(List.of("bash", "-euo", "pipefail", "-c", script));
    assertThat(Files.readAllLines(folder.resolve("orders.csv"))).hasSize(15);
  }

  @Test
  void shouldAddUpAsThePageShows() throws Exception {
    makeRows();
    List<String> sql = blocks("sql");
    assertThat(sql).hasSize(2);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {driver.toUri().toURL()});
        Connection connection =
            ((Driver) loader.loadClass("org.duckdb.DuckDBDriver").getConstructor().newInstance())
                .connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(sql.get(1).replace("orders.csv", folder.resolve("orders.csv").toString()));
      try (ResultSet row = statement.executeQuery(sql.get(0))) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString("subject")).isEqualTo("east");
        double value = row.getDouble("value");
        double half = row.getDouble("high") - value;
        assertThat(half).isEqualTo(Math.ceil(2.12 * 19.4 * Math.sqrt(7)));
        assertThat(row.next()).isTrue();
        assertThat(row.getDouble("value")).isEqualTo(value - 7 * 600);
      }
    }
  }

  @Test
  void shouldRunTheJavaProgram() throws Exception {
    makeRows();
    Files.writeString(folder.resolve("Weeks.java"), blocks("java").get(0));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertThat(run(List.of(java, "-cp", driver.toString(), "Weeks.java")).lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).matches("(east|west) \\d+ \\(\\d+ to \\d+\\)"));
  }

  private String run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
