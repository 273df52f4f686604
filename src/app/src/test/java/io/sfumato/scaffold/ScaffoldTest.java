// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.release.mean.PlannedMean;
import io.sfumato.serde.RecordTrees;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScaffoldTest {
  private static final NameSource LISTED = new NameSource.Listed(List.of("a", "b"));

  @TempDir Path folder;

  @Test
  void shouldFindWhatIsWhatByNamesAndTypes() throws Exception {
    SampleRecords sample = SampleRecords.ofCsv(diary());
    Guess guess = new Guess(sample);
    assertThat(guess.time()).contains("recorded");
    assertThat(guess.subject()).contains("patientId");
    assertThat(guess.category(List.of("patientId", "recorded"))).contains("kind");
    SampleTypes types = new SampleTypes(sample);
    assertThat(List.of("row", "patientId", "recorded", "kind", "value"))
        .extracting(types::of)
        .containsExactly(
            SampleTypes.Type.WHOLE,
            SampleTypes.Type.TEXT,
            SampleTypes.Type.TIME,
            SampleTypes.Type.TEXT,
            SampleTypes.Type.DECIMAL);
  }

  @Test
  void shouldNameFieldsWithinFieldsAsAPipelineFileDoes() {
    assertThat(
            SampleRecords.fields(
                tree(
                    """
                    {"user": {"id": "ann", "a.b": 1}, "tags": ["x", {"k": 2}], "p.q": {"r": 3}, "n": null}
                    """)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("user.id", "ann", "tags[0]", "x", "tags[1].k", "2"));
  }

  private static SampleRecords ofTopic(List<String> values) {
    List<ConsumerRecord<byte[], byte[]>> originals =
        values.stream()
            .map(value -> value.getBytes(StandardCharsets.UTF_8))
            .map(value -> new ConsumerRecord<>("t", 0, 0, (byte[]) null, value))
            .toList();
    List<Map<String, String>> records =
        values.stream().map(value -> SampleRecords.fields(tree(value))).toList();
    return new SampleRecords(
        SampleRecords.of(records).fields(), records, originals, Format.JSON, Optional.empty());
  }

  private static JsonNode tree(String json) {
    return RecordTrees.ofJson().of(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
  }

  private static TopicField topic() {
    return new TopicField("diary", Format.JSON, Optional.empty(), Optional.empty());
  }

  private static List<String> told(String value, String person, String... fields) {
    List<String> told = new ArrayList<>();
    WholeSample.take(
        new ConsumerRecord<>(
            "t",
            0,
            0,
            "key".getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8)),
        RecordTrees.ofJson(),
        person,
        List.of(fields),
        (who, field, name) -> told.add(who + " " + field + " " + name));
    return told;
  }

  /** Of an array whatever lies in it is counted, once for each time, however long it is. */
  @Test
  void shouldLookAtItemsOfArraysAsAPopulationDoes() throws Exception {
    assertThat(ArrayItemsScaffold.each("order.lines[0].p")).isEqualTo("order.lines[].p");
    assertThat(ArrayItemsScaffold.each("who")).isEqualTo("who");
    String order =
        "{\"who\":\"ann\",\"order\":{\"lines\":[{\"p\":\"tea\"},[\"q\"],{\"q\":1},{\"p\":\"rum\"},{\"p\":\"x\"},{\"p\":\"y\"}]}}";
    assertThat(told(order, "who", "order.lines[].p"))
        .containsExactly(
            "ann who ann",
            "ann order.lines[].p tea",
            "ann order.lines[].p rum",
            "ann order.lines[].p x",
            "ann order.lines[].p y");
    assertThat(told(order, "$key", "who")).containsExactly("key $key key", "key who ann");
    assertThat(told(order, "nobody", "who")).isEmpty();
    assertThat(told("no JSON", "$key", "who")).containsExactly("key $key key");
    String many = "{\"tags\":[" + "\"a\",".repeat(150) + "\"a\"]}";
    assertThat(told(many, "$key", "tags[]"))
        .as("as many as a pipeline takes of a record, and who")
        .hasSize(101);
    DraftCheck.requireField(ofTopic(List.of(many)), "tags[]");
  }

  @Test
  void shouldWriteAFileThatRuns() throws Exception {
    List<String> categories = List.of("meal", "on", "it's: 1 #x");
    for (int windows : new int[] {0, 52}) {
      Scaffold draft =
          new Scaffold(
              "mine",
              topic(),
              "patientId",
              TimeField.usual("recorded"),
              Counted.of("yes", new NameSource.Listed(categories)),
              Duration.ofDays(7),
              25,
              2.5,
              List.of(),
              windows,
              Set.of("subject", "records", "topic"),
              Optional.empty());
      assertThat(draft.yaml().lines())
          .contains(
              "  topic: diary              # GUESSED, check",
              "  subject: patientId        # GUESSED, check: whose events they are: each has a budget, and each output SAYS whose it is",
              "  time: recorded            # event time: ISO-8601 with an offset, or milliseconds since 1970",
              "      plan-size: 25         # GUESSED, check: records of a subject in a window that the error is optimised for");
      Plan plan = Plans.plan(draft.yaml());
      assertThat(plan.pipeline().input().categories()).isEqualTo(categories);
      assertThat(plan.pipeline().input().category()).contains("yes");
      assertThat(plan.pipeline().window().grid().longest()).isEqualTo(Duration.ofDays(7));
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
            "said \"no\", left",
            "\u2028\u2029\ufeff",
            "a\\nb: #c 'd' \"e\"",
            " blanks ",
            "yes",
            "\ud83c\udf08 \udb40\udc41",
            "Überdosis");
    Scaffold draft =
        new Scaffold(
            "mine",
            topic(),
            "who: 'is' it #1",
            TimeField.usual("at"),
            Counted.of("what #", new NameSource.Listed(categories)),
            Duration.ofDays(7),
            25,
            2.5,
            List.of(),
            0,
            Set.of(),
            Optional.empty());
    Plan plan = Plans.plan(draft.yaml());
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
    assertThat(new Guess(SampleRecords.of(records)).category(List.of("who", "at")))
        .contains("incident");
    records.forEach(record -> record.remove("incident"));
    assertThat(new Guess(SampleRecords.of(records)).category(List.of("who", "at")))
        .as("what people write into remarks")
        .isEmpty();
  }

  /** In a language whose words are not known, the first text may be whom it is about. */
  @Test
  void shouldNotGuessACategoryWhereSeveralFieldsAreAsLikely() {
    Map<String, String> record =
        Map.of("Anrufer", "0171/1", "Thema", "Angst", "at", "2026-01-05T00:00:00Z", "Platz", "3");
    Guess guess = new Guess(SampleRecords.of(List.of(record)));
    assertThat(guess.category(List.of("at"))).isEmpty();
    assertThat(guess.category(List.of("at", "Anrufer")))
        .as("texts before numbers")
        .contains("Thema");
    assertThat(guess.categories(List.of("at"))).isEmpty();
  }

  private static PopulationScaffold crowd(
      NameSource categories, NameSource subjects, List<MeasuredField> values, double epsilon) {
    return new PopulationScaffold(
        "mine",
        topic(),
        "patientId",
        "ward",
        subjects,
        TimeField.usual("recorded"),
        Counted.of("kind", categories),
        Duration.ofDays(7),
        "2026-01-05",
        800,
        new Bounds(9, 2),
        true,
        values,
        epsilon,
        Set.of("begin", "bounds"),
        Optional.empty());
  }

  @Test
  void shouldWriteAPopulationWhoseWindowsBeginSomewhere() throws Exception {
    long begin = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
    PopulationScaffold draft =
        crowd(LISTED, new NameSource.Listed(List.of("north", "on")), List.of(), 2.5);
    assertThat(draft.yaml().lines().filter(line -> line.contains("GUESSED, check"))).hasSize(2);
    Plan plan = Plans.plan(draft.yaml());
    assertThat(plan.pipeline().window().begin()).hasValue(begin);
    assertThat(plan.pipeline().window().ticks()).isEqualTo(WindowSpec.Ticks.HERE);
    assertThat(plan.pipeline().population().orElseThrow().records()).isEqualTo(9);
    assertThat(plan.pipeline().population().orElseThrow().subjects()).isEqualTo(2);
    assertThat(plan.pipeline().listed()).containsExactly("north", "on");
    assertThat(plan.pipeline().population().orElseThrow().user()).isEqualTo("patientId");
    assertThat(plan.releases()).hasSize(2);
  }

  /** Whatever is listed, found or left open: the shares add up to the budget, to the last digit. */
  @Test
  void shouldSpendTheWholeBudgetWhereverNamesComeFrom() throws Exception {
    List<MeasuredField> values = MeasuredField.parseAll(List.of("amount=0,500", "steps=0,9"));
    NameSource found = new NameSource.Discovered();
    NameSource listed = new NameSource.Listed(List.of("north", "on"));
    for (double epsilon : new double[] {4, 2.5, 0.7, 1e-3, 1.0 / 3}) {
      for (NameSource subjects : List.of(found, listed)) {
        for (PopulationScaffold draft :
            List.of(
                crowd(found, subjects, List.of(), epsilon),
                crowd(LISTED, subjects, List.of(), epsilon),
                crowd(LISTED, subjects, values, epsilon))) {
          String yaml = draft.yaml();
          assertThat(sum(yaml, "epsilon: ([^ ,}]+)[ ,]"))
              .as(yaml)
              .isEqualByComparingTo(BigDecimal.valueOf(epsilon));
          assertThat(sum(yaml, "delta: ([^ ,}]+) }")).as(yaml).isEqualByComparingTo("1e-6");
          if (epsilon >= 0.5) {
            Plan plan = Plans.plan(yaml);
            assertThat(plan.pipeline().input().discovers()).isEqualTo(draft.counted().isFound());
            assertThat(plan.pipeline().listed().isEmpty()).isEqualTo(subjects == found);
          }
        }
      }
    }
  }

  /** Of all shares. */
  private static BigDecimal sum(String yaml, String what) {
    Pattern share = Pattern.compile("share: \\{ .*");
    Pattern number = Pattern.compile(what);
    return share
        .matcher(yaml)
        .results()
        .flatMap(found -> number.matcher(found.group()).results())
        .map(found -> new BigDecimal(found.group(1)))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** One edit is left: the file says which, and plans with it. */
  @Test
  void shouldLeaveAPlaceForCategoriesThatNobodySaid() throws Exception {
    NameSource unsaid = new NameSource.Unsaid();
    Scaffold draft =
        new Scaffold(
            "mine",
            topic(),
            "who",
            TimeField.usual("at"),
            Counted.of("what", unsaid),
            Duration.ofDays(7),
            25,
            1,
            List.of(),
            0,
            Set.of(),
            Optional.empty());
    NameSource found = new NameSource.Discovered();
    List<MeasuredField> values = MeasuredField.parseAll(List.of("amount=0,500"));
    for (String yaml : List.of(draft.yaml(), crowd(unsaid, found, values, 4).yaml())) {
      assertThat(Scaffold.isOpen(yaml)).isTrue();
      assertThat(yaml.lines().filter(line -> line.contains("TO DO"))).hasSize(1);
      assertThatThrownBy(() -> PipelineFile.parse("mine.yaml", yaml))
          .hasMessageContaining("'input.categories': found 0 usable items");
      String edited = Scaffold.filled(yaml, List.of("walk", "run"));
      assertThat(Scaffold.isOpen(edited)).isFalse();
      Plan plan = Plans.plan(edited);
      assertThat(plan.pipeline().input().categories()).containsExactly("walk", "run");
    }
  }

  /** Whoever names none of it should hear that users may be counted in wards. */
  @Test
  void shouldTellUsersFromWhatTheyAreCountedIn() {
    Guess guess =
        new Guess(
            SampleRecords.of(
                List.of(
                    Map.of(
                        "patient", "p1",
                        "at", "2026-01-05T00:00:00Z",
                        "stars", "3",
                        "doctor", "d1",
                        "kind", "kind 1",
                        "ward", "ward 1"))));
    assertThat(guess.group(List.of("at", "kind"))).contains("ward");
    assertThat(guess.isGroup("ward")).isTrue();
    assertThat(guess.isGroup("doctor")).isFalse();
    assertThat(guess.group(List.of("at", "kind", "ward"))).isEmpty();
    FieldRoles fields = new FieldRoles(Optional.empty(), "patient", "at", List.of("kind"));
    assertThat(new DraftAdvice(Path.of("mine.yaml"), List.of(), fields, List.of()).on(guess))
        .singleElement()
        .asString()
        .contains("If many of 'patient' share each 'ward'");
  }

  /** Other people and other names, as often as you like: what is told is the same. */
  @Test
  void shouldGuessTheSameWhateverRecordsHold() throws Exception {
    List<List<String>> guesses = new ArrayList<>();
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int names = 1 + random.nextInt(200);
      List<Map<String, String>> records = new ArrayList<>();
      for (int i = random.nextInt(300); i >= 0; i--) {
        Map<String, String> record = new LinkedHashMap<>();
        record.put("number", Integer.toString(random.nextInt()));
        record.put("person", "p" + random.nextInt(names));
        record.put("shop", "s" + random.nextInt(names));
        record.put(
            "at", Instant.ofEpochSecond(random.nextLong(1_000_000_000, 1_800_000_000)).toString());
        record.put("kind", "k" + random.nextInt(names));
        record.put("price", random.nextInt(99) + ".5");
        records.add(record);
      }
      Guess guess = new Guess(SampleRecords.of(records));
      FieldRoles fields =
          new FieldRoles(
              Optional.empty(),
              guess.subject().orElseThrow(),
              guess.time().orElseThrow(),
              guess.category(List.of("person", "at")).stream().toList());
      List<String> told = new ArrayList<>(fields.all());
      told.addAll(new DraftAdvice(Path.of("mine.yaml"), List.of(), fields, List.of()).on(guess));
      guesses.add(told);
    }
    assertThat(guesses.get(0)).startsWith("person", "at", "kind");
    assertThat(Set.copyOf(guesses)).hasSize(1);
  }

  /** A field whose times carry no offset is a time all the same. */
  @Test
  void shouldKnowTimesWithoutAnOffset() {
    SampleRecords sample =
        SampleRecords.of(
            List.of(
                Map.of("who", "a", "when", "2026-01-05 10:00:00"),
                Map.of("who", "b", "when", "2026-01-05T11:00:00")));
    assertThat(new Guess(sample).time()).contains("when");
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
    assertThat(new Guess(SampleRecords.of(few)).subject()).contains("subject");
    assertThat(new Guess(SampleRecords.of(measured)).subject()).isEmpty();
  }

  @Test
  void shouldNotGuessFromNothing() {
    Guess guess = new Guess(SampleRecords.of(List.of()));
    assertThat(guess.time()).isEmpty();
    assertThat(guess.subject()).isEmpty();
    assertThat(guess.category(List.of("a", "b"))).isEmpty();
    assertThat(guess.group(List.of())).isEmpty();
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
      Scaffold draft =
          new Scaffold(
              "mine",
              topic(),
              "who",
              TimeField.usual("at"),
              Counted.of("what", LISTED),
              Duration.ofDays(7),
              25,
              1,
              values,
              windows,
              Set.of(),
              Optional.empty());
      Plan plan = Plans.plan(draft.yaml());
      assertThat(plan.pipeline().input().values()).containsExactly("glucose level", "steps");
      assertThat(plan.releases()).hasSize(3);
      assertThat(plan.releases().get(1).spec().name()).isEqualTo("mine-glucose-level");
      assertThat(plan.pipeline().bounds(0)).contains(new NumberBounds(30, 400.5));
      assertThat(plan.pipeline().bounds(1)).contains(new NumberBounds(-1000, 100_000));
      assertThat(plan.all(PlannedMean.class))
          .hasSize(2)
          .allSatisfy(mean -> assertThat(mean.spec().planSize()).isEqualTo(25));
    }
    PopulationScaffold crowd =
        new PopulationScaffold(
            "mine",
            topic(),
            "who",
            "ward",
            new NameSource.Listed(List.of("north")),
            TimeField.usual("at"),
            Counted.of("what", LISTED),
            Duration.ofDays(7),
            "2026-01-05",
            800,
            new Bounds(9, 2),
            false,
            values,
            2.5,
            Set.of(),
            Optional.empty());
    Plan plan = Plans.plan(crowd.yaml());
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
    Scaffold draft =
        new Scaffold(
            "mine",
            topic(),
            "who",
            TimeField.usual("at"),
            Counted.of("what", LISTED),
            Duration.ofDays(7),
            25,
            1,
            values,
            0,
            Set.of(),
            Optional.empty());
    Plan plan = Plans.plan(draft.yaml());
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

  /** How many there are is not told, and one more or less changes nothing. */
  @Test
  void shouldSayWhereMostRecordsHaveNoNumber() throws Exception {
    List<Map<String, String>> records = new ArrayList<>();
    for (String text : List.of("1", "n/a", "x", "Infinity", "NaN")) {
      records.add(Map.of("minutes", text, "steps", "1"));
    }
    records.add(Map.of("steps", "n/a"));
    List<MeasuredField> measured = MeasuredField.parseAll(List.of("minutes=0,180", "steps=0,9"));
    assertThat(DraftCheck.numbers(SampleRecords.of(records), measured))
        .containsExactly(
            "WARNING: most values of 'minutes' are no numbers: records without one are dead letters, and no release counts them.");
    assertThat(DraftCheck.numbers(SampleRecords.none(), measured)).isEmpty();
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
    FieldRoles fields = new FieldRoles(Optional.empty(), "patientId", "recorded", List.of("kind"));
    Guess guess = new Guess(SampleRecords.ofCsv(diary()));
    assertThat(guess.measurements(Set.of("patientId", "recorded", "kind")))
        .containsExactly("value");
    List<String> advice =
        new DraftAdvice(Path.of("mine.yaml"), List.of(), fields, List.of()).on(guess);
    assertThat(advice).anyMatch(line -> line.contains("--value value=LOW,HIGH"));
  }
}
