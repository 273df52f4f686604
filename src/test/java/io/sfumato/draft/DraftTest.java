// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sfumato.client.EventTimes;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.release.mean.PlannedMean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DraftTest {
  @TempDir Path folder;

  @Test
  void shouldFindWhatIsWhat() throws Exception {
    Guess guess = new Guess(Sample.ofCsv(diary()));
    assertThat(guess.time()).contains("recorded");
    assertThat(guess.subject()).contains("patientId");
    assertThat(guess.category("patientId", "recorded")).contains("kind");
    // 'rare' is one patient's alone: a public list must not tell of it.
    assertThat(guess.categories("kind", "patientId"))
        .containsExactlyInAnyOrder("meal", "on", "it's: 1 #x");
    Guess.Window window = guess.window("patientId", "recorded");
    assertThat(window.size()).isEqualTo(Duration.ofDays(7));
    assertThat(window.records()).isBetween(20, 30);
  }

  @Test
  void shouldNameFieldsWithinFieldsAsAPipelineFileDoes() {
    assertThat(
            Sample.fields(
                """
                {"user": {"id": "ann", "a.b": 1}, "tags": ["x", {"k": 2}], "p.q": {"r": 3}, "n": null}
                """
                    .getBytes(StandardCharsets.UTF_8)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("user.id", "ann", "tags[0]", "x", "tags[1].k", "2"));
  }

  private static Sample ofTopic(List<String> values) {
    List<ConsumerRecord<byte[], byte[]>> originals =
        values.stream()
            .map(value -> value.getBytes(StandardCharsets.UTF_8))
            .map(value -> new ConsumerRecord<>("t", 0, 0, (byte[]) null, value))
            .toList();
    List<Map<String, String>> records =
        originals.stream().map(original -> Sample.fields(original.value())).toList();
    return new Sample(Sample.of(records).fields(), records, originals);
  }

  /** Of an array whatever lies in it is counted, once for each time, however long it is. */
  @Test
  void shouldCountItemsOfArraysAsAPopulationDoes() {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(
          "{\"who\":\"u%d\",\"at\":\"2026-01-0%dT00:00:00Z\",\"order\":{\"lines\":[{\"p\":\"tea\"},{\"p\":\"%s\"},{\"p\":\"tea\"},{\"q\":1},{\"p\":\"tea\"}]}}"
              .formatted(i % 20, 1 + i % 7, i % 2 == 0 ? "milk" : "rum"));
    }
    ArrayItems items = new ArrayItems(ofTopic(values));
    assertThat(items.each("order.lines[0].p")).isEqualTo("order.lines[].p");
    assertThat(items.each("who")).isEqualTo("who");
    assertThat(new ArrayItems(ofTopic(List.of("{\"tags\":[\"a\"]}"))).each("tags[0]"))
        .as("no record has two")
        .isEqualTo("tags[0]");
    Sample unfolded = items.unfolded("order.lines[].p");
    assertThat(unfolded.values("order.lines[].p")).hasSize(240);
    assertThat(unfolded.fields()).containsExactly("who", "at", "order.lines[].p");
    assertThat(new Guess(unfolded).categories("order.lines[].p", "who"))
        .containsExactly("tea", "milk", "rum");
    assertThat(items.unfolded("who").values("who")).hasSize(60);
    String many = "\"a\",".repeat(150) + "\"a\"";
    assertThat(
            new ArrayItems(ofTopic(List.of("{\"tags\":[" + many + "]}")))
                .unfolded("tags[]")
                .records())
        .as("as many as a pipeline takes of a record")
        .hasSize(100);
    String mixed = "{\"lines\":[[\"q\"],{\"p\":\"tea\",\"u\":\"ann\"}]}";
    Sample odd = new ArrayItems(ofTopic(List.of(mixed))).unfolded("lines[].p");
    assertThat(odd.values("lines[].p")).containsExactly("tea");
    assertThat(odd.values("lines[1].u")).as("who, within the array").containsExactly("ann");
    Sample column = Sample.of(List.of(Map.of("tags[]", "a"), Map.of("tags[]", "b")));
    assertThat(new ArrayItems(column).unfolded("tags[]").values("tags[]"))
        .containsExactly("a", "b");
  }

  /** Weeks start on Mondays: a user's Monday and the Sunday before are in two windows. */
  @Test
  void shouldBoundWhatUsersDoInTheWindowsOfTheFile() {
    List<Map<String, String>> records = new ArrayList<>();
    for (int user = 0; user < 10; user++) {
      for (int record = 0; record < 6; record++) {
        records.add(
            Map.of(
                "user",
                "u" + user,
                "shop",
                "s" + record % 2,
                "at",
                record < 3 ? "2026-01-04T10:00:00Z" : "2026-01-05T10:00:00Z"));
      }
    }
    Guess guess = new Guess(Sample.of(records));
    assertThat(guess.bounds("user", "shop", "at", Duration.ofDays(7)))
        .isEqualTo(new Guess.Bounds(3, 2));
    assertThat(guess.window("user", "at", Duration.ofDays(7)).records()).isEqualTo(3);
  }

  @Test
  void shouldWriteAFileThatRuns() throws Exception {
    Guess guess = new Guess(Sample.ofCsv(diary()));
    List<String> categories = guess.categories("kind", "patientId");
    for (int windows : new int[] {0, 52}) {
      Draft draft =
          new Draft(
              "mine",
              "diary",
              "patientId",
              "recorded",
              "yes",
              categories,
              Duration.ofDays(7),
              25,
              2.5,
              List.of(),
              windows,
              Set.of("subject", "records", "topic"));
      assertThat(draft.yaml().lines())
          .contains(
              "  topic: diary              # GUESSED, check",
              "  subject: patientId        # GUESSED, check: whose privacy it is: each one has a budget of their own",
              "  time: recorded            # event time: ISO-8601 with an offset, or milliseconds since 1970",
              "      plan-size: 25         # GUESSED, check: records of a subject in a window that the error is optimised for");
      Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", draft.yaml()));
      assertThat(plan.pipeline().input().categories()).isEqualTo(categories);
      assertThat(plan.pipeline().input().category()).contains("yes");
      assertThat(plan.pipeline().window().size()).isEqualTo(Duration.ofDays(7));
      BudgetSpec budget = plan.pipeline().budget();
      assertThat(budget.epsilon().value()).isEqualByComparingTo("2.5");
      assertThat(plan.all(PlannedHistogram.class).get(0).plan().releases())
          .isGreaterThanOrEqualTo(Math.max(1, windows));
    }
  }

  /** A line break folded to a blank is another category, which no record has. */
  @Test
  void shouldWriteTextsThatReadBackTheSame() throws Exception {
    List<String> categories =
        List.of(
            "said \"no\",\nleft",
            "tab\there",
            "\r",
            "\u0000\u001b[2J\u007f",
            "\u0085\u2028\u2029\ufeff",
            "a\\nb: #c 'd' \"e\"",
            " blanks ",
            "yes",
            "\ud83c\udf08 \udb40\udc41",
            "Überdosis");
    Draft draft =
        new Draft(
            "mine",
            "diary",
            "who: 'is' it #1",
            "at",
            "what #",
            categories,
            Duration.ofDays(7),
            25,
            2.5,
            List.of(),
            0,
            Set.of());
    Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", draft.yaml()));
    assertThat(plan.pipeline().input().categories()).isEqualTo(categories);
    assertThat(plan.pipeline().input().category()).contains("what #");
  }

  @Test
  void shouldQuoteEveryCharacterSoThatYamlReadsItBack() throws Exception {
    ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
    for (int from = 0; from <= Character.MAX_CODE_POINT; from += 0x1000) {
      List<String> texts =
          IntStream.range(from, from + 0x1000)
              .filter(point -> Character.getType(point) != Character.SURROGATE)
              .filter(point -> point < 0x1_1000 || point % 0x40 == 0 || point % 0x1_0000 > 0xfff0)
              .mapToObj(point -> "a" + Character.toString(point))
              .toList();
      String list =
          texts.stream().map(DraftWords::quoted).collect(Collectors.joining(", ", "[", "]"));
      assertThat(list.lines()).hasSize(1);
      JsonNode read = yaml.readTree(list);
      List<String> back = new ArrayList<>();
      read.forEach(text -> back.add(text.textValue()));
      assertThat(back).as("from %x", from).isEqualTo(texts);
    }
  }

  /** Remarks may have few values, too, and no blank one. */
  @Test
  void shouldPreferACategoryThatIsNoFreeText() {
    List<Map<String, String>> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Map<String, String> record = new HashMap<>();
      record.put("who", "p" + i % 20);
      record.put("at", Instant.ofEpochSecond(1_790_000_000L + i * 60L).toString());
      if (i > 3) {
        record.put("incident", "kind " + i % 5);
      }
      record.put("note", i % 7 == 0 ? "said \"no\",\nleft" : "x");
      record.put("remark", "r".repeat(70) + i % 3);
      records.add(record);
    }
    assertThat(new Guess(Sample.of(records)).category("who", "at")).contains("incident");
    records.forEach(record -> record.remove("incident"));
    assertThat(new Guess(Sample.of(records)).category("who", "at"))
        .as("better than none")
        .isPresent();
  }

  @Test
  void shouldWriteAPopulationWhoseWindowsBeginSomewhere() throws Exception {
    Guess guess = new Guess(Sample.ofCsv(diary()));
    long begin = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
    assertThat(guess.earliest("recorded")).hasValue(begin);
    CrowdDraft draft =
        new CrowdDraft(
            "mine",
            "diary",
            "patientId",
            "ward",
            List.of("north", "on"),
            "recorded",
            "kind",
            guess.categories("kind", "patientId"),
            Duration.ofDays(7),
            "2026-01-05",
            800,
            new Guess.Bounds(9, 2),
            Optional.of(Duration.ofDays(12)),
            List.of(),
            2.5,
            Set.of("user", "begin", "subjects", "bounds"));
    assertThat(draft.yaml().lines().filter(line -> line.contains("GUESSED, check"))).hasSize(4);
    Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", draft.yaml()));
    assertThat(plan.pipeline().window().begin()).hasValue(begin);
    assertThat(plan.pipeline().window().ahead()).isEqualTo(Duration.ofDays(12));
    assertThat(plan.pipeline().population().orElseThrow().records()).isEqualTo(9);
    assertThat(plan.pipeline().population().orElseThrow().subjects()).isEqualTo(2);
    assertThat(plan.pipeline().listed()).containsExactly("north", "on");
    assertThat(plan.pipeline().population().orElseThrow().user()).isEqualTo("patientId");
    assertThat(plan.releases()).hasSize(2);
  }

  /** Of ten users with 1, 2, ... 10 records of a day, in up to three shops, nine are left whole. */
  @Test
  void shouldBoundUsersSoThatMostAreLeftWhole() {
    List<Map<String, String>> records = new ArrayList<>();
    for (int user = 1; user <= 10; user++) {
      for (int i = 0; i < user; i++) {
        records.add(
            Map.of(
                "who",
                "u" + user,
                "at",
                "2026-01-05T0%d:00:00Z".formatted(i % 10),
                "shop",
                "s" + i % 3));
      }
    }
    Guess guess = new Guess(Sample.of(records));
    assertThat(guess.bounds("who", "shop", "at", Duration.ofDays(1)))
        .isEqualTo(new Guess.Bounds(9, 3));
    assertThat(new Guess(Sample.none()).bounds("who", "shop", "at", Duration.ofDays(1)))
        .isEqualTo(new Guess.Bounds(4, 1));
  }

  /**
   * One user has 4 records in a and 1 in b of a day: of one subject by chance and two records 2 or
   * 1 count, so that 3.5 of 5 are left out. Another has 1 of each of c, d and e, of which 1 counts.
   */
  @Test
  void shouldSayWhatBoundsLeaveOut() {
    List<Map<String, String>> records = new ArrayList<>();
    for (String place : List.of("a", "a", "a", "a", "b")) {
      records.add(Map.of("who", "ann", "shop", place, "at", "2026-01-05T10:00:00Z"));
    }
    for (String place : List.of("c", "d", "e")) {
      records.add(Map.of("who", "bob", "shop", place, "at", "2026-01-05T11:00:00Z"));
    }
    records.add(Map.of("who", "cy", "shop", "unlisted", "at", "2026-01-05T11:00:00Z"));
    Guess guess = new Guess(Sample.of(records));
    Duration day = Duration.ofDays(1);
    Set<String> listed = Set.of("a", "b", "c", "d", "e");
    Fields fields = new Fields(Optional.of("who"), "shop", "at", "kind");
    assertThat(new LeftOut(2, 1).share(guess.sample(), fields, day, listed))
        .isCloseTo((3.5 + 2) / 8, within(1e-12));
    // Of a, b and two records both count whatever is picked; of c, d and e two.
    assertThat(new LeftOut(2, 2).share(guess.sample(), fields, day, listed))
        .isCloseTo((3 + 1) / 8.0, within(1e-12));
    assertThat(new LeftOut(5, 3).share(guess.sample(), fields, day, listed)).isZero();

    DraftAdvice advice = new DraftAdvice(Path.of("mine.yaml"), List.of(), fields, List.of());
    Guess.Window window = new Guess.Window(day, 100);
    assertThat(advice.leftOut(guess, window, new Guess.Bounds(2, 2), listed))
        .contains(
            "Of the records looked at, 50% lie beyond 'per-window: 2' or 'subjects: 2' and would not count; no error bar contains that (docs/populations.md).");
    assertThat(advice.leftOut(guess, window, new Guess.Bounds(5, 3), listed)).isEmpty();
  }

  /** Each set of subjects is as likely as any other: what all of them count, on the average. */
  @Test
  void shouldAverageOverAllSetsOfSubjects() {
    int[] sizes = {1, 2, 2, 7, 11};
    List<String> window = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      for (int n = 0; n < sizes[i]; n++) {
        window.add("s" + i);
      }
    }
    for (int c = 1; c <= 24; c++) {
      for (int s = 1; s <= 6; s++) {
        int sets = 0;
        long counted = 0;
        for (int set = 0; set < 32; set++) {
          if (Integer.bitCount(set) == Math.min(s, sizes.length)) {
            int sum = 0;
            for (int i = 0; i < sizes.length; i++) {
              sum += (set >> i & 1) * sizes[i];
            }
            sets++;
            counted += Math.min(c, sum);
          }
        }
        assertThat(new LeftOut(c, s).share(List.of(window)))
            .as("C %d, S %d", c, s)
            .isCloseTo(1 - counted / (23.0 * sets), within(1e-12));
      }
    }
  }

  /** Whoever names none of it should hear that users are counted in wards. */
  @Test
  void shouldTellUsersFromWhatTheyAreCountedIn() {
    List<Map<String, String>> records = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      int user = i % 90;
      records.add(
          Map.of(
              "patient", "p" + user,
              "at", Instant.ofEpochSecond(1_790_000_000L + i * 600L).toString(),
              "stars", Integer.toString(i % 5),
              "doctor", "d" + user / 5,
              "kind", "kind " + i % 4,
              "ward", "ward " + user % 3));
    }
    Guess guess = new Guess(Sample.of(records));
    assertThat(guess.group("patient", Set.of("at", "kind"))).contains("ward");
    assertThat(guess.isGroup("ward", "patient")).isTrue();
    assertThat(guess.isGroup("doctor", "patient")).as("of five patients each").isFalse();
    assertThat(guess.isGroup("stars", "patient")).as("numbers").isFalse();
    assertThat(guess.isGroup("patient", "ward")).isFalse();
    assertThat(guess.group("patient", Set.of("at", "kind", "ward"))).isEmpty();
  }

  /** A field whose times carry no offset is a time all the same. */
  @Test
  void shouldKnowTimesWithoutAnOffset() {
    Sample sample =
        Sample.of(
            List.of(
                Map.of("who", "a", "when", "2026-01-05 10:00:00"),
                Map.of("who", "b", "when", "2026-01-05T11:00:00")));
    assertThat(new Guess(sample).time()).contains("when");
    EventTimes zone = EventTimes.in(Optional.of(ZoneId.of("Europe/Berlin")), Duration.ofDays(1));
    assertThat(new Guess(sample.sent("when", zone)).earliest("when"))
        .hasValue(Instant.parse("2026-01-05T09:00:00Z").toEpochMilli());
  }

  /** Three rows in which nobody comes again. */
  @Test
  void shouldTakeAFieldThatIsCalledSubjectAndNoMeasurement() {
    List<Map<String, String>> few = new ArrayList<>();
    List<Map<String, String>> measured = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      few.add(Map.of("subject", "p" + i, "time", "2026-01-0" + (i + 1) + "T00:00:00Z"));
    }
    for (int i = 0; i < 40; i++) {
      measured.add(Map.of("minutes", i % 9 + ".5", "time", "2026-01-05T00:00:00Z"));
    }
    assertThat(new Guess(Sample.of(few)).subject()).contains("subject");
    assertThat(new Guess(Sample.of(measured)).subject()).isEmpty();
  }

  @Test
  void shouldCountRecordsInTheWindowThatWasAskedFor() throws Exception {
    Guess guess = new Guess(Sample.ofCsv(diary()));
    Guess.Window day = guess.window("patientId", "recorded", Duration.ofDays(1));
    assertThat(day.size()).isEqualTo(Duration.ofDays(1));
    assertThat(day.records()).isBetween(2, 6);
  }

  /** Of 38 channels' windows one has 100 records, one 30, and the others 2: of 202 records. */
  @Test
  void shouldPlanACrowdForTheWindowThatATypicalRecordLiesIn() {
    List<Map<String, String>> records = new ArrayList<>();
    for (int channel = 0; channel < 38; channel++) {
      for (int i = 0; i < (channel == 0 ? 100 : channel == 1 ? 30 : 2); i++) {
        records.add(Map.of("channel", "c" + channel, "at", "2026-01-05T10:00:00Z"));
      }
    }
    Guess guess = new Guess(Sample.of(records));
    Duration day = Duration.ofDays(1);
    assertThat(guess.window("channel", "at", day).records()).isEqualTo(2);
    assertThat(guess.typicalRecords("channel", "at", day))
        .as("100 of 202 are less than half of them, 130 are more")
        .isEqualTo(30);
    assertThat(new Guess(Sample.none()).typicalRecords("channel", "at", day)).isZero();
    Guess even = new Guess(Sample.of(records.subList(0, 100)));
    assertThat(even.typicalRecords("channel", "at", day)).isEqualTo(100);
  }

  @Test
  void shouldPassOverTimesThatNoPipelineTakes() {
    Guess guess =
        new Guess(
            Sample.of(
                List.of(
                    Map.of("at", "0001-01-01T00:00:00Z"), Map.of("at", "2026-01-05T00:00:00Z"))));
    assertThat(guess.earliest("at")).hasValue(Instant.parse("2026-01-05T00:00:00Z").toEpochMilli());
  }

  @Test
  void shouldNotGuessFromNothing() {
    Guess guess = new Guess(Sample.of(List.of()));
    assertThat(guess.time()).isEmpty();
    assertThat(guess.subject()).isEmpty();
    assertThat(guess.category("a", "b")).isEmpty();
    assertThat(guess.categories("a", "b")).isEmpty();
  }

  /** Thirty patients, some 3.5 records a day each for eight weeks. */
  private Path diary() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    String[] kinds = {"meal", "on", "\"it's: 1 #x\""};
    List<String> lines = new ArrayList<>(List.of("row,patientId,recorded,kind,value"));
    Instant begin = Instant.parse("2026-01-05T00:00:00Z");
    for (int i = 0; i < 30 * 56 * 7 / 2; i++) {
      Instant at = begin.plusSeconds(i * 56L * 86_400 / (30 * 56 * 7 / 2));
      lines.add(
          "%d,p%02d,%s,%s,%.4f"
              .formatted(i, random.nextInt(30), at, kinds[random.nextInt(3)], random.nextDouble()));
    }
    lines.add("9999,p07,2026-03-01T00:00:00Z,rare,1");
    return Files.write(folder.resolve("diary.csv"), lines);
  }

  /** Of one person's numbers and of a crowd's; a lifetime has windows, a crowd shares of thirds. */
  @Test
  void shouldDraftMeansOfNumbersWhoseBoundsWereSaid() throws Exception {
    List<MeasuredField> values =
        List.of(
            MeasuredField.parse("glucose level=30,400.5"), MeasuredField.parse("steps=-1e3,1e5"));
    for (int windows : new int[] {0, 52}) {
      Draft draft =
          new Draft(
              "mine",
              "diary",
              "who",
              "at",
              "what",
              List.of("a", "b"),
              Duration.ofDays(7),
              25,
              1,
              values,
              windows,
              Set.of());
      Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", draft.yaml()));
      assertThat(plan.pipeline().input().values()).containsExactly("glucose level", "steps");
      assertThat(plan.releases()).hasSize(3);
      assertThat(plan.releases().get(1).spec().name()).isEqualTo("mine-glucose-level");
      assertThat(plan.pipeline().bounds(0)).contains(new NumberBounds(30, 400.5));
      assertThat(plan.pipeline().bounds(1)).contains(new NumberBounds(-1000, 100_000));
      assertThat(plan.all(PlannedMean.class))
          .hasSize(2)
          .allSatisfy(mean -> assertThat(mean.spec().planSize()).isEqualTo(25));
    }
    CrowdDraft crowd =
        new CrowdDraft(
            "mine",
            "diary",
            "who",
            "ward",
            List.of("north"),
            "at",
            "what",
            List.of("a", "b"),
            Duration.ofDays(7),
            "2026-01-05",
            800,
            new Guess.Bounds(9, 2),
            Optional.empty(),
            values,
            2.5,
            Set.of());
    Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", crowd.yaml()));
    assertThat(plan.releases()).hasSize(4);
    assertThat(plan.releases().get(3).spec().name()).isEqualTo("mine-steps");
    assertThat(plan.all(PlannedMean.class))
        .hasSize(2)
        .allSatisfy(mean -> assertThat(mean.spec().planSize()).isEqualTo(800));
  }

  /** Fields of whatever script, and such as differ in what no name of an output holds. */
  @Test
  void shouldNameOutputsOfNumbersSoThatAFileMayHoldThem() throws Exception {
    List<MeasuredField> values = new ArrayList<>();
    for (String field :
        List.of("温度", "a b", "a-b", "距離", "a-b-2", "A_B", "mix", "refusals", "_x_")) {
      values.add(MeasuredField.parse(field + "=0,1"));
    }
    Draft draft =
        new Draft(
            "mine",
            "diary",
            "who",
            "at",
            "what",
            List.of("a", "b"),
            Duration.ofDays(7),
            25,
            1,
            values,
            0,
            Set.of());
    Plan plan = Plan.of("mine.yaml", PipelineFile.parse("mine.yaml", draft.yaml()));
    assertThat(plan.releases().stream().map(release -> release.spec().name()))
        .containsExactly(
            "mine-mix",
            "mine-value",
            "mine-a-b",
            "mine-a-b-2",
            "mine-value-2",
            "mine-a-b-2-2",
            "mine-a-b-3",
            "mine-mix-2",
            "mine-refusals-2",
            "mine-x");
  }

  /** Infinity is a number in Java, and none in a pipeline. */
  @Test
  void shouldSayHowManyRecordsHaveNoUsableNumber() throws Exception {
    List<Map<String, String>> records = new ArrayList<>();
    for (String text : List.of("1", "-1e12", "1e12", "0.5", "2e12", "Infinity", "NaN", "n/a", "")) {
      records.add(Map.of("minutes", text, "steps", "1"));
    }
    records.add(Map.of("steps", "1"));
    List<MeasuredField> measured =
        List.of(MeasuredField.parse("minutes=0,180"), MeasuredField.parse("steps=0,9"));
    assertThat(DraftCheck.numbers(Sample.of(records), measured))
        .containsExactly(
            "'minutes' is missing, no number or beyond 1e12 in 6 of 10 records: they are dead letters, and no release counts them.");
    assertThat(DraftCheck.numbers(Sample.none(), measured)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"amount", "amount=5", "amount=5,1", "=1,2", "amount=a,b", "amount=1,Infinity"})
  void shouldRefuseBoundsThatAreNone(String said) {
    assertThatThrownBy(() -> MeasuredField.parse(said))
        .hasMessageContaining("FIELD=LOW,HIGH, such as amount=0,500, with LOW below HIGH");
  }

  /** Bounds become public: what the sample holds is told by nobody but a human being. */
  @Test
  void shouldAskForBoundsOfNumbersAndNeverTakeThemFromTheSample() throws Exception {
    Fields fields = new Fields(Optional.empty(), "patientId", "recorded", "kind");
    Guess guess = new Guess(Sample.ofCsv(diary()));
    assertThat(new Measurements(guess.sample()).fields(Set.of("patientId", "recorded", "kind")))
        .containsExactly("value");
    List<String> advice =
        new DraftAdvice(Path.of("mine.yaml"), List.of(), fields, List.of())
            .on(guess, new Guess.Window(Duration.ofDays(1), 100));
    assertThat(advice).anyMatch(line -> line.contains("--value value=LOW,HIGH"));
  }
}
