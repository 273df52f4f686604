// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.CsvEvents.Encoding;
import io.sfumato.client.CsvEvents.Order;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvEventsTest {
  private static final String CSV =
      """
      who,note,at,what
      ann,"two, words",2026-01-02T00:00:00Z,009
      bob,,,a
      eve,,2026-01-01T00:00:00+00:00,b
      ,x,2026-01-01T00:00:00Z,c
      tim,short
      """;
  private static final EventFields COLUMNS =
      EventFields.of("who", "at", Optional.of("what"), List.of(), Optional.empty());

  private static final EventTimes TIMES =
      new EventTimes(
          TimeReader.auto(),
          TimeReader.auto(),
          Instant.parse("2026-02-01T00:00:00Z"),
          Duration.ofDays(1));

  @TempDir Path folder;

  /** A name whose letters were replaced would count under another name, or none. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100_000})
  void shouldRefuseWhatIsNotUtf8WhereverItStands(int before) throws Exception {
    Path file = folder.resolve("latin.csv");
    String rows =
        "who,at,what\n" + "ann,2026-01-02T00:00:00Z,a\n".repeat(before) + "bob,,K\u00e4se\n";
    Files.write(file, rows.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(
            () ->
                CsvEvents.read(file, COLUMNS, Order.EVENT_TIME, Encoding.JSON, CellRules.of(TIMES)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(
            "latin.csv: is not UTF-8: convert it, for example with iconv -f LATIN1");
  }

  @Test
  void shouldSortByEventTimeAndRejectWithLineAndReason() throws Exception {
    CsvEvents events = read(CSV, Order.EVENT_TIME, Encoding.JSON);
    assertThat(events.events())
        .extracting(row -> row.line() + " " + new String(row.value(), StandardCharsets.UTF_8))
        .containsExactly(
            "4 {\"who\":\"eve\",\"at\":\"2026-01-01T00:00:00+00:00\",\"what\":\"b\"}",
            "2 {\"who\":\"ann\",\"at\":\"2026-01-02T00:00:00Z\",\"what\":\"009\"}",
            "3 {\"who\":\"bob\",\"at\":\"\",\"what\":\"a\"}");
    assertThat(events.complaints("f.csv"))
        .containsExactly(
            "f.csv line 5: column 'who' is empty; not sent",
            "f.csv line 6: has 2 cells; not sent",
            "f.csv line 3: column 'at' is empty; sent unchanged, becomes a dead letter");
    assertThat(events.rejected(CsvEvents.Fate.SENT)).isEqualTo(1);
    assertThat(events.rejected(CsvEvents.Fate.NOT_SENT)).isEqualTo(2);
  }

  /** What intake surely refuses, and what it cannot be told as it is. */
  @Test
  void shouldSayWhichTimesNoPipelineTakes() throws Exception {
    String rows =
        "who,at,what\n"
            + String.join(
                "\n",
                "a,2026-01-01T00:00:00,x",
                "a,0001-01-01T00:00:00Z,x",
                "a,2031-01-01T00:00:00Z,x",
                "a,2026-02-02T00:00:01Z,x",
                "a,soon,x",
                "a,2026-02-02T00:00:00Z,x",
                "a,2026-01-01 10:00:00+02:00,x",
                "a,1769900000000,x\n");
    CsvEvents events = read(rows, Order.AS_IS, Encoding.JSON);
    assertThat(events.complaints("f.csv"))
        .containsExactly(
            "f.csv line 2: column 'at' has no offset such as Z or +01:00: give the time zone, "
                + "for example --zone Europe/Berlin; not sent",
            "f.csv line 3: column 'at' is a time before 1900; sent unchanged, becomes a dead "
                + "letter",
            "f.csv line 4 and 1 line more: column 'at' is a time more than window.max-ahead in "
                + "the future; sent unchanged, becomes a dead letter",
            "f.csv line 6: column 'at' is no time such as 2026-01-05T14:05:00+01:00: "
                + "time-format says how times are written; sent unchanged, becomes a dead letter");
    assertThat(events.rejects())
        .extracting(CsvEvents.Reject::line)
        .containsExactly(2L, 3L, 4L, 5L, 6L);
    assertThat(events.events())
        .filteredOn(row -> row.time().isPresent())
        .extracting(row -> new String(row.value(), StandardCharsets.UTF_8))
        .containsExactly(
            "{\"who\":\"a\",\"at\":\"2026-02-02T00:00:00Z\",\"what\":\"x\"}",
            "{\"who\":\"a\",\"at\":\"2026-01-01 10:00:00+02:00\",\"what\":\"x\"}",
            "{\"who\":\"a\",\"at\":1769900000000,\"what\":\"x\"}");
    assertThat(events.usable()).isEqualTo(3);
  }

  /** Each event is what a pipeline's own reader takes, at the time that a clock there showed. */
  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00, 2025-12-31T23:00:00Z",
    "2026-01-01 00:00, 2025-12-31T23:00:00Z",
    "2025-07-01T12:00:00.250, 2025-07-01T10:00:00.250Z",
    "2025-07-01T12:00:00Z, 2025-07-01T12:00:00Z",
    "2025-10-26T02:30:00, 2025-10-26T00:30:00Z", // twice that night: the first
    "2025-03-30T02:30:00, ", // never that night
    "2025-02-30T12:00:00, ",
  })
  void shouldReadLocalTimesInTheZoneThatIsSaid(String text, Instant expected) throws Exception {
    EventTimes berlin =
        new EventTimes(
            new TimeReader(TIMES.reader().format(), Optional.of(ZoneId.of("Europe/Berlin"))),
            TimeReader.auto(),
            TIMES.now(),
            TIMES.maxAhead());
    Path file = Files.writeString(folder.resolve("local.csv"), "who,at,what\na," + text + ",x\n");
    CsvEvents events =
        CsvEvents.read(file, COLUMNS, Order.AS_IS, Encoding.JSON, CellRules.of(berlin));
    if (expected == null) {
      assertThat(events.usable()).isZero();
      assertThat(events.complaints("f"))
          .singleElement()
          .asString()
          .matches(
              "f line 2: column 'at' (does not exist in zone Europe/Berlin: clocks were set "
                  + "forward|names a day or time that does not exist); sent unchanged, becomes a "
                  + "dead letter");
      return;
    }
    EventReader reader =
        new EventReader(
            new InputSpec(
                "t",
                InputSpec.Format.JSON,
                "who",
                "at",
                Optional.of("what"),
                List.of("x", "y"),
                Optional.empty(),
                List.of(),
                1000));
    CsvEvents.Row row = events.events().get(0);
    assertThat(row.time()).contains(expected.toEpochMilli());
    assertThat(
            reader.read(record(null, row.value(), TIMES.now().toEpochMilli())).orElseThrow().time())
        .isEqualTo(expected.toEpochMilli());
  }

  @Test
  void shouldKeepTheFilesOrderWhenAsked() throws Exception {
    assertThat(read(CSV, Order.AS_IS, Encoding.JSON).events())
        .extracting(CsvEvents.Row::line)
        .containsExactly(2L, 3L, 4L);
  }

  @Test
  void shouldReadGzippedFilesAndWriteUserRecords() throws Exception {
    Path file = folder.resolve("events.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(CSV.getBytes(StandardCharsets.UTF_8));
    }
    CsvEvents events =
        CsvEvents.read(file, COLUMNS, Order.EVENT_TIME, Encoding.AVRO, CellRules.of(TIMES));
    UserRecord first = (UserRecord) Outputs.decodeAny(events.events().get(0).value());
    assertThat(first.getSubject()).isEqualTo("eve");
    assertThat(first.getCategory()).isEqualTo("b");
  }

  /** As spreadsheets write them where a comma stands in numbers. */
  @ParameterizedTest
  @ValueSource(strings = {";", "\t"})
  void shouldReadOtherSeparatorsAndAMarkOfTheEncoding(String separator) throws Exception {
    String csv =
        "\uFEFFwho;at;what;price\nann;2026-01-02T00:00:00Z;\"a;b, c\";1.5\nbob;2026-01-03T00:00:00Z;d;1,5\neve;2026-01-03T00:00:00Z;d;\n"
            .replace("\"a;b", separator.equals(";") ? "\"a;b" : "\"a,b")
            .replace(";", separator);
    Path file = folder.resolve("other.csv");
    Files.writeString(file, csv);
    EventFields fields =
        EventFields.of("who", "at", Optional.of("what"), List.of("price"), Optional.empty());
    CsvEvents events =
        CsvEvents.read(file, fields, Order.AS_IS, Encoding.JSON, CellRules.of(TIMES));
    assertThat(new String(events.events().get(0).value(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"who\":\"ann\",\"at\":\"2026-01-02T00:00:00Z\",\"what\":\"a%sb, c\",\"price\":\"1.5\"}"
                .formatted(separator.equals(";") ? ";" : ","));
    assertThat(events.complaints("f.csv"))
        .containsExactly(
            "f.csv line 3: column 'price' is not a number: it has a decimal comma; use a "
                + "decimal point; sent unchanged, becomes a dead letter",
            "f.csv line 4: column 'price' is empty; sent unchanged, becomes a dead letter");
    assertThat(events.usable()).isEqualTo(1);
  }

  /** Where a header is expected, lines of JSON hold somebody's record. */
  @Test
  void shouldNotRepeatARecordThatStandsWhereTheHeaderShould() throws Exception {
    assertThatThrownBy(() -> read("{\"who\":\"ann\",\"at\":1}\n{}\n", Order.AS_IS, Encoding.JSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("holds JSON lines, not CSV")
        .hasMessageNotContaining("ann");
    String headless = "ann,2026-01-02 10:00,rash\nbob,2026-01-03 11:00,flu\n";
    assertThatThrownBy(() -> read(headless, Order.AS_IS, Encoding.JSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has a time in its first line, which must name the columns")
        .hasMessageNotContaining("ann")
        .hasMessageNotContaining("rash");
    Path file = folder.resolve("headless.csv");
    for (String time :
        List.of("2026-01-02 10:00", "02.01.2026 10:00", "1/2/26", "9:00", "1767348000")) {
      String lines = headless.replaceAll("2026-01-0. 1.:00", time);
      assertThatThrownBy(() -> CsvFile.head(Files.writeString(file, lines), 9))
          .hasMessageContaining("has a time in its first line")
          .hasMessageNotContaining("ann");
      assertThatThrownBy(() -> read(lines, Order.AS_IS, Encoding.JSON))
          .hasMessageNotContaining("ann");
    }
    String wide = "who,what,2026-01-01\nann,rash,3\n";
    assertThat(CsvFile.head(Files.writeString(file, wide), 9).get(0))
        .as("a column is called like a day")
        .containsExactly("who", "what", "2026-01-01");
  }

  /** What separates cells occurs more often than what a single name holds, or a quoted one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "who;at;price, EUR | who+at+price, EUR",
        "\"a;b;c;d\",who | a;b;c;d+who",
        "who\tat\tx;y | who+at+x;y",
        "who,at;x | who+at;x",
        "who;at\tx | who+at\tx"
      })
  void shouldTellSeparatorsFromNames(String line, String columns) throws Exception {
    Path file = Files.writeString(folder.resolve("s.csv"), line.replace("\\t", "\t") + "\n");
    assertThat(String.join("+", CsvFile.head(file, 1).get(0)))
        .isEqualTo(columns.replace("\\t", "\t"));
  }

  /** A row is one item of an array: its column may have the path's name, or another. */
  @Test
  void shouldSendARowAsOneItemOfAnArray() throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "p.yaml",
            """
            pipeline: p
            input: { topic: t, user: who, subject: shop, time: at, category: "tags[]", categories: [a, b] }
            contributions: { per-window: 2 }
            subjects: [north, south]
            window: { size: 1d, clock: ticks, begin: 2026-01-05 }
            budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
            releases:
              - count: { name: n, share: { epsilon: 1, delta: 1e-6 } }
            """);
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "who,shop,at,tag\nann,north,2026-01-05T00:00:00Z,b\n");
    assertThatThrownBy(() -> rows(pipeline, file, Optional.empty()))
        .hasMessageContaining("has no column 'tags[]'; its columns are who, shop, at, tag")
        .hasMessageContaining("only one item: name its column with --category COLUMN");
    CsvEvents.Row row = rows(pipeline, file, Optional.of("tag")).events().get(0);
    assertThat(
            EventReader.of(pipeline, SchemaSource.none())
                .read(record(null, row.value(), row.time().orElseThrow()))
                .orElseThrow()
                .items())
        .containsExactly(new Event.Item(0, 1));
    Files.writeString(
        file,
        "who,shop,at,tag\n"
            + "ann,north,2026-01-05T00:00:00Z,b\n"
            + ",north,2026-01-05T01:00:00Z,b\n"
            + "bob,,2026-01-05T02:00:00Z,a\n");
    assertThat(rows(pipeline, file, Optional.of("tag")).complaints("f.csv"))
        .as("whose a record is must be said; a line without its key cannot be sent")
        .containsExactlyInAnyOrder(
            "f.csv line 3: column 'who' is empty; sent unchanged, becomes a dead letter",
            "f.csv line 4: column 'shop' is empty; not sent");
  }

  private static CsvEvents rows(Pipeline pipeline, Path file, Optional<String> category)
      throws RefusedException {
    EventFields fields =
        EventFields.of(
            pipeline,
            new EventFields.Columns(
                Optional.empty(),
                Optional.empty(),
                category,
                List.of(),
                Optional.empty(),
                Optional.empty()));
    return CsvEvents.read(file, fields, Order.AS_IS, Encoding.JSON, CellRules.of(TIMES));
  }

  /** A weight is a column of its own name, or of the one that is given. */
  @Test
  void shouldSendWeightsAndSayWhichAreNone() throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "weights",
            """
            pipeline: p
            input: { topic: t, user: who, subject: ward, time: at, category: what, categories: [a, b], weight: minutes }
            contributions: { per-window: 40 }
            subjects: [north]
            window: { size: 1d, clock: ticks, begin: 2026-06-01 }
            budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
            releases:
              - count: { name: n, share: { epsilon: 0.5, delta: 1e-7 } }
            """);
    Path file =
        Files.writeString(
            folder.resolve("weights.csv"),
            """
            who,ward,at,what,spent
            ann,north,2026-01-05T08:00:00Z,a,12.5
            ann,north,2026-01-05T08:00:00Z,b,0.5
            ann,north,2026-01-05T08:00:00Z,b,
            """);
    EventFields fields =
        EventFields.of(
            pipeline,
            new EventFields.Columns(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.of("spent"),
                Optional.empty()));
    CsvEvents events =
        CsvEvents.read(file, fields, Order.AS_IS, Encoding.JSON, CellRules.of(TIMES));
    assertThat(events.complaints("f.csv"))
        .containsExactly(
            "f.csv line 3: column 'spent' is below 1: a weight is 1 or more; sent unchanged, "
                + "becomes a dead letter",
            "f.csv line 4: column 'spent' is empty; sent unchanged, becomes a dead letter");
    CsvEvents.Row row = events.events().get(0);
    assertThat(
            EventReader.of(pipeline, SchemaSource.none())
                .read(record(null, row.value(), row.time().orElseThrow()))
                .orElseThrow()
                .items())
        .hasSize(12)
        .allMatch(item -> item.category() == 0);
  }

  /** What a filter names is sent, and is missing where a cell is empty. */
  @Test
  void shouldSendWhatDecidesWhetherAnEventCounts() throws Exception {
    Pipeline pipeline =
        PipelineFile.parse(
            "p.yaml",
            """
            pipeline: p
            input: { topic: t, user: who, subject: { constant: all }, time: at, category: what, categories: [a, b], where: { type: click, bot: { not: 'true' }, what: [a], old: { exists: false } }, id: event }
            contributions: { per-window: 2 }
            window: { size: 1d, clock: ticks, begin: 2026-01-05 }
            budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
            releases:
              - count: { name: n, share: { epsilon: 1, delta: 1e-6 } }
            """);
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "who,at,what,event\nann,2026-01-05T00:00:00Z,a,1\n");
    assertThatThrownBy(() -> rows(pipeline, file, Optional.empty()))
        .hasMessageContaining("has no column 'type'");
    Files.writeString(
        file,
        "who,at,what,event,type,bot\n"
            + "ann,2026-01-05T00:00:00Z,a,1,click,\n"
            + "bob,2026-01-05T00:00:00Z,b,2,click,\n"
            + "cem,2026-01-05T00:00:00Z,a,3,view,\n"
            + "dan,2026-01-05T00:00:00Z,a,4,click,true\n");
    EventReader reader = EventReader.of(pipeline, SchemaSource.none());
    List<Optional<Event>> read = new ArrayList<>();
    for (CsvEvents.Row row : rows(pipeline, file, Optional.empty()).events()) {
      read.add(reader.read(record(null, row.value(), row.time().orElseThrow())));
    }
    assertThat(read).extracting(Optional::isPresent).containsExactly(true, false, false, false);
    assertThat(read.get(0).orElseThrow().id()).contains("1");
    assertThat(read.get(0).orElseThrow().subject()).isEqualTo("all");
    assertThat(rows(pipeline, file, Optional.empty()).events())
        .as("the user spreads records over partitions")
        .extracting(CsvEvents.Row::key)
        .containsExactly("ann", "bob", "cem", "dan");
  }

  @Test
  void shouldSayWhatIsWrongWithAFile() {
    assertThatThrownBy(() -> read("a,b\n1,2\n", Order.AS_IS, Encoding.JSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has no column 'who'; its columns are a, b");
    assertThatThrownBy(() -> read("", Order.AS_IS, Encoding.JSON)).hasMessageContaining("is empty");
    assertThatThrownBy(
            () ->
                CsvEvents.read(
                    folder.resolve("none"),
                    COLUMNS,
                    Order.AS_IS,
                    Encoding.JSON,
                    CellRules.of(TIMES)))
        .hasMessageContaining("no such file");
  }

  @Test
  void shouldParseSpeeds() {
    for (String good : List.of("max", "500/s", "0.5/s", "3600x")) {
      assertThat(Speed.parse(good)).isNotNull();
    }
    for (String bad : List.of("", "fast", "0/s", "0x", "-1/s", "10")) {
      assertThatThrownBy(() -> Speed.parse(bad)).hasMessageContaining("a rate such as 500/s");
    }
  }

  private CsvEvents read(String csv, Order order, Encoding encoding) throws Exception {
    Path file = Files.writeString(folder.resolve("events.csv"), csv);
    return CsvEvents.read(file, COLUMNS, order, encoding, CellRules.of(TIMES));
  }

  private static CellRules rules(String format, List<String> texts, List<String> numbers) {
    TimeReader file =
        new TimeReader(TimeFormat.of(format), Optional.of(ZoneId.of("Europe/Berlin")));
    return new CellRules(
        new EventTimes(file, TimeReader.auto(), TIMES.now(), TIMES.maxAhead()),
        Set.copyOf(texts),
        Set.copyOf(numbers));
  }

  private List<String> sent(String csv, CellRules rules) throws Exception {
    Path file = Files.writeString(folder.resolve("cells.csv"), csv);
    return CsvEvents.read(file, COLUMNS, Order.AS_IS, Encoding.JSON, rules).events().stream()
        .map(row -> row.key() + " " + new String(row.value(), StandardCharsets.UTF_8))
        .toList();
  }

  /** As analytics exports and spreadsheets of many countries write them. */
  @ParameterizedTest
  @CsvSource({
    "epoch-us, 1704448800000000",
    "epoch-s, 1704448800",
    "auto, 2024-01-05 05:00:00 -0500",
    "dd.MM.yyyy HH:mm, 05.01.2024 11:00",
  })
  void shouldSendTimesInTheFormThatThePipelineReads(String format, String cell) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("times.csv"), "sep=;\n# an export\n\nwho;at;what\nann;" + cell + ";a\n");
    CsvEvents events =
        CsvEvents.read(
            file, COLUMNS, Order.AS_IS, Encoding.JSON, rules(format, List.of(), List.of()));
    assertThat(events.rejects()).isEmpty();
    assertThat(events.events().get(0).line()).isEqualTo(5);
    assertThat(events.events().get(0).time())
        .contains(Instant.parse("2024-01-05T10:00:00Z").toEpochMilli());
  }

  @Test
  void shouldNameTheFormatOfNumbersThatAreNoMilliseconds() throws Exception {
    CsvEvents events = read("who,at,what\nann,1704448800,a\n", Order.AS_IS, Encoding.JSON);
    assertThat(events.complaints("f"))
        .containsExactly(
            "f line 2: column 'at' is not in milliseconds since 1970: use --time-format epoch-s;"
                + " not sent");
  }

  /** A cell has no type: somebody must say whether 1e+05 is a number. */
  @Test
  void shouldAskWhatACellThatLooksLikeANumberIs() throws Exception {
    String csv = "who,at,what\n1e+05,2024-01-05T10:00:00Z,58.0\n100000,2024-01-05T10:00:00Z,58\n";
    assertThat(sent(csv, CellRules.of(TIMES))).singleElement().asString().startsWith("100000 ");
    assertThat(sent(csv, rules("auto", List.of(), List.of("who", "what"))))
        .hasSize(2)
        .allMatch(row -> row.startsWith("100000 ") && row.contains("\"what\":\"58\""));
    assertThat(sent(csv, rules("auto", List.of("who", "what"), List.of())))
        .extracting(row -> row.substring(0, row.indexOf(' ')))
        .containsExactly("1e+05", "100000");
  }
}
