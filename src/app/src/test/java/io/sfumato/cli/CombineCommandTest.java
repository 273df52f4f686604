// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days of rows whose windows are local days: summer time begins in London on 29 March 2026. */
class CombineCommandTest {
  private static final String HEAD =
      "subject,window_start,window_end,output,category,measure,value,low,high,deviation,noise,"
          + "unknown,clamped,left_out,version,released,noise_scope\n";

  private static final String ROW =
      "east,%s:00:00Z,%s:00:00Z,orders,,%s,%d,%d,%d,2.0,discrete-laplace,false,false,,1,"
          + "2026-04-02T00:00:00Z,row\n";

  @TempDir Path folder;

  private Path file;

  private static String row(String start, String end, String measure, int value) {
    return ROW.formatted(start, end, measure, value, value - 5, value + 5);
  }

  @BeforeEach
  void writeRows() throws IOException {
    file =
        Files.writeString(
            folder.resolve("orders.csv"),
            HEAD
                + row("2026-03-28T00", "2026-03-29T00", "count", 1000)
                + row("2026-03-29T00", "2026-03-29T23", "count", 200)
                + row("2026-03-29T23", "2026-03-30T23", "count", 30)
                + row("2026-03-30T23", "2026-03-31T23", "count", 4));
  }

  private CommandResult sum(String... options) {
    String[] all = new String[options.length + 3];
    all[0] = "combine";
    all[1] = "sum";
    all[2] = file.toString();
    System.arraycopy(options, 0, all, 3, options.length);
    return CommandResult.of(all);
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/London, 2026-03-30, 2026-03-31, 30",
    "Europe/London, 2026-03-29, 2026-03-31, 230",
    "Europe/London, 2026-03-30T00:00:00Z, 2026-04-01, 4",
    "UTC, 2026-03-29, 2026-03-30, 230",
    "UTC, 2026-03-30, 2026-03-31, 4",
  })
  void shouldTakeDaysOfTheZone(String zone, String from, String until, String sum) {
    CommandResult result = sum("--from=" + from, "--until=" + until, "--zone=" + zone);
    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.out()).startsWith(sum + " (");
    if (zone.equals("UTC")) {
      assertThat(sum("--from=" + from, "--until=" + until).out()).isEqualTo(result.out());
    }
  }

  @Test
  void shouldPrintTimesOfTheZone() {
    CommandResult each = sum("--each=window_start", "--zone=Europe/London");
    assertThat(each.out().lines())
        .containsExactly(
            "2026-03-28T00:00Z  1,000 (995 to 1,005)",
            "2026-03-29T00:00Z  200 (195 to 205)",
            "2026-03-30T00:00+01:00  30 (25 to 35)",
            "2026-03-31T00:00+01:00  4 (-1 to 9)");
    assertThat(sum("--each=window_start").out()).contains("\n2026-03-29T23:00:00Z  30 (25 to 35)");
    assertThat(sum("--from=2026-03-31", "--zone=Europe/London", "-o", "json").out())
        .contains("\"window_start\" : \"2026-03-31T00:00+01:00\"")
        .contains("\"window_end\" : \"2026-04-01T00:00+01:00\"");
    assertThat(sum("--from=2026-04-01", "--zone=Europe/London").err())
        .contains("windows start from 2026-03-28T00:00Z to 2026-03-31T00:00+01:00");
  }

  @Test
  void shouldRefuseAZoneThatIsNone() {
    assertThat(sum("--zone=Europe/Londn").err())
        .contains("'Europe/Londn' is not a time zone such as Europe/Berlin, UTC or +02:00");
  }

  @Test
  void shouldSayThatThereIsNoSuchFile() {
    CommandResult result = CommandResult.of("combine", "sum", folder + "/none.csv");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err())
        .contains("/none.csv: there is no such file; 'sfumato export TOPIC --to rows.csv' writes");
  }

  @Test
  void shouldSayWhereCountsAreWhenSharesAreAddedUp() throws IOException {
    Files.writeString(file, HEAD + row("2026-03-28T00", "2026-03-29T00", "share", 1));
    assertThat(sum().err())
        .contains("take the measure 'noisy count' or 'count'")
        .contains("if the file has neither, export a 'count' output");
  }
}
