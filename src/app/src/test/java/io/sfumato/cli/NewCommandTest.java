// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.CellRules;
import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.scaffold.Choices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A draft fits its records, or there is none. */
class NewCommandTest {
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

  @TempDir Path folder;

  private CommandResult result;

  /** By all commands so far. */
  private final StringBuilder printed = new StringBuilder();

  /** Ninety patients in three wards; the same with other times and in places without. */
  private static final Map<String, List<String>> FILES = files();

  private static Map<String, List<String>> files() {
    List<String> good = rows(i -> at(i).toString());
    List<String> priced = new ArrayList<>();
    for (String line : good) {
      String note = line.substring(line.lastIndexOf(',') + 1);
      priced.add(line + (note.equals("note") ? ",price" : note.endsWith("7") ? ",n/a" : ",1.5"));
    }
    return Map.of(
        "good.csv", good,
        "local.csv", rows(i -> at(i).toString().replace("Z", "").replace('T', ' ')),
        "seconds.csv", rows(i -> Long.toString(at(i).getEpochSecond())),
        "dots.csv", rows(i -> written(i, "dd.MM.yyyy HH:mm")),
        "compact.csv", rows(i -> written(i, "yyyyMMddHHmmss")),
        "slashes.csv", rows(i -> written(i % 500, "dd/MM/yyyy HH:mm")),
        "old.csv", rows(i -> at(i).toString().replace("2026", "1026")),
        "third.csv", rows(i -> i % 3 == 0 ? at(i).toString() : "soon"),
        "priced.csv", priced);
  }

  @BeforeEach
  void records() throws Exception {
    for (Map.Entry<String, List<String>> file : FILES.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    Files.writeString(folder.resolve("there.yaml"), "mine");
    Files.writeString(folder.resolve("unnamed.csv"), "a,b,at\nx,y,2026-01-05T00:00:00Z\n");
  }

  private interface Time {
    String of(int row);
  }

  private static Instant at(int row) {
    return BEGIN.plusSeconds(row * 900L);
  }

  private static String written(int row, String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC).format(at(row));
  }

  private static List<String> rows(Time time) {
    List<String> lines = new ArrayList<>(List.of("patient,ward,at,kind,note"));
    for (int i = 0; i < 2_700; i++) {
      int patient = i % 90;
      lines.add(
          "p%d,ward %d,%s,%s,%d"
              .formatted(patient, patient % 3, time.of(i), i % 7 < 3 ? "fall" : "check", i));
    }
    return lines;
  }

  private int run(String arguments) {
    return run(
        Stream.of(arguments.split(" "))
            .map(word -> word.replace("~", folder + "/").replace('_', ' '))
            .toList());
  }

