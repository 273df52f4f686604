// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing usable is nothing to publish: no cluster is asked. */
class ProduceCommandTest {
  @TempDir Path folder;

  private CommandResult result;

  private int produce(String rows, String... more) throws Exception {
    Path csv = Files.writeString(folder.resolve("diary.csv"), "patient,timestamp,code\n" + rows);
    String[] arguments = {
      "produce", "topology/diary.yaml", "--csv", csv.toString(), "--bootstrap-servers", "none:1"
    };
    result =
        CommandResult.of(
            Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new));
    return result.code();
  }

  private int clicks(String... more) throws Exception {
    Path csv = Files.writeString(folder.resolve("clicks.csv"), "page,visitor,at,kind\n");
    List<String> command =
        new ArrayList<>(
            List.of(
                "produce",
                "topology/sources/clicks.yaml",
                "--csv",
                csv.toString(),
                "--bootstrap-servers",
                "none:1"));
    command.addAll(List.of(more));
    result = CommandResult.of(command.toArray(String[]::new));
    return result.code();
  }

  @Test
  void shouldAskWhichOfSeveralTopicsIsMeant() throws Exception {
    assertThat(clicks()).isEqualTo(2);
    assertThat(result.err()).contains("the file reads clicks-eu, clicks-us: name one with --topic");
    assertThat(clicks("--topic", "clicks-mars")).isEqualTo(2);
    assertThat(result.err())
        .contains("--topic: the file reads clicks-eu, clicks-us, not 'clicks-mars'");
    assertThat(clicks("--topic", "clicks-us")).as("an empty file").isEqualTo(1);
  }

  @Test
  void shouldTellEachReasonByItsFirstLineAndCountTheOthers() throws Exception {
    String rows =
        IntStream.range(0, 20_001)
            .mapToObj(i -> "p" + i + ",1991-10-08T00:00:00,33\n")
            .collect(Collectors.joining());
    assertThat(produce(rows)).isEqualTo(1);
    assertThat(result.err().lines())
        .hasSize(2)
        .contains(
            "diary.csv line 2 and 20,000 lines more: column 'timestamp' has no offset such as Z "
                + "or +01:00: give the time zone, for example --zone Europe/Berlin; not sent")
        .last()
        .asString()
        .startsWith("published nothing: ");
  }

  @Test
  void shouldPublishNothingButDeadLettersForNobody() throws Exception {
    assertThat(produce("p1,2031-01-01T00:00:00Z,33\np2,0001-01-01T00:00:00Z,33\n")).isEqualTo(1);
    assertThat(result.err())
        .contains("line 2: column 'timestamp' is a time more than window.max-ahead in the future")
        .contains("line 3: column 'timestamp' is a time before 1900")
        .contains("published nothing");
  }

  @Test
  void shouldRefuseAColumnOfNumbersWhenItHoldsNoNames() throws Exception {
    assertThat(produce("p1,1991-10-08T00:00:00Z,33\n", "--number", "cod")).isEqualTo(2);
    assertThat(result.err())
        .contains(
            "--text, --number: found 'cod'; allowed are the columns with names: patient, code");
    assertThat(produce("p1,1991-10-08T00:00:00Z,33\n", "--number", "code", "--text", "code"))
        .isEqualTo(2);
    assertThat(result.err()).contains("--text and --number: column 'code' is one of them");
  }

  @Test
  void shouldNameTheColumnsThatItDoesNotSend() throws Exception {
    Path csv =
        Files.writeString(
            folder.resolve("wide.csv"),
            "patient,ward,timestamp,code,note\np1,north,1991-10-08T00:00:00,33,x\n");
    result = CommandResult.of("produce", "topology/diary.yaml", "--csv", csv.toString());
    assertThat(result.err())
        .contains(
            "note: 2 columns are not sent: ward, note. Events have only the fields that the"
                + " pipeline file names");
    assertThat(produce("p1,1991-10-08T00:00:00,33\n")).isEqualTo(1);
    assertThat(result.err()).as("every column is a field").doesNotContain("not sent: ");
  }

  @Test
  void shouldRefuseAZoneThatIsNone() throws Exception {
    assertThat(produce("p1,1991-10-08T00:00:00,33\n", "--zone", "Wien")).isEqualTo(2);
    assertThat(result.err())
        .contains("--zone")
        .contains("'Wien' is not a time zone such as Europe/Berlin, UTC or +02:00");
  }

  /** With the zone the line is usable, so that the cluster is asked for. */
  @Test
  void shouldTakeLocalTimesOfAZone() throws Exception {
    assertThat(produce("p1,1991-10-08T00:00:00,33\n", "--zone", "Europe/Berlin")).isEqualTo(4);
    assertThat(result.err()).doesNotContain("line 2").contains("none:1");
  }

  private int live(String at, String... more) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("live.yaml"),
            """
            pipeline: live
            input: { topic: live, user: user, subject: region, time: ts, category: event, categories: [view, cart] }
            contributions: { per-window: 2, subjects: 1 }
            subjects: [north, south]
            window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-01-01, ticks: here }
            budget: { name: live, unit: user, epsilon: 1, delta: 1e-6, period: window }
            releases:
              - count: { name: live-counts, method: best, share: { epsilon: 1, delta: 1e-6 } }
            """);
    Path csv =
        Files.writeString(
            folder.resolve("live.csv"), "user,region,ts,event\nann,north,%s,view\n".formatted(at));
    List<String> command =
        new ArrayList<>(
            List.of(
                "produce",
                file.toString(),
                "--csv",
                csv.toString(),
                "--bootstrap-servers",
                "none:1"));
    command.addAll(List.of(more));
    result = CommandResult.of(command.toArray(String[]::new));
    return result.code();
  }

  /** The program ticks to now: history would be late without a word. */
  @Test
  void shouldRefuseHistoryWhenTheProgramTicksByItself() throws Exception {
    assertThat(live("2026-01-05T10:00:00Z")).isEqualTo(3);
    assertThat(result.err())
        .contains(
            "1 of 1 events are before",
            "drop all of them as LATE",
            "'ticks: external'",
            "--no-ticks");
    assertThat(live("2026-01-05T10:00:00Z", "--no-ticks")).as("the cluster is asked").isEqualTo(4);
    assertThat(live(Instant.now().toString())).as("the cluster is asked").isEqualTo(4);
  }
}
