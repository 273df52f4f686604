// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The query of docs/guides/analyse.md that draws error bars, by DuckDB's JDBC driver. */
@Tag("release")
class DuckDbBarsIT {
  private static final Path DRIVERS = Path.of("src/connect/target/drivers");
  private static final Path PAGE = Path.of("docs/guides/analyse.md");

  private static final String ROWS =
      """
      subject,window_start,window_end,output,category,measure,value,low,high,deviation,noise,unknown,clamped,left_out,version,released,noise_scope
      east,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,daily-sales,web,count,316,297,335,8.5,discrete-laplace,false,false,,1,2026-11-30T18:22:57.731Z,row
      east,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,daily-sales,shop,count,9,-10,28,8.5,discrete-laplace,false,false,,1,2026-11-30T18:22:57.731Z,row
      east,2026-11-03T00:00:00Z,2026-11-04T00:00:00Z,daily-sales,web,count,9,-10,28,8.5,discrete-laplace,false,false,,1,2026-11-30T18:22:57.731Z,row
      """;

  @TempDir Path folder;

  private static Path driver() throws IOException {
    assumeTrue(Files.isDirectory(DRIVERS), "no DuckDB: build with -Dconnect.skip=false");
    try (Stream<Path> files = Files.list(DRIVERS)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("duckdb_jdbc"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    }
  }

  private static String query() throws IOException {
    Matcher block =
        Pattern.compile("cat >bars.sql <<'END'\n(.*?)END\n", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  /** Lines that a query prints where DuckDB shows times in a zone of America. */
  private List<String> lines(String query, String rows) throws Exception {
    Path file = Files.writeString(folder.resolve("daily-sales.csv"), rows);
    List<String> lines = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {driver().toUri().toURL()});
        Connection connection =
            ((Driver) loader.loadClass("org.duckdb.DuckDBDriver").getConstructor().newInstance())
                .connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'America/New_York'");
      try (ResultSet row =
          statement.executeQuery(query.replace("daily-sales.csv", file.toString()))) {
        while (row.next()) {
          lines.add(row.getString(1));
        }
      }
    }
    return lines;
  }

  @Test
  void shouldDrawErrorBarsAsThePageShows() throws Exception {
    assertThat(lines(query(), ROWS))
        .as("a bar that would begin below zero begins at the edge")
        .containsExactly(
            "2026-11-02   316 (297 to 335)" + " ".repeat(50) + "---o---",
            "2026-11-03     9 (-10 to 28) ---o---");
  }

  @Test
  void shouldShowLocalDaysIfTheQueryHasTheZone() throws Exception {
    assertThat(Files.readString(PAGE)).contains("`window_start AT TIME ZONE 'Europe/London'`");
    String query = query();
    assertThat(query).contains("AT TIME ZONE 'UTC'");
    assertThat(
            lines(
                query.replace("AT TIME ZONE 'UTC'", "AT TIME ZONE 'Europe/London'"),
                ROWS.replace("2026-11-02T00", "2026-03-29T23")))
        .extracting(line -> line.substring(0, 10))
        .containsExactly("2026-03-30", "2026-11-03");
  }
}
