// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.TimeReading.Implausible;
import io.sfumato.record.TimeReading.Missing;
import io.sfumato.record.TimeReading.Time;
import io.sfumato.record.TimeReading.Unreadable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeReaderTest {
  private static final TimeReader AUTO = TimeReader.auto();
  private static final TimeReader BERLIN = reader("auto", "Europe/Berlin");

  private static TimeReader reader(String format, String zone) {
    return new TimeReader(TimeFormat.of(format), Optional.ofNullable(zone).map(ZoneId::of));
  }

  private static void assertTime(TimeReading found, String expected) {
    assertThat(found).isEqualTo(new Time(Instant.parse(expected).toEpochMilli()));
  }

  @ParameterizedTest
  @CsvSource({
    "2024-01-05T10:00:00Z, 2024-01-05T10:00:00Z",
    "2024-01-05t10:00:00z, 2024-01-05T10:00:00Z",
    "2024-01-05T10:00Z, 2024-01-05T10:00:00Z",
    "2024-01-05 10:00:00 UTC, 2024-01-05T10:00:00Z",
    "2024-01-05 10:00:00.123456 UTC, 2024-01-05T10:00:00.123Z",
    "2024-01-05 10:00:00 -0500, 2024-01-05T15:00:00Z",
    "2024-01-05T10:00:00+0000, 2024-01-05T10:00:00Z",
    "2024-01-05T10:00:00+00, 2024-01-05T10:00:00Z",
    "2024-01-05T10:00:00+05:30, 2024-01-05T04:30:00Z",
    "2024-01-05T10:00:00.123456789012Z, 2024-01-05T10:00:00.123Z",
    "1960-01-05T10:00:00Z, 1960-01-05T10:00:00Z",
    "1704448800000, 2024-01-05T10:00:00Z",
    "1704448800000.0, 2024-01-05T10:00:00Z",
    "1.7044488e12, 2024-01-05T10:00:00Z",
    " 1704448800000 , 2024-01-05T10:00:00Z",
  })
  void shouldReadWhatIsUnambiguous(String text, String expected) {
    assertTime(AUTO.text(text), expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1704448800, epoch-s",
    "1704448800.25, epoch-s",
    "1704448800000000, epoch-us",
    "1704448800000000000, epoch-ns",
  })
  void shouldNameTheUnitThatFits(String number, String word) {
    assertThat(AUTO.number(number)).isEqualTo(new Implausible(Optional.of(TimeFormat.of(word))));
    assertThat(AUTO.text(number)).isEqualTo(AUTO.number(number));
    assertThat(reader(word, null).number(number))
        .isInstanceOfSatisfying(
            Time.class,
            time -> assertThat(time.millis()).isBetween(1704448800000L, 1704448800250L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "20240105", "1e400", "99999999999999999999999"})
  void shouldRefuseNumbersThatNoUnitFits(String number) {
    assertThat(AUTO.number(number)).isEqualTo(new Implausible(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "2024-01-05, a date without a time of day",
    "2024-01-05T24:00:00Z, hour 24",
    "2024-01-05T23:59:60Z, second 60",
    "2024-01-05T10:00:00 CET, abbreviation",
    "2024-01-05T10:00:00, no offset",
    "2024-01-05T10:00:00+1:00, no offset",
    "2024-02-30T10:00:00Z, does not exist",
    "2024-01-05T10:61:00Z, does not exist",
    "05.01.2026 14:05, has the form 99.99.9999 99:99",
    "yesterday, time-format",
  })
  void shouldSayWhatIsWrong(String text, String reason) {
    assertThat(AUTO.text(text))
        .isInstanceOfSatisfying(
            Unreadable.class, found -> assertThat(found.reason()).contains(reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t \n"})
  void shouldFindNoTimeInAnEmptyText(String text) {
    assertThat(AUTO.text(text)).isEqualTo(new Missing());
  }

  @ParameterizedTest
  @CsvSource({
    "13.01.2026 25:05, a day or time that does not exist",
    "13.01.2026 9:05, has the form 99.99.9999 9:99",
    "1768291200, does not fit",
  })
  void shouldSayWhatIsWrongUnderAPattern(String text, String reason) {
    assertThat(
            new TimeReader(TimeFormat.of("dd.MM.yyyy HH:mm"), Optional.of(ZoneOffset.UTC))
                .text(text))
        .isInstanceOfSatisfying(
            Unreadable.class, found -> assertThat(found.reason()).contains(reason));
  }

  @Test
  void shouldNameTheUnitThatFitsANumberUnderAPattern() {
    TimeReader reader =
        new TimeReader(TimeFormat.of("dd.MM.yyyy HH:mm"), Optional.of(ZoneOffset.UTC));
    assertThat(reader.number("1768291200"))
        .isEqualTo(
            new Unreadable(
                "is a number, which time-format dd.MM.yyyy HH:mm does not read: epoch-s would fit"));
  }

  @Test
  void shouldReadTheTimesOfTheDocumentedPatterns() throws Exception {
    Pattern row = Pattern.compile("\\| `([^`]+)`[^|]*\\| `([^`]+)` \\|");
    List<String> lines = Files.readAllLines(Path.of("docs/reference/records.md"));
    int table = lines.indexOf("| time | pattern |");
    int patterns = 0;
    for (String line : lines.subList(table + 2, lines.size())) {
      Matcher cells = row.matcher(line);
      if (!cells.matches()) {
        break;
      }
      patterns++;
      TimeReader reader =
          new TimeReader(TimeFormat.of(cells.group(2)), Optional.of(ZoneId.of("Europe/Berlin")));
      String time = cells.group(1).contains("9:05") ? "T08:05:00Z" : "T13:05:00Z";
      assertTime(reader.text(cells.group(1)), "2026-01-05" + time);
    }
    assertThat(patterns).isEqualTo(6);
  }

  @Test
  void shouldTakeTheFirstOfAnHourThatOccursTwiceAndRefuseOneThatDoesNot() {
    assertTime(BERLIN.text("2024-10-27 02:30:00"), "2024-10-27T00:30:00Z");
    assertTime(BERLIN.text("2024-01-05T10:00"), "2024-01-05T09:00:00Z");
    assertThat(BERLIN.text("2024-03-31 02:30:00")).isInstanceOf(Unreadable.class);
    assertTime(BERLIN.text("2024-01-05T10:00:00-05:00"), "2024-01-05T15:00:00Z");
  }

  @Test
  void shouldReadPatterns() {
    TimeReader dots = reader("dd.MM.yyyy HH:mm", "Europe/Berlin");
    assertTime(dots.text("05.01.2026 14:05"), "2026-01-05T13:05:00Z");
    assertThat(dots.text("31.02.2026 14:05")).isInstanceOf(Unreadable.class);
    assertThat(dots.text("2026-01-05T14:05:00Z")).isInstanceOf(Unreadable.class);
    assertTime(
        reader("MMM d, yyyy, h:mm:ss a X", null).text("Jan 5, 2026, 2:05:00 PM Z"),
        "2026-01-05T14:05:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dd.MM.yyyy", "HH:mm", "yyyy", "foo", "", "dd.MM.yy 'at", "hh:mm dd.MM.yyyy"})
  void shouldRefusePatternsThatLeaveATimeOpen(String pattern) {
    assertThatThrownBy(() -> TimeFormat.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dd.MM.yyyy HH:mm");
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd HH:mm[ X], 2026-01-05 14:05 -08, 2026-01-05T22:05:00Z",
    "yyyy-MM-dd HH:mm[ X], 2026-01-05 14:05, 2026-01-05T13:05:00Z",
    "yyyy-MM-dd HH:mm[ VV], 2026-01-05 14:05 America/New_York, 2026-01-05T19:05:00Z",
    "yyyy-MM-dd HH:mm[ VV], 2026-01-05 14:05 UTC, 2026-01-05T14:05:00Z",
    "yyyy-MM-dd HH:mm[ VV], 2026-01-05 14:05, 2026-01-05T13:05:00Z",
    "yyyy-MM-dd HH:mm VV, 2024-10-27 02:30 Europe/Paris, 2024-10-27T00:30:00Z",
    "yyyy-MM-dd HH:mm X VV, 2024-10-27 02:30 +01 Europe/Paris, 2024-10-27T01:30:00Z",
  })
  void shouldReadTheZoneThatIsWritten(String pattern, String text, String expected) {
    assertTime(reader(pattern, "Europe/Berlin").text(text), expected);
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd HH:mm VV, 2026-01-05 14:05 CET, abbreviation",
    "yyyy-MM-dd HH:mm VV, 2024-03-31 02:30 Europe/Paris, does not exist",
    "yyyy-MM-dd HH:mm X VV, 2026-01-05 14:05 +02 Europe/Paris, does not have",
  })
  void shouldRefuseAZoneThatDoesNotFit(String pattern, String text, String reason) {
    assertThat(reader(pattern, "Europe/Berlin").text(text))
        .isInstanceOfSatisfying(
            Unreadable.class, found -> assertThat(found.reason()).contains(reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HH:mm z", "HH:mm[ zzzz]", "HH:mm v", "HH:mm O", "HH:mm ZZZZ"})
  void shouldRefusePatternsWithAmbiguousZones(String time) {
    assertThatThrownBy(() -> TimeFormat.of("yyyy-MM-dd " + time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ambiguous");
    assertThat(TimeFormat.of("yyyy-MM-dd 'zone' HH:mm")).isInstanceOf(TimeFormat.Pattern.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HH:mm:ss'Z'", "HH:mm' UTC'", "HH:mm['GMT']"})
  void shouldRefusePatternsThatWouldIgnoreAZone(String time) {
    assertThatThrownBy(() -> TimeFormat.of("yyyy-MM-dd " + time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ignored");
    assertTime(
        reader("yyyy-MM-dd'T'HH:mmXXX", "Europe/Berlin").text("2026-01-05T14:05Z"),
        "2026-01-05T14:05:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "Africa/Cairo, 2025-04-25, 2025-04-24T22:00:00Z",
    "America/Sao_Paulo, 2018-11-04, 2018-11-04T03:00:00Z",
    "America/Havana, 2025-03-09, 2025-03-09T05:00:00Z",
    "Europe/Berlin, 2026-01-05, 2026-01-04T23:00:00Z",
  })
  void shouldReadTheFirstInstantOfADay(String zone, String date, String expected) {
    assertTime(reader("auto", zone).date(LocalDate.parse(date)), expected);
  }

  @Test
  void shouldRefuseADayThatAZoneSkipped() {
    assertThat(reader("auto", "Pacific/Apia").date(LocalDate.parse("2011-12-30")))
        .isInstanceOf(Unreadable.class);
    assertThat(AUTO.date(LocalDate.parse("2026-01-05"))).isInstanceOf(Unreadable.class);
  }

  /** What a pattern writes in any zone is read as the same minute. */
  @Property(seed = "7")
  void shouldReadBackEveryPatternWithAZone(@ForAll Random random) {
    long millis = 60_000L * random.nextInt(10_000_000, 60_000_000);
    for (String pattern : List.of("yyyy-MM-dd HH:mm X", "yyyy-MM-dd HH:mm[ X VV]")) {
      TimeReader tokyo = reader(pattern, "Asia/Tokyo");
      ZoneId other = ZoneId.of(random.nextBoolean() ? "America/New_York" : "Europe/Berlin");
      String text = tokyo.format().written(millis, Optional.of(other));
      assertThat(tokyo.text(text)).isEqualTo(new Time(millis));
    }
  }

  @Test
  void shouldReadOnlyWhatTheFormatNames() {
    assertThat(reader("epoch-s", null).text("2024-01-05T10:00:00Z")).isInstanceOf(Unreadable.class);
    assertThat(reader("iso", null).number("1704448800000")).isInstanceOf(Unreadable.class);
    assertThat(reader("iso", null).text("2024-01-05 10:00:00 -0500"))
        .isInstanceOf(Unreadable.class);
    assertTime(reader("iso", null).text("2024-01-05T10:00:00+01:00"), "2024-01-05T09:00:00Z");
    assertThat(reader("epoch-us", null).number("-1")).isEqualTo(new Time(-1));
    assertThat(reader("epoch-ms", null).number("0")).isEqualTo(new Time(0));
  }

  /** Every time that is written is read as itself, in each machine form. */
  @Property(seed = "4")
  void shouldReadBackEveryForm(@ForAll Random random) {
    long first = Instant.parse("1990-01-01T00:00:00Z").toEpochMilli();
    long last = Instant.parse("2100-12-31T00:00:00Z").toEpochMilli();
    long millis = first + (long) (random.nextDouble() * (last - first));
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 18 * 60 + 1) - 18 * 60));
    Instant time = Instant.ofEpochMilli(millis);
    Time expected = new Time(millis);
    assertThat(AUTO.text(time.atOffset(offset).toString())).isEqualTo(expected);
    assertThat(
            AUTO.text(
                time.atOffset(offset)
                    .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS xx"))))
        .isEqualTo(expected);
    assertThat(AUTO.number(Long.toString(millis))).isEqualTo(expected);
    assertThat(reader("epoch-us", null).number(millis + "999")).isEqualTo(expected);
    assertThat(reader("epoch-ns", null).number(millis + "999999")).isEqualTo(expected);
  }

  /** Whatever stands in a time field: a reading, and no exception. */
  @Property(seed = "5")
  void shouldTakeAnyText(@ForAll Random random) {
    String letters = "0123456789-:.TZ+ eE,/;abÄ\u0000";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    assertThat(AUTO.text(text.toString())).isNotNull();
    assertThat(BERLIN.text("2024-01-05T10:00:00" + text)).isNotNull();
    assertThat(reader("epoch-ns", null).text("1e" + random.nextInt())).isNotNull();
  }

  @Test
  void shouldShowTheFormOfDigitsAndPunctuationAlone() {
    assertThat(TimeReader.form("05.01.2026 14:05")).contains("99.99.9999 99:99");
    assertThat(TimeReader.form("2026-01-05T14:05")).isEmpty();
    assertThat(TimeReader.form("Ann")).isEmpty();
    assertThat(TimeReader.form("- -")).isEmpty();
  }
}
