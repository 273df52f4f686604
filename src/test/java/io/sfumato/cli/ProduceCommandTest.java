// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
            "diary.csv line 2 and 20,000 lines more: column 'timestamp' is a time without an offset: say its zone, such as --zone Europe/Berlin; not sent")
        .last()
        .asString()
        .startsWith("published nothing: no line of ");
  }

  @Test
  void shouldPublishNothingButDeadLettersForNobody() throws Exception {
    assertThat(produce("p1,2031-01-01T00:00:00Z,33\np2,0001-01-01T00:00:00Z,33\n")).isEqualTo(1);
    assertThat(result.err())
        .contains("line 2: column 'timestamp' is a time further after now than window.max-ahead")
        .contains("line 3: column 'timestamp' is a time before 1900")
        .contains("published nothing");
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
            "note: 2 columns are not sent: ward, note. Events have only the fields that the pipeline file names");
    assertThat(produce("p1,1991-10-08T00:00:00,33\n")).isEqualTo(1);
    assertThat(result.err()).as("every column is a field").doesNotContain("not sent: ");
  }

  @Test
  void shouldRefuseAZoneThatIsNone() throws Exception {
    assertThat(produce("p1,1991-10-08T00:00:00,33\n", "--zone", "Wien")).isEqualTo(2);
    assertThat(result.err())
        .contains("--zone")
        .contains("'Wien' is no zone, such as Europe/Berlin, UTC or +02:00");
  }

  /** With the zone the line is usable, so that the cluster is asked for. */
  @Test
  void shouldTakeLocalTimesOfAZone() throws Exception {
    assertThat(produce("p1,1991-10-08T00:00:00,33\n", "--zone", "Europe/Berlin")).isEqualTo(4);
    assertThat(result.err()).doesNotContain("line 2").contains("none:1");
  }
}
