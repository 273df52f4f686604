// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Card.Row;
import io.sfumato.rows.Card.Section;
import io.sfumato.rows.Card.Spot;
import io.sfumato.rows.Column.Place;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Entities.Entity;
import io.sfumato.rows.NumberText.Sign;
import io.sfumato.rows.Scale.Range;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes a card of the rows of an output, whatever kind it is of. */
public final class Cards {
  private final OutputHead head;
  private final Reading reading;
  private final List<OutputRow> rows;

  private Cards(OutputHead head, List<OutputRow> rows, Reading reading) {
    this.head = head;
    this.reading = reading;
    this.rows = rows;
  }

  /**
   * The card of one output.
   *
   * @throws IllegalArgumentException if the rows are none that the kind publishes
   */
  public static Card of(OutputHead head, List<OutputRow> rows, Reading reading) {
    return new Cards(head, rows, reading).card();
  }

  private Card card() {
    List<Column> numbers = reading.onCard();
    List<Section> sections = new ArrayList<>();
    List<Drawing> drawings = new ArrayList<>();
    for (Stretch about : Entities.stretches(rows)) {
      List<Entity> all = Entities.of(rows, about);
      List<Entity> shown = Entities.with(numbers, all);
      boolean areTables = Entities.areTables(reading, shown);
      if (areTables) {
        drawings.addAll(new TableDrawings(RowTable.of(shown, numbers.get(0))).drawn());
      }
      if (!Entities.areAlike(shown)) {
        shown = shown.stream().filter(entity -> entity.group().isAll() == areTables).toList();
      }
      sections.add(section(about, shown, all));
    }
    OptionalLong records = records();
    return new Card(
        head.windowEnd(),
        records,
        head.leftOut(),
        facts(records.isPresent()),
        sections,
        drawings,
        reading.scale(),
        reading.isFollowed());
  }

  /** Of all rows about the same windows as the first. */
  private Stream<OutputRow> first() {
    return rows.stream().filter(row -> row.about().equals(rows.get(0).about()));
  }

  private OptionalLong records() {
    return first()
        .filter(row -> !row.drawn() && row.measure().name().equals(Reading.RECORDS))
        .mapToLong(row -> Math.round(row.quantity().number()))
        .findFirst();
  }

  /** In the head of the card; the public number of records stands there anyway. */
  private List<String> facts(boolean hasRecords) {
    Stream<String> numbers =
        reading.columns().stream()
            .filter(column -> column.place() == Place.HEAD && !hasRecords)
            .map(column -> column.worded("%s " + column.label()))
            .flatMap(this::fact);
    Stream<String> others =
        reading.facts().stream()
            .filter(fact -> !(hasRecords && fact.measure().equals(Reading.RECORDS)))
            .flatMap(this::fact);
    return Stream.concat(numbers, others).toList();
  }

  private Stream<String> fact(Column column) {
    return first()
        .filter(row -> row.group().isAll() && row.measure().name().equals(column.measure()))
        .limit(1)
        .map(OutputRow::quantity)
        .map(
            quantity ->
                column.around(NumberText.of(quantity, Style.AROUND, Sign.PAGE, ""), quantity));
  }

  private Section section(Stretch about, List<Entity> shown, List<Entity> all) {
    List<Column> numbers = reading.onCard();
    // All of them stay in their order, which is the same for every subject and window.
    List<Entity> first =
        shown.size() <= reading.most().card()
            ? shown
            : Entities.first(shown, numbers.get(0), reading.most(), reading.most().card());
    boolean several = Entities.areSeveral(shown);
    List<Row> made = new ArrayList<>();
    for (Entity entity : first) {
      for (Column column : numbers) {
        entity
            .quantity(column)
            .ifPresent(
                quantity ->
                    made.add(row(label(entity, column, several), entity, column, quantity, all)));
      }
    }
    return new Section(about, caption(shown, several), made, shown.size() - first.size());
  }

  /** What labels of rows leave out. */
  private String caption(List<Entity> shown, boolean several) {
    if (shown.isEmpty() || shown.stream().allMatch(entity -> entity.of().isEmpty())) {
      return "";
    }
    String of = several ? "" : TerminalColumns.shown(shown.get(0).of());
    if (reading.onCard().size() > 1) {
      return of;
    }
    String label = reading.onCard().get(0).label();
    return several || shown.get(0).group().isAll() ? label : label + " of " + of;
  }

  private String label(Entity entity, Column column, boolean several) {
    String name = entity.label(several);
    if (!reading.words().title().isEmpty()) {
      return reading.words().title();
    }
    if (reading.onCard().size() == 1) {
      return name.isEmpty() ? column.name() : name;
    }
    return entity.group().isAll() && !several ? column.name() : name + " " + column.name();
  }

  private Row row(String label, Entity entity, Column column, Quantity quantity, List<Entity> all) {
    Optional<Range> range = reading.scale().range(entity, column.measure(), all);
    Optional<Spot> bar = range.map(scale -> spot(quantity, scale));
    return new Row(
        label,
        quantity.unknown() ? range.map(Range::low).orElse(quantity.low()) : quantity.number(),
        bar,
        followed(quantity, bar),
        text(entity, column, quantity));
  }

  private static Spot spot(Quantity quantity, Range range) {
    return new Spot(
        range.place(quantity.number()), range.place(quantity.low()), range.place(quantity.high()));
  }

  /** Where all windows have one scale its places; else the numbers. */
  private Optional<Spot> followed(Quantity quantity, Optional<Spot> bar) {
    return switch (reading.scale()) {
      case SHARE, RANGE, LOG_RANGE ->
          bar.map(spot -> new Spot(spot.at(), Math.max(0, spot.low()), Math.min(1, spot.high())));
      case NONE, LARGEST ->
          quantity
              .interval()
              .map(ends -> new Spot(quantity.number(), quantity.low(), quantity.high()));
    };
  }

  private String text(Entity entity, Column column, Quantity quantity) {
    if (column.style() == Style.WORDS) {
      return column.words();
    }
    String marks =
        reading.marks().stream()
            .filter(entity::has)
            .map(mark -> ", " + mark.words())
            .collect(Collectors.joining());
    return NumberText.of(quantity, column.style(), Sign.PAGE, marks);
  }
}
