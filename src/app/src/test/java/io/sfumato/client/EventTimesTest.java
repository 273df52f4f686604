// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.EventTimes.Reading;
import io.sfumato.client.EventTimes.Unusable;
import io.sfumato.client.EventTimes.Usable;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pipeline reads of a cell is what the file says, or nothing. */
class EventTimesTest {
  private static final List<String> FORMATS =
      List.of(
          "auto",
          "iso",
          "epoch-s",
          "epoch-ms",
          "epoch-us",
          "dd.MM.yyyy HH:mm",
          "dd.MM.yy HH:mm:ss",
          "d/M/yyyy HH:mm",
          "M/d/yyyy HH:mm",
          "yyyyMMddHHmmss",
          "yyyy-MM-dd HH:mm xx");
  private static final List<String> ZONES = List.of("Europe/Berlin", "UTC", "America/St_Johns");
  private static final List<String> CELLS =
      List.of(
          "2024-10-27T02:30:00+01:00",
          "2024-10-27T00:30:59.5Z",
          "2024-03-31T02:30:00",
          "2024-02-01 12:00 +0100",
          "1991-02-01T12:00:00Z",
          "13/02/2024 10:00",
          "02/13/2024 10:00",
          "05/01/2024 10:00",
          "27.10.2024 02:30",
          "31.03.2024 02:30",
          "05.01.24 10:00:59",
          "20240201120000",
          "20240331023000",
          "4102444800",
          "1706745600",
          "0001706745600",
          "1706745600000",
          "1706745600000000",
          " 1706745600 ",
          "",
          " ",
          "soon");

  private static EventTimes times(String file, String zone, String pipeline, String pipelineZone) {
    return new EventTimes(
        new TimeReader(TimeFormat.of(file), Optional.of(ZoneId.of(zone))),
        new TimeReader(TimeFormat.of(pipeline), Optional.of(ZoneId.of(pipelineZone))),
        Instant.parse("2026-02-01T00:00:00Z"),
        Duration.ofDays(1));
  }

  @Test
  void shouldSendNoTimeThatThePipelineReadsAsAnotherWhenFormatsDiffer() {
    for (String file : FORMATS) {
      for (String pipeline : FORMATS) {
        for (String zone : ZONES) {
          for (String cell : CELLS) {
            requireSame(times(file, zone, pipeline, "Europe/Berlin"), cell);
          }
        }
      }
    }
  }

  private static void requireSame(EventTimes times, String cell) {
    Reading reading = times.read(cell);
    String what = "%s, %s".formatted(times, cell);
    if (reading instanceof Usable usable) {
      assertThat(times.sent().text(usable.text()))
          .as(what)
          .isEqualTo(new TimeReading.Time(usable.millis()))
          .isEqualTo(times.reader().text(cell));
    } else if (((Unusable) reading).status() == CsvEvents.Fate.SENT
        && times.sent().text(cell) instanceof TimeReading.Time sent) {
      assertThat(times.reader().text(cell)).as(what).isEqualTo(sent);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "epoch-s, UTC, epoch-ms, UTC, 4102444800",
    "M/d/yyyy HH:mm, UTC, d/M/yyyy HH:mm, UTC, 13/02/2024 10:00",
    "auto, Europe/Berlin, auto, UTC, 2024-03-31T02:30:00"
  })
  void shouldKeepACellThatTheFileRefusesWhenThePipelineReadsIt(
      String file, String zone, String pipeline, String pipelineZone, String cell) {
    assertThat(times(file, zone, pipeline, pipelineZone).read(cell))
        .isInstanceOfSatisfying(
            Unusable.class,
            unusable -> {
              assertThat(unusable.status()).isEqualTo(CsvEvents.Fate.NOT_SENT);
              assertThat(unusable.reason())
                  .endsWith("; the pipeline would read it as a different time");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "dd.MM.yyyy HH:mm, 2024-10-27T02:30:00+01:00",
    "dd.MM.yyyy HH:mm, 2024-10-26T02:30:59+02:00",
    "dd.MM.yy HH:mm, 1991-02-01T12:00:00Z"
  })
  void shouldNameFormatsThatHoldATimeWhenThePipelinesDoesNot(String pipeline, String cell) {
    assertThat(times("auto", "UTC", pipeline, "Europe/Berlin").read(cell))
        .isEqualTo(
            new Unusable(
                "is a time that the pipeline's input.time-format '%s' cannot express; auto, iso and epoch-ms can"
                    .formatted(pipeline),
                CsvEvents.Fate.NOT_SENT));
  }

  @Test
  void shouldSendAnEmptyTimeAsMissingWhenNoFormatReadsIt() {
    assertThat(times("auto", "UTC", "iso", "UTC").read(""))
        .isEqualTo(new Unusable("is empty", CsvEvents.Fate.SENT));
  }

  @Test
  void shouldHoldAnyTimeWhenTheRecordHoldsTheTimeItself() {
    assertThat(
            times("auto", "UTC", "dd.MM.yyyy HH:mm", "Europe/Berlin")
                .exact()
                .read("2024-10-27T02:30:59.5+01:00"))
        .isInstanceOfSatisfying(
            Usable.class,
            usable ->
                assertThat(usable.millis())
                    .isEqualTo(Instant.parse("2024-10-27T01:30:59.5Z").toEpochMilli()));
  }
}
