// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.client.CsvEvents.Encoding;
import io.sfumato.client.CsvEvents.Fate;
import io.sfumato.client.CsvEvents.Reject;
import io.sfumato.client.CsvEvents.Row;
import io.sfumato.pipeline.Plurals;
import io.sfumato.record.JsonNumber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes events of the lines of a CSV file. */
final class EventLines implements CsvFile.Lines {
  private final EventFields fields;
  private final Encoding encoding;
  private final CellRules rules;
  private final EventTimes times;
  private final List<Row> rows = new ArrayList<>();
  private final List<Reject> rejects = new ArrayList<>();

  EventLines(EventFields fields, Encoding encoding, CellRules rules) {
    this.fields = fields;
    this.encoding = encoding;
    this.rules = rules;
    this.times = encoding == Encoding.AVRO ? rules.times().exact() : rules.times();
  }

  /** Those of the lines so far. */
  CsvEvents events() {
    return new CsvEvents(rows, rejects);
  }

  @Override
  public void refuse(long line, String reason) {
    rejects.add(new Reject(line, reason, Fate.NOT_SENT));
  }

  @Override
  public void take(long line, String[] cells, int[] places) {
    if (Arrays.stream(places).anyMatch(place -> place >= cells.length)) {
      refuse(line, "has " + Plurals.of(cells.length, "cell"));
      return;
    }
    int keyed = fields.keyPlace();
    if (cells[places[keyed]].isEmpty()) {
      refuse(line, "column '%s' is empty".formatted(fields.columns().get(keyed)));
      return;
    }
    Optional<Reject> unnamed = name(cells, line, places);
    unnamed.ifPresent(rejects::add);
    if (unnamed.isPresent() && unnamed.get().status() == Fate.NOT_SENT) {
      return;
    }
    EventTimes.Reading reading = times.read(cells[places[CsvEvents.TIME]]);
    if (reading instanceof EventTimes.Unusable unusable) {
      Fate status = encoding == Encoding.AVRO ? Fate.NOT_SENT : unusable.status();
      rejects.add(
          new Reject(
              line, "column '%s' %s".formatted(fields.time().column(), unusable.reason()), status));
      if (status == Fate.NOT_SENT) {
        return;
      }
    }
    Optional<Long> time = Optional.empty();
    if (reading instanceof EventTimes.Usable usable) {
      time = Optional.of(usable.millis());
      cells[places[CsvEvents.TIME]] = usable.text();
    }
    if (time.isPresent() && unnamed.isEmpty()) {
      nobody(cells, places)
          .or(() -> unusableNumber(cells, places))
          .ifPresent(reason -> rejects.add(new Reject(line, reason, Fate.SENT)));
    }
    rows.add(new Row(line, cells[places[keyed]], time, value(cells, places, time)));
  }

  private byte[] value(String[] cells, int[] places, Optional<Long> time) {
    return switch (encoding) {
      case JSON -> EventValue.json(cells, places, fields, times.areNumbers());
      case AVRO -> EventValue.avro(cells, places, fields, time.orElseThrow());
    };
  }

  /** Puts canonical names in the place of cells; says of the first that is none why. */
  private Optional<Reject> name(String[] cells, long line, int[] places) {
    List<EventFields.Source> all = fields.all();
    for (EventFields.Source source : fields.named()) {
      int place = places[all.indexOf(source)];
      if (!cells[place].isEmpty()) {
        CellRules.Name name = rules.name(source.column(), cells[place]);
        if (name.problem().isPresent()) {
          return Optional.of(
              new Reject(
                  line,
                  "column '%s' %s".formatted(source.column(), name.problem().get()),
                  name.status()));
        }
        cells[place] = name.text();
      }
    }
    return Optional.empty();
  }

  /** Subject and user both say whose a record is; the key is looked at before. */
  private Optional<String> nobody(String[] cells, int[] places) {
    return Stream.concat(Stream.of(fields.subject()), fields.user().stream())
        .filter(whose -> !whose.isConstant())
        .filter(whose -> cells[places[fields.all().indexOf(whose)]].isEmpty())
        .map(whose -> "column '%s' is empty".formatted(whose.column()))
        .findFirst();
  }

  private Optional<String> unusableNumber(String[] cells, int[] places) {
    int first = fields.firstNumber();
    List<EventFields.Source> numbers = fields.numbers();
    for (int i = 0; i < numbers.size(); i++) {
      String cell = cells[places[first + i]];
      if (cell.isEmpty() && fields.mayLack(first + i)) {
        continue;
      }
      if (number(cell) < 1 && i >= fields.values().size()) {
        return Optional.of(
            "column '%s' is below 1: a weight is 1 or more".formatted(numbers.get(i).column()));
      }
      if (Double.isNaN(number(cell))) {
        return Optional.of(
            "column '%s' is %s"
                .formatted(
                    numbers.get(i).column(),
                    cell.isEmpty()
                        ? "empty"
                        : cell.matches("[-+]?[\\d.]*,\\d+")
                            ? "not a number: it has a decimal comma; use a decimal point"
                            : "not a number"));
      }
    }
    return Optional.empty();
  }

  /** NaN if it is none. */
  static double number(String text) {
    return JsonNumber.in(text).orElse(Double.NaN);
  }
}