  private int run(List<String> arguments) {
    String[] words = arguments.toArray(String[]::new);
    result = CommandResult.of(words);
    printed.append(result.text());
    return result.code();
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
        "--csv ~good.csv --category kind --category kind | found kind, kind, allowed are up to 8"
            + " different fields",
        "--csv ~good.csv --user patient --category kind --category ward[] | counts only by itself",
        "--csv ~good.csv --category kind --category what | no record has a field 'what'",
        "--csv ~good.csv --category kind --category ward --categories a,b | --categories: found"
            + " 'a,b', needed is FIELD=a,b, once for each of kind, ward",
        "--csv ~good.csv --category kind --category ward --categories kind=a,b --categories"
            + " kind=c,d | found 'kind=c,d', needed is",
        "--csv ~good.csv --category kind --category ward --categories-file ~good.csv | needed is"
            + " FIELD=FILE",
        "--csv ~good.csv --category kind --category ward --categories kind=a | allowed are at least"
            + " two: --categories kind=a,b",
        "--csv ~good.csv --list-epsilon 1 --categories kind=a,b --categories ward=c,d | all"
            + " lists are given already",
        "--csv ~good.csv --window soon | --window: found 'soon', allowed are such as 30s, 15m, 1h,"
            + " 7d",
        "--csv ~good.csv --window 0d | --window: found '0d'",
        "--csv ~good.csv --from-topic t | --csv, --from-topic: give only one of them",
        "--csv ~good.csv --time-format hh | --time-format: found 'hh', allowed is a pattern with"
            + " year,",
        "--csv ~slashes.csv | the format of the times in field 'at', which may be 'dd/MM/yyyy"
            + " HH:mm' or 'MM/dd/yyyy HH:mm', was not found: give --time-format",
        "--csv ~good.csv --zone Wien | 'Wien' is not a time zone such as Europe/Berlin",
        "--csv ~unnamed.csv | the field of the subject was not found: give --subject, one of a, b,"
            + " at (whose events they are; each output names its subject). To protect people"
            + " counted per place, item or group, give the person as --user FIELD and the place,"
            + " item or group as --subject FIELD",
        "--csv ~unnamed.csv --user a | the field of the subject was not found: give --subject, one"
            + " of a, b, at (what users are counted in)",
        "--csv ~good.csv --subject who | no record has a field 'who'; there are patient, ward, at",
        "--csv ~good.csv --time when | no record has a field 'when'",
        "--csv ~good.csv --category what | no record has a field 'what'",
        "--csv ~good.csv --user who | no record has a field 'who'; there are patient, ward, at",
        "--csv ~good.csv --user who --subject ward | no record has a field 'who'",
        "--csv ~good.csv --lifetime -1 | --lifetime: found -1",
        "--csv ~good.csv --user patient --lifetime 3 | --lifetime: with --user, write",
        "--csv ~good.csv --begin 2026-01-05 | --contributions and --begin: only with --user",
        "--csv ~good.csv --category kind[] | each item of an array counts only with --user, in a"
            + " pipeline of populations. Name one item: kind[0]",
        "--csv ~good.csv --user patient --subject ward --category knd[] | no record has a field"
            + " 'knd[]'",
        "--csv ~good.csv --subjects a | --subjects: only with --user",
        "--csv ~good.csv --user patient --subject ward | the start of the first window (it "
            + "becomes public; earlier records do not count) was not found: give --begin, a day "
            + "such as 2026-01-05",
        "--csv ~good.csv --user patient --subject ward --contributions 1,4 | --contributions: found"
            + " '1,4', allowed is RECORDS,SUBJECTS",
        "--csv ~good.csv --contributions 4,1 | --contributions and --begin: only with --user",
        "--csv ~good.csv --plan-size 0 | --plan-size: found 0",
        "--csv ~good.csv --categories a,b --categories-file ~good.csv | --categories,"
            + " --categories-file: give one of them",
        "--csv ~good.csv --categories-file ~none.txt | cannot be read as lines of UTF-8"
            + " (NoSuchFileException)",
        "--csv ~good.csv --list-delta 1e-6 | --list-delta, --secret-file: only with --list-epsilon",
        "--subject a --time b --category c --list-epsilon 1 | only with records to find names in",
        "--csv ~good.csv --list-epsilon 1 --categories a,b | all lists are given already",
        "--csv ~good.csv --list-epsilon 0 | --list-epsilon, --list-delta: ",
        "--csv ~good.csv --list-epsilon 1 --list-delta 0 | --list-epsilon, --list-delta: ",
        "--csv ~good.csv --list-epsilon 1 --list-delta 1 | --list-epsilon, --list-delta: ",
        "--csv ~good.csv --list-epsilon 1 --secret-file ~good.csv | good.csv",
        "--csv ~good.csv --user patient --subject ward --window 1d --begin 2026-01-05T01:00:00Z |"
            + " one starts 2026-01-05, the next 2026-01-06",
        "--csv ~good.csv --time note --category kind | column 'note' is a number that is not a"
            + " time from 1990",
        "--csv ~local.csv | the zone of times without an offset (field 'at') was not found: give"
            + " --zone",
        "--csv ~old.csv | wrote nothing, because no record is readable this way: column 'at' is "
            + "a time before 1900",
        "--csv ~none.csv | no such file",
        "--subject a --category b | options are missing, and there is no terminal to ask for "
            + "them: give --time, or records to look at: --csv FILE",
        "--time a --category b --categories x,y | give --subject, or records to look at",
        "--subject a --time b | give --category, or records to look at",
      })
  void shouldRefuseWhatNoRecordWouldCountUnder(String arguments, String told) {
    assertThat(run("new ~mine.yaml " + arguments)).as(result.out()).isIn(2, 3);
    assertThat(result.err()).contains(told);
    assertThat(result.err().lines().filter(line -> !line.isBlank()).count())
        .as(result.err())
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
    assertThat(result.err()).contains(told);
    assertThat(folder.resolve("there.yaml")).hasContent("mine");
  }

  @Test
  void shouldSayHowManyCountWhereMostDoNot() {
    assertThat(run("new ~mine.yaml --csv ~third.csv --time at")).as(result.err()).isZero();
    // A folder of a test may be called by any digits.
    assertThat(result.out().replace(folder.toString(), "~"))
        .contains(
            "WARNING: most records would be dead letters: column 'at' is no time such as"
                + " 2026-01-05T14:05:00+01:00")
        .doesNotContain("900");
  }

  /** The histogram would look as if nobody had sent them. */
  @Test
  void shouldSayWhereMostRecordsHaveNoNumber() {
    assertThat(run("new ~mine.yaml --csv ~good.csv --category kind --value kind=0,1")).isEqualTo(2);
    assertThat(result.err()).contains("column 'kind' is not a number");
    assertThat(run("new ~mine.yaml --csv ~priced.csv --value price=0,9")).as(result.err()).isZero();
    assertThat(result.out()).doesNotContain("WARNING: most");
  }

  /** Nobody was asked, so that the default names people. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--csv ~good.csv | the subject 'patient' looks like a person, and each subject is NAMED in"
            + " a public topic. To protect people, give them as --user patient, and",
        "--csv ~good.csv --subject patient | looks like a person",
        "--csv ~good.csv --user note --subject patient --begin 2026-01-05 --category kind | give"
            + " them as --user, and what they are counted in",
        "--csv ~good.csv --user patient --subject ward --begin 2026-01-05 | ",
        "--csv ~good.csv --subject ward | "
      })
  void shouldWarnWhereEachPersonIsNamed(String arguments, String told) {
    assertThat(run("new ~mine.yaml " + arguments)).as(result.err()).isZero();
    if (told == null) {
      assertThat(result.out()).doesNotContain("WARNING");
    } else {
      assertThat(result.out()).contains("WARNING: ", told);
    }
  }

  /** Nobody's list: the file waits for one edit, and plans after it. */
  @Test
  void shouldLeaveOneEditWhereNobodySaidCategories() throws Exception {
    assertThat(run("new ~mine.yaml --csv ~good.csv")).as(result.err()).isZero();
    assertThat(result.out())
        .contains("mine.yaml, which needs one edit", "TO DO", "--list-epsilon")
        .contains("Next, after that edit, each")
        .doesNotContain("fall", "check");
    Path mine = folder.resolve("mine.yaml");
    assertThat(run("plan ~mine.yaml")).isEqualTo(3);
    assertThat(result.err()).contains("'input.categories': found 0 usable items");
    Files.writeString(
        mine, Files.readString(mine).replace("  categories: []", "  categories: [fall, check]"));
    assertThat(run("plan ~mine.yaml")).as(result.err()).isZero();
  }

  @Test
  void shouldTakeListsFromFiles() throws Exception {
    Files.writeString(folder.resolve("kinds.txt"), "fall\n\n  dance: slow \ncheck\n");
    Files.writeString(folder.resolve("wards.txt"), "ward 1\nward 2");
    assertThat(
            run(
                "new ~mine.yaml --csv ~good.csv --user patient --subject ward --begin 2026-01-05"
                    + " --categories-file ~kinds.txt --subjects-file ~wards.txt"))
        .as(result.err())
        .isZero();
    Plan plan = planned("mine.yaml");
    assertThat(plan.pipeline().input().categories())
        .containsExactly("fall", "dance: slow", "check");
    assertThat(plan.pipeline().listed()).containsExactly("ward 1", "ward 2");
  }

  /** People write a blank behind a comma; no record has it. */
  @Test
  void shouldTakeBlanksAroundNamesForNoneOfThem() throws Exception {
    assertThat(run("new ~mine.yaml --csv ~good.csv --categories fall,_dance:_slow,check_"))
        .as(result.err())
        .isZero();
    assertThat(planned("mine.yaml").pipeline().input().categories())
        .containsExactly("fall", "dance: slow", "check");
  }

  private Plan planned(String file) throws Exception {
    return Plans.plan(Files.readString(folder.resolve(file)));
  }

  /** Both are called as categories are; nobody said more. */
  @Test
  void shouldProposeTablesOfTwoFieldsWhoseNamesAreToBeListed() throws Exception {
    products();
    String command = "new ~mine.yaml --csv ~orders.csv";
    assertThat(run(command)).as(result.err()).isZero();
    assertThat(result.out()).contains("which needs one edit", "'channel' and 'product' together");
    Path mine = folder.resolve("mine.yaml");
    assertThat(Files.readAllLines(mine))
        .contains("    channel: []", "    product: []")
        .anyMatch(line -> line.contains("are a path instead: 'Paths' there"))
        .anyMatch(line -> line.matches(" +category: \\[channel, product\\] +# GUESSED, check: .*"));
    assertThat(run("plan ~mine.yaml")).isEqualTo(3);
    Files.writeString(
        mine,
        Files.readString(mine)
            .replace("channel: []", "channel: [web, app]")
            .replace("product: []", "product: [tea, milk]"));
    Plan plan = planned("mine.yaml");
    assertThat(plan.releases().stream().map(release -> release.spec().name()))
        .containsExactly("mine-tables");
    assertThat(plan.pipeline().input().places()).as("with those of other").isEqualTo(9);
    assertThat(rehearsed(plan, "orders.csv").readable()).isEqualTo(600);
  }

  /** As before: one list, or names that are found, are one field's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--categories tea,milk",
        "--list-epsilon 2",
        "--user customer --subject region --begin 2026-01-05"
      })
  void shouldCountOneFieldWhereOneListIsSaidOrFound(String said) throws Exception {
    products();
    assertThat(run("new ~mine.yaml --csv ~orders.csv " + said)).as(result.err()).isZero();
    assertThat(planned("mine.yaml").pipeline().input().categoryFields()).hasSize(1);
    assertThat(result.out()).contains("--category channel --category product, with a list for");
  }

  @Test
  void shouldWriteTablesOfFieldsThatHaveAListEach() throws Exception {
    products();
    Files.writeString(folder.resolve("channels.txt"), "web\napp\n");
    String population =
        "new ~%s.yaml --csv ~orders.csv --user customer --subject region --begin 2026-01-05 --value"
            + " amount=0,9 ";
    assertThat(
            run(
                population.formatted("mine")
                    + "--categories product=tea,milk --categories-file channel=~channels.txt"))
        .as(result.err())
        .isZero();
    Plan plan = planned("mine.yaml");
    assertThat(plan.pipeline().input().categoryFields()).containsExactly("product", "channel");
    assertThat(plan.pipeline().input().allCategories())
        .contains("tea / web", "milk / app", "other / other")
        .hasSize(9);
    assertThat(plan.releases().stream().map(release -> release.spec().name()))
        .containsExactlyInAnyOrder("mine-subjects", "mine-tables", "mine-amount");
    assertThat(rehearsed(plan, "orders.csv").readable()).isEqualTo(600);
    assertThat(run(population.formatted("half") + "--category product --category channel"))
        .as(result.err())
        .isZero();
    assertThat(folder.resolve("half.yaml")).content().contains("    product: []");
  }

  /**
   * A list for each field that nobody listed, in equal parts of the price. Sixty customers have all
   * names: that noise hides one of them has a probability below 1e-9.
   */
  @Test
  void shouldPayForTheListsOfSeveralFields() throws Exception {
    products();
    assertThat(
            run(
                "new ~mine.yaml --csv ~orders.csv --category channel --category product"
                    + " --categories channel=web,app --list-epsilon 4"))
        .as(result.err())
        .isZero();
    assertThat(planned("mine.yaml").pipeline().input().allCategories())
        .contains("web / tea", "app / milk")
        .hasSize(9);
    assertThat(
            run(
                "new ~both.yaml --csv ~orders.csv --category channel --category product"
                    + " --list-epsilon 4"))
        .as("the receipt has no list of channels")
        .isEqualTo(3);
    Files.delete(folder.resolve("mine.receipt.json"));
    assertThat(
            run(
                "new ~both.yaml --csv ~orders.csv --category channel --category product"
                    + " --list-epsilon 8"))
        .as(result.err())
        .isZero();
    assertThat(planned("both.yaml").pipeline().input().allCategories())
        .contains("web / tea", "app / milk")
        .hasSize(9);
    assertThat(Files.readString(folder.resolve("both.receipt.json")))
        .contains("\"field\" : \"channel\"", "\"field\" : \"product\"", "\"epsilon\" : 4");
  }

  /** Six hundred orders of sixty customers. */
  private void products() throws Exception {
    List<String> lines = new ArrayList<>(List.of("customer,region,at,channel,product,amount"));
    for (int i = 0; i < 600; i++) {
      lines.add(
          "c%d,%s,%s,%s,%s,2.5"
              .formatted(
                  i % 60,
                  i % 2 < 1 ? "north" : "south",
                  at(i),
                  i / 60 % 2 < 1 ? "web" : "app",
                  i / 120 % 2 < 1 ? "tea" : "milk"));
    }
    Files.write(folder.resolve("orders.csv"), lines);
  }

  private Rehearsal rehearsed(Plan plan, String csv) throws Exception {
    return Rehearsal.ofCsv(
        plan.pipeline(),
        folder.resolve(csv),
        CellRules.of(EventTimes.in(Optional.empty(), Duration.ofDays(1))),
        10_000);
  }

  private static boolean isPublic(Path file) {
    return file.toString().matches(".*\\.(yaml|json)");
  }

  private String written() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      StringBuilder all = new StringBuilder(printed);
      for (Path file : files.filter(NewCommandTest::isPublic).toList()) {
        all.append(Files.readString(file));
      }
      return all.toString();
    }
  }

  /** What other records hold changes no letter of the file, nor of what is said. */
  @Test
  void shouldWriteTheSameOfWhateverRecords() throws Exception {
    String command =
        "new ~%s.yaml --csv ~good.csv --user patient --subject ward --begin 2026-01-05 --window 1d";
    assertThat(run(command.formatted("mine"))).as(result.err()).isZero();
    String file = Files.readString(folder.resolve("mine.yaml"));
    String said = result.out();
    List<String> others = new ArrayList<>(List.of("patient,ward,at,kind,note"));
    for (int i = 0; i < 40; i++) {
      others.add("q%d,place %d,2019-03-0%dT00:00:00Z,thing %d,%d".formatted(i, i, 1 + i % 9, i, i));
    }
    Files.write(folder.resolve("good.csv"), others);
    Files.delete(folder.resolve("mine.yaml"));
    assertThat(run(command.formatted("mine"))).as(result.err()).isZero();
    assertThat(folder.resolve("mine.yaml")).hasContent(file);
    assertThat(result.out()).isEqualTo(said);
    assertThat(file).doesNotContain("ward 1", "fall");
    Plan plan = planned("mine.yaml");
    assertThat(plan.pipeline().input().discovers()).isTrue();
    assertThat(plan.releases().stream().map(release -> release.spec().name()))
        .containsExactlyInAnyOrder("mine-names", "mine-subjects", "mine-counts");
  }

  /**
   * A list is paid for once; then the receipt answers, whatever the draft is called. Noise is fresh
   * here: that a name of one patient passes has a probability below 1e-12.
   */
  @Test
  void shouldPayForAListOnceAndAnswerFromTheReceipt() throws Exception {
    Path csv = folder.resolve("good.csv");
    List<String> lines = new ArrayList<>(Files.readAllLines(csv));
    lines.add("p7,secret place,2026-01-06T00:00:00Z,lonely kind,1");
    Files.write(csv, lines);
    String paid =
        "new ~%s.yaml --csv ~good.csv --user patient --subject ward --begin 2026-01-05"
            + " --list-epsilon %s --list-delta 1e-12";
    assertThat(run(paid.formatted("mine", "8"))).as(result.err()).isZero();
    assertThat(result.out()).contains("Spent on the lists", "receipt mine.receipt.json");
    Plan plan = planned("mine.yaml");
    assertThat(plan.pipeline().input().categories()).containsExactlyInAnyOrder("fall", "check");
    assertThat(plan.pipeline().listed()).containsExactlyInAnyOrder("ward 0", "ward 1", "ward 2");
    assertThat(folder.resolve("mine.yaml"))
        .content()
        .contains("found in a sample for epsilon 8, delta 1e-12 once, receipt mine.receipt.json");
    Path receipt = folder.resolve("mine.receipt.json");
    String kept = Files.readString(receipt);
    assertThat(kept).contains("\"epsilon\" : 8", "\"sample\" : \"csv good.csv\"", "ephemeral");
    assertThat(run(paid.formatted("again", "1"))).as(result.err()).isZero();
    assertThat(result.out()).contains("No budget spent: lists taken from the receipt");
    assertThat(planned("again.yaml").pipeline().input().categories())
        .isEqualTo(plan.pipeline().input().categories());
    assertThat(receipt).hasContent(kept);
    assertThat(folder.resolve("again.receipt.json")).doesNotExist();
    assertThat(run("new ~other.yaml --csv ~good.csv --category note --list-epsilon 1"))
        .as("another list of the same people")
        .isEqualTo(3);
    assertThat(result.err())
        .contains("mine.receipt.json tells what was spent on this sample", "Nothing is spent");
    assertThat(folder.resolve("other.yaml")).doesNotExist();
    assertThat(written()).doesNotContain("secret place", "lonely kind");
  }

  /**
   * Neither the file, nor the receipt, nor what is said has a name that one person alone has,
   * whether a list is paid for or not. Of 25 paid lists any has one with a probability below 25
   * times delta, 2.5e-11; the keys are fixed.
   */
  @Tag("deep")
  @Test
  void shouldNeverTellANameOfOnePersonAlone() throws Exception {
    for (int seed = 0; seed < 25; seed++) {
      Random random = new Random(seed);
      String lonely = "zz" + random.nextInt(1_000_000);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        lines.add("p%d,ward %d,%s,kind %d".formatted(i % 100, i % 3, at(i), i / 100));
      }
      for (int i = 0; i < 9; i++) {
        lines.add("%s,%s place,%s,%s kind %d".formatted(lonely, lonely, at(i), lonely, i % 4));
      }
      Collections.shuffle(lines, random);
      lines.add(0, "patient,ward,at,kind");
      Files.write(folder.resolve("s" + seed + ".csv"), lines);
      byte[] key = new byte[NoiseSecret.BYTES];
      random.nextBytes(key);
      Path secret = folder.resolve("s" + seed + ".key");
      NoiseSecret.parse(HexFormat.of().formatHex(key)).write(secret);
      String drafted =
          "new ~%s%d.yaml --csv ~s%d.csv --user patient --subject ward --begin 2026-01-05";
      assertThat(run(drafted.formatted("free", seed, seed))).as(result.err()).isZero();
      String paid = drafted + " --list-epsilon 12 --list-delta 1e-12 --secret-file ~s%d.key";
      assertThat(run(paid.formatted("paid", seed, seed, seed))).as(result.err()).isZero();
      assertThat(planned("paid" + seed + ".yaml").pipeline().input().categories())
          .containsExactlyInAnyOrder("kind 0", "kind 1", "kind 2", "kind 3");
      assertThat(written()).doesNotContain(lonely);
    }
  }

  /**
   * One person's budget protects records; a list is paid for all the same. All ninety have both
   * names: that noise hides one of them has a probability below 1e-9.
   */
  @Test
  void shouldPayForTheCategoriesOfADiary() throws Exception {
    assertThat(run("new ~mine.yaml --csv ~good.csv --list-epsilon 2")).as(result.err()).isZero();
    assertThat(planned("mine.yaml").pipeline().input().categories())
        .containsExactlyInAnyOrder("fall", "check");
  }

  /** That two of ninety patients' own notes pass has a probability below 1e-20. */
  @Test
  void shouldKeepThePlaceWhereTooFewNamesWereFound() throws Exception {
    assertThat(
            run(
                "new ~mine.yaml --csv ~good.csv --category note --list-epsilon 0.01 --list-delta"
                    + " 1e-12"))
        .as(result.err())
        .isZero();
    assertThat(result.out()).contains("which needs one edit", "Spent on the lists");
    assertThat(folder.resolve("mine.yaml")).content().contains("TO DO");
  }

  @Test
  void shouldShowExamplesInItsHelp() {
    assertThat(run("new --help")).isZero();
    assertThat(result.out())
        .contains("--categories-file", "--list-epsilon", "--list-delta", "--contributions")
        .contains("  sfumato new diary.yaml --csv diary.csv.gz --categories meal,walk,sleep")
        .contains("--begin 2026-01-05 --list-epsilon 1")
        .contains("--categories channel=web,app --categories product=tea,milk");
  }

  /** What is printed is what one pastes: the population's command writes a file as well. */
  @Test
  void shouldNameThePopulationAndEndWithWholeCommands() throws Exception {
    assertThat(
            run(
                "new ~mine.yaml --csv ~local.csv --zone Europe/Berlin --window 7d --categories"
                    + " fall,check"))
        .as(result.err())
        .isZero();
    String mine = folder + "/mine.yaml";
    String more = " --csv " + folder + "/local.csv --zone Europe/Berlin";
    assertThat(result.out().lines().map(String::strip).toList())
        .containsSubsequence(
            "sfumato run " + mine + " --embedded",
            "sfumato produce " + mine + more,
            "sfumato tick " + mine,
            "sfumato consume mine-mix --follow");
    assertThat(Files.readAllLines(folder.resolve("mine.yaml")))
        .anyMatch(line -> line.matches(" +subject: patient +# GUESSED, check: .*"))
        .anyMatch(line -> line.matches(" +size: 7d +# one release .*"));
    String command =
        result
            .out()
            .lines()
            .filter(line -> line.contains("new "))
            .filter(line -> line.contains("--user"))
            .findFirst()
            .orElseThrow();
    assertThat(command.strip())
        .isEqualTo(
            "sfumato new %s/mine-by-ward.yaml --user patient --subject ward --time at --category kind%s --window 7d"
                .formatted(folder, more));
    List<String> pasted =
        new ArrayList<>(List.of(command.strip().substring("sfumato ".length()).split(" ")));
    pasted.addAll(List.of("--begin", "2026-01-04T23:00:00Z"));
    assertThat(run(pasted)).isEqualTo(2);
    assertThat(result.err()).contains("--begin: found 2026-01-04T23:00:00Z, within a window");
    pasted.set(pasted.size() - 1, "2025-12-29");
    assertThat(run(pasted)).as(result.err()).isZero();
    Path crowd = folder.resolve("mine-by-ward.yaml");
    Plan plan = Plans.plan(Files.readString(crowd));
    EventTimes zone = EventTimes.in(Optional.of(ZoneId.of("Europe/Berlin")), Duration.ofDays(1));
    Rehearsal rehearsal =
        Rehearsal.ofCsv(plan.pipeline(), folder.resolve("local.csv"), CellRules.of(zone), 10_000);
    assertThat(rehearsal.readable()).isEqualTo(2_700).isEqualTo(rehearsal.records());
  }

  /** A year of events in seconds was released as January 1970. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "seconds.csv | `` | epoch-s",
        "dots.csv | ` --zone Europe/Berlin` | 'dd.MM.yyyy HH:mm'",
        "compact.csv | ` --zone UTC` | yyyyMMddHHmmss",
        "slashes.csv | ` --zone UTC --time-format dd/MM/yyyy_HH:mm` | 'dd/MM/yyyy HH:mm'"
      })
  void shouldProposeTheFormatThatFits(String csv, String options, String format) throws Exception {
    String command = "new ~mine.yaml --csv ~%s --time at --categories fall,check%s";
    assertThat(run(command.formatted(csv, options))).as(result.err()).isZero();
    String yaml = Files.readString(folder.resolve("mine.yaml"));
    assertThat(yaml).contains("  time-format: " + format);
    assertThat(result.out().lines().map(String::strip))
        .as("the file says how times are read, so that the command need not")
        .contains("sfumato produce %s/mine.yaml --csv %s/%s".formatted(folder, folder, csv));
    Plan plan = Plans.plan(yaml);
    EventTimes times =
        EventTimes.of(
            Optional.empty(),
            Optional.empty(),
            plan.pipeline().input().formats(),
            Duration.ofDays(1));
    Rehearsal rehearsal =
        Rehearsal.ofCsv(plan.pipeline(), folder.resolve(csv), CellRules.of(times), 10_000);
    assertThat(rehearsal.readable()).isEqualTo(2_700);
  }

  /** What says how cells are read is said to every command. */
  @Test
  void shouldReadNamesAsProduceDoesWhenNumbersHaveSeveralForms() throws Exception {
    Files.writeString(
        folder.resolve("forms.csv"),
        "patient,time,kind,ward\n"
            + "1e+05,2026-01-05T00:00:00Z,a,x\n100000,2026-01-05T00:00:00Z,a,x\n".repeat(9)
            + "1e+06,2026-01-05T00:00:00Z,a,x\n".repeat(20));
    String command = "new ~%s.yaml --csv ~forms.csv --subject patient --categories a,b";
    assertThat(run(command.formatted("bare"))).isZero();
    assertThat(result.out())
        .contains("WARNING: most records", "give --number 'patient' to use its value");
    assertThat(run(command.formatted("mine") + " --number patient")).as(result.err()).isZero();
    assertThat(result.out())
        .doesNotContain("WARNING: most")
        .contains(
            "produce %s/mine.yaml --csv %s/forms.csv --number patient".formatted(folder, folder))
        .containsPattern("new \\S+-by-ward.yaml .* --number patient");
    assertThat(run(command.formatted("typo") + " --number patientt")).isEqualTo(2);
    assertThat(result.err())
        .contains("found 'patientt'; allowed are the columns with names: patient, kind");
    assertThat(run("new ~none.yaml --subject a --time b --category c --text a")).isEqualTo(2);
    assertThat(result.err()).contains("--text and --number need a CSV file");
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
    assertThat(choices.ask("categories")).isEmpty();
    assertThat(choices.ask("zone again")).contains("UTC");
    assertThat(new Choices(Optional.empty()).ask("zone")).isEmpty();
    assertThat(choices.guessed()).as("who says yes has said it").isEmpty();
  }
}
