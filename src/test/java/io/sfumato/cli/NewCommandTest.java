// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.draft.Choices;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A draft fits its records, or there is none. */
class NewCommandTest {
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Ninety patients in three wards; the same with other times and in places without. */
  @BeforeEach
  void records() throws Exception {
    rows("good.csv", i -> at(i).toString());
    rows("local.csv", i -> at(i).toString().replace("Z", "").replace('T', ' '));
    rows("old.csv", i -> at(i).toString().replace("2026", "1026"));
    rows("third.csv", i -> i % 3 == 0 ? at(i).toString() : "soon");
    List<String> priced = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("good.csv"))) {
      String note = line.substring(line.lastIndexOf(',') + 1);
      priced.add(line + (note.equals("note") ? ",price" : note.endsWith("7") ? ",n/a" : ",1.5"));
    }
    Files.write(folder.resolve("priced.csv"), priced);
    Files.writeString(folder.resolve("there.yaml"), "mine");
  }

  private interface Time {
    String of(int row);
  }

  private static Instant at(int row) {
    return BEGIN.plusSeconds(row * 900L);
  }

  private void rows(String name, Time time) throws Exception {
    List<String> lines = new ArrayList<>(List.of("patient,ward,at,kind,note"));
    for (int i = 0; i < 2_700; i++) {
      int patient = i % 90;
      lines.add(
          "p%d,ward %d,%s,%s,%d"
              .formatted(patient, patient % 3, time.of(i), i % 7 < 3 ? "fall" : "check", i));
    }
    Files.write(folder.resolve(name), lines);
  }

  private int run(String arguments) {
    return run(
        Stream.of(arguments.split(" "))
            .map(word -> word.replace("~", folder + "/").replace('_', ' '))
            .toList());
  }

  private int run(List<String> arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  /** Whatever is wrong is one line that says what to say instead, and nothing is written. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--csv ~good.csv --epsilon 0 | --epsilon: found 0.0, allowed is a number above 0",
        "--csv ~good.csv --epsilon NaN | --epsilon: found NaN",
        "--csv ~good.csv --epsilon Infinity | --epsilon: found Infinity",
        "--csv ~good.csv --categories fall | allowed are at least two: --categories a,b",
        "--csv ~good.csv --window soon | --window: found 'soon', allowed are such as 30s, 15m, 1h, 7d",
        "--csv ~good.csv --window 0d | --window: found '0d'",
        "--csv ~good.csv --from-topic t | look at one of them",
        "--from-topic t --zone UTC | whoever writes them adds the offset",
        "--csv ~good.csv --zone Wien | 'Wien' is no zone, such as Europe/Berlin",
        "--csv ~good.csv --subject who | no record has a field 'who'; there are patient, ward, at",
        "--csv ~good.csv --time when | no record has a field 'when'",
        "--csv ~good.csv --category what | no record has a field 'what'",
        "--csv ~good.csv --user who | no record has a field 'who'; there are patient, ward, at",
        "--csv ~good.csv --user who --subject ward | no record has a field 'who'",
        "--csv ~good.csv --category note | fewer than 2 categories that at least 10 subjects have",
        "--csv ~good.csv --lifetime -1 | --lifetime: found -1",
        "--csv ~good.csv --user patient --lifetime 3 | --lifetime: with --user, write",
        "--csv ~good.csv --begin 2026-01-05 | only with --user",
        "--csv ~good.csv --category kind[] | each item of an array counts only with --user, in a pipeline of populations. Name one item: kind[0]",
        "--csv ~good.csv --user patient --subject ward --category kind[] | no record has a field 'kind[]'",
        "--csv ~good.csv --subjects a | only with --user",
        "--csv ~good.csv --user ward --subject patient --categories fall,check | no subject that at least 10 users have",
        "--csv ~good.csv --user patient --subject ward --window 1d --begin 2026-01-05T01:00:00Z | one starts 2026-01-05, the next 2026-01-06",
        "--csv ~good.csv --user patient --subject ward --subjects x,y | not one of 2,700 records would count. Of 2,700, field 'ward' is none of the subjects: list them with --subjects",
        "--csv ~good.csv --user patient --subject ward --window 1d --begin 2027-01-01 | its window lies before the first that counts",
        "--csv ~good.csv --time note --category kind | column 'note' is no time with an offset",
        "--csv ~local.csv | the zone of times without an offset (field 'at') was not found: give --zone",
        "--csv ~old.csv | not one of 2,700 records would count. Of 2,700, column 'at' is a time before 1900",
        "--csv ~none.csv | no such file",
        "--subject a --category b | not all is said, and nobody can be asked here: give --time, --categories, or records to look at: --csv FILE",
        "--time a --category b --categories x,y | give --subject, or records to look at",
        "--subject a --time b | give --category, --categories, or records to look at",
      })
  void shouldRefuseWhatNoRecordWouldCountUnder(String arguments, String told) {
    assertThat(run("new ~mine.yaml " + arguments)).as(out.toString()).isIn(2, 3);
    assertThat(err.toString()).contains(told);
    assertThat(err.toString().lines().filter(line -> !line.isBlank()).count())
        .as(err.toString())
        .isLessThanOrEqualTo(2);
    assertThat(folder.resolve("mine.yaml")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "~there.yaml, exists already: choose another name",
    "~nowhere/mine.yaml, cannot be written (NoSuchFileException)",
  })
  void shouldKeepWhatIsThere(String file, String told) throws Exception {
    assertThat(run("new " + file + " --csv ~good.csv")).isEqualTo(3);
    assertThat(err.toString()).contains(told);
    assertThat(folder.resolve("there.yaml")).hasContent("mine");
  }

  @Test
  void shouldSayHowManyCountWhereMostDoNot() {
    assertThat(run("new ~mine.yaml --csv ~third.csv --time at")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains(
            "WARNING: 900 of 2,700 records would count. Of 1,800 others, column 'at' is no time with an offset");
  }

  /** The histogram would look as if nobody had sent them. */
  @Test
  void shouldSayHowManyHaveNoUsableNumber() {
    assertThat(run("new ~mine.yaml --csv ~good.csv --category kind --value kind=0,1")).isEqualTo(2);
    assertThat(err.toString()).contains("column 'kind' is no number");
    assertThat(run("new ~mine.yaml --csv ~priced.csv --value price=0,9"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("'price' is missing, no number or beyond 1e12 in 270 of 2,700 records: ");
  }

  @Test
  void shouldSayWhereAllIsOther() {
    assertThat(run("new ~mine.yaml --csv ~good.csv --categories a,b")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("WARNING: 2,700 of 2,700 records count as 'other'");
  }

  /** What is printed is what one pastes: the population's command writes a file as well. */
  @Test
  void shouldNameThePopulationAndEndWithWholeCommands() throws Exception {
    assertThat(run("new ~mine.yaml --csv ~local.csv --zone Europe/Berlin --window 7d"))
        .as(err.toString())
        .isZero();
    String mine = folder + "/mine.yaml";
    String more = " --csv " + folder + "/local.csv --zone Europe/Berlin";
    assertThat(out.toString().lines().map(String::strip).toList())
        .containsSubsequence(
            "sfumato run " + mine + " --embedded",
            "sfumato produce " + mine + more,
            "sfumato tick " + mine,
            "sfumato consume mine-mix --follow");
    assertThat(Files.readAllLines(folder.resolve("mine.yaml")))
        .anyMatch(line -> line.matches(" +subject: patient +# GUESSED, check: .*"))
        .anyMatch(line -> line.matches(" +size: 7d +# one release .*"));
    String command =
        out.toString().lines().filter(line -> line.contains("--user")).findFirst().orElseThrow();
    assertThat(command.strip())
        .isEqualTo(
            "sfumato new %s/mine-by-ward.yaml --user patient --subject ward --time at --category kind%s --window 7d"
                .formatted(folder, more));
    assertThat(run(List.of(command.strip().substring("sfumato ".length()).split(" "))))
        .as(err.toString())
        .isZero();
    Path crowd = folder.resolve("mine-by-ward.yaml");
    Plan plan = Plan.of("p", PipelineFile.parse("p", Files.readString(crowd)));
    EventTimes zone = EventTimes.in(Optional.of(ZoneId.of("Europe/Berlin")), Duration.ofDays(1));
    Rehearsal rehearsal =
        Rehearsal.ofCsv(plan.pipeline(), folder.resolve("local.csv"), zone, 10_000);
    assertThat(rehearsal.usable()).isEqualTo(2_700).isEqualTo(rehearsal.records());
  }

  @Test
  void shouldTakeAnAnswerBeforeAGuess() throws Exception {
    List<String> asked = new ArrayList<>();
    Choices choices =
        new Choices(
            Optional.of(
                question -> {
                  asked.add(question);
                  return question.startsWith("zone") ? " UTC " : "";
                }));
    assertThat(choices.decide("zone", Optional.empty(), Optional.empty(), "--zone", "zone"))
        .isEqualTo("UTC");
    assertThat(choices.decide("time", Optional.empty(), Optional.of("at"), "--time", "time"))
        .isEqualTo("at");
    assertThat(choices.decide("x", Optional.of("given"), Optional.of("at"), "--x", "x"))
        .isEqualTo("given");
    assertThat(asked).containsExactly("zone", "time [at]");
    assertThat(choices.guessed()).as("who says yes has said it").isEmpty();
  }
}
