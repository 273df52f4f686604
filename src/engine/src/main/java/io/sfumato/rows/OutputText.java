// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Entities.Entity;
import io.sfumato.rows.NumberText.Sign;
import io.sfumato.rows.Reading.Words;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.text.TerminalColumns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An output of any kind as text: in a line, or in lines. Names are others' choice: they stand there
 * so that none of them can be taken for anything else.
 */
public final class OutputText {
  private static final String GAP = "  ";

  /** Most columns of a name in a line of a terminal. */
  private static final int NAME = 20;

  private final OutputHead head;
  private final Reading reading;
  private final TextLength length;
  private final LocalTimes times;
  private final Flow flow;
  private boolean hasFacts;

  private OutputText(OutputHead head, Reading reading, TextLength length, LocalTimes times) {
    this.head = head;
    this.reading = reading;
    this.length = length;
    this.times = times;
    this.flow =
        new Flow(beginning(head.windowStart(), head.windowEnd(), head.subject(), times), length);
  }

  /** Which window a line is about, and whose. */
  public static String beginning(
      Instant windowStart, Instant windowEnd, String subject, LocalTimes times) {
    return String.format(
        Locale.ROOT,
        "%s  %-11s  ",
        times.start(windowStart, windowEnd),
        ControlCharEscaper.of(subject));
  }

  /** All that an output says to people. */
  public static String of(
      OutputHead head, List<OutputRow> rows, Reading reading, TextLength length, LocalTimes times) {
    OutputText text = new OutputText(head, reading, length, times);
    text.add(rows);
    return text.flow.text();
  }

  private void add(List<OutputRow> rows) {
    Words words = reading.words();
    if (!words.headline().isEmpty()) {
      for (String word : words.headline().split("(?<=\\S) ")) {
        flow.add(" ", word);
      }
    }
    List<Column> numbers = reading.inText();
    List<Stretch> stretches = Entities.stretches(rows);
    boolean isEmpty = true;
    for (Stretch about : stretches) {
      List<Entity> shown = Entities.with(numbers, Entities.of(rows, about));
      if (!shown.isEmpty()) {
        isEmpty = false;
        about(about);
        if (Entities.areTables(reading, shown)) {
          sentences(shown.stream().filter(entity -> entity.group().isAll()).toList(), numbers);
          facts(rows);
          flow.block(new TablesText(RowTable.of(shown, numbers.get(0)), length).lines());
        } else if (numbers.size() == 1) {
          list(shown, numbers.get(0));
        } else {
          sentencesAndGrid(shown, numbers);
        }
      }
    }
    if (isEmpty && !words.none().isEmpty()) {
      stretches.stream().limit(1).forEach(this::about);
      flow.add(GAP, words.none());
    }
    facts(rows);
  }

  private void about(Stretch windows) {
    switch (windows.kind()) {
      case OWN -> {}
      case RUNNING -> {
        if (!windows.since().equals(head.windowStart())) {
          flow.add(GAP, "since " + times.start(windows.since()));
        }
      }
      case LAST -> flow.before("last %,d: ".formatted(windows.windows()));
    }
  }

  /** Groups with a number each. */
  private void list(List<Entity> entities, Column number) {
    int most = length == TextLength.WHOLE ? Integer.MAX_VALUE : reading.most().terminal();
    List<Entity> first = Entities.first(entities, number, reading.most(), most);
    boolean several = Entities.areSeveral(entities);
    List<String> items = new ArrayList<>();
    first.forEach(entity -> items.add(item(entity, number, several)));
    if (first.size() < entities.size()) {
      items.add(more(first, entities));
    }
    String last = items.remove(items.size() - 1);
    items.forEach(item -> flow.add(GAP, item));
    flow.add(GAP, last + bound(first, number));
  }

  /** How far the intervals of a list reach at most, if a kind says so once. */
  private String bound(List<Entity> entities, Column number) {
    return entities.stream()
        .filter(entity -> reading.hasCommonBound())
        .flatMap(entity -> entity.quantity(number).stream())
        .filter(quantity -> quantity.interval().isPresent())
        .max(Comparator.comparingDouble(Quantity::half))
        .map(widest -> GAP + "+-" + NumberText.half(widest))
        .orElse("");
  }

  private String item(Entity entity, Column number, boolean several) {
    Quantity quantity = entity.quantity(number).orElseThrow();
    String rank =
        reading.ranks().stream()
            .flatMap(column -> entity.quantity(column).stream())
            .map(place -> NumberText.alone(place) + ". ")
            .collect(Collectors.joining());
    String marks = marks(entity).map(mark -> " (" + mark + ")").collect(Collectors.joining());
    return rank
        + name(entity, number, several)
        + " "
        + (number.style() == Style.SHARE ? NumberText.bar(quantity) : "")
        + number.around(
            reading.hasCommonBound() && !quantity.unknown()
                ? NumberText.alone(quantity)
                : NumberText.of(quantity, number.style(), Sign.TERMINAL, ""),
            quantity)
        + marks;
  }

  private Stream<String> marks(Entity entity) {
    return reading.marks().stream().filter(entity::has).map(Column::words);
  }

  private String name(Entity entity, Column number, boolean several) {
    String label = entity.label(several);
    return cut(label.isEmpty() ? number.name() : label);
  }

  private String cut(String name) {
    return length == TextLength.WHOLE ? name : TerminalColumns.cut(name, NAME);
  }

  /** How many are not shown, and of how many of them a mark holds. */
  private String more(List<Entity> shown, List<Entity> all) {
    StringBuilder more =
        new StringBuilder(String.format(Locale.ROOT, "and %,d more", all.size() - shown.size()));
    for (Column mark : reading.marks()) {
      long held = all.stream().filter(entity -> entity.has(mark)).count();
      long seen = shown.stream().filter(entity -> entity.has(mark)).count();
      if (held > seen) {
        more.append(String.format(Locale.ROOT, ", %,d of them %s", held - seen, mark.words()));
      }
    }
    return more.toString();
  }

  private void sentencesAndGrid(List<Entity> entities, List<Column> numbers) {
    List<Entity> all = entities.stream().filter(entity -> entity.group().isAll()).toList();
    List<Entity> groups = entities.stream().filter(entity -> !entity.group().isAll()).toList();
    if (all.isEmpty()) {
      flow.add(
          GAP, "by " + TerminalColumns.shown(String.join(" and ", groups.get(0).group().fields())));
    }
    sentences(all, numbers);
    if (!groups.isEmpty()) {
      grid(groups, numbers);
    }
  }

  /** What several measures say of all records. */
  private void sentences(List<Entity> entities, List<Column> columns) {
    for (int i = 0; i < entities.size(); i++) {
      Entity entity = entities.get(i);
      List<String> parts = new ArrayList<>();
      for (Column column : columns) {
        entity
            .quantity(column)
            .ifPresent(
                quantity ->
                    parts.add(
                        column.around(
                            quantity.unknown()
                                ? NumberText.UNKNOWN
                                : NumberText.of(quantity, column.style(), Sign.TERMINAL, ""),
                            quantity)));
      }
      String name = cut(entity.label(true));
      String end = i == entities.size() - 1 ? "" : ";";
      for (int part = 0; part < parts.size(); part++) {
        boolean isLast = part == parts.size() - 1;
        flow.add(
            part == 0 && i == 0 ? GAP : " ",
            (part == 0 && !name.isEmpty() ? name + " " : "")
                + parts.get(part)
                + (isLast ? end : ","));
      }
    }
  }

  /** Groups below each other, their measures side by side. */
  private void grid(List<Entity> entities, List<Column> columns) {
    int most = length == TextLength.WHOLE ? Integer.MAX_VALUE : reading.most().terminal();
    List<Entity> shown = entities.subList(0, Math.min(most, entities.size()));
    boolean several = Entities.areSeveral(entities);
    List<String> corner = new ArrayList<>();
    corner.add(several ? "" : cut(TerminalColumns.shown(entities.get(0).of())));
    shown.forEach(entity -> corner.add(cut(entity.label(several))));
    GridText grid = new GridText(corner, length);
    for (Column column : columns) {
      if (shown.stream().anyMatch(entity -> entity.quantity(column).isPresent())) {
        List<String> cells = new ArrayList<>(List.of(column.label()));
        shown.forEach(
            entity ->
                cells.add(
                    entity
                        .quantity(column)
                        .map(cell -> NumberText.of(cell, column.style(), Sign.TERMINAL, ""))
                        .orElse("")));
        grid.add(cells);
      }
    }
    flow.block(grid.lines());
    if (shown.size() < entities.size()) {
      flow.add(GAP, more(shown, entities));
    }
  }

  /** What is said of the output as a whole, and what no interval contains. */
  private void facts(List<OutputRow> rows) {
    if (hasFacts) {
      return;
    }
    hasFacts = true;
    for (Column fact : reading.facts()) {
      rows.stream()
          .filter(row -> row.group().isAll() && row.measure().name().equals(fact.measure()))
          .findFirst()
          .map(OutputRow::quantity)
          .ifPresent(
              quantity ->
                  flow.add(
                      GAP,
                      fact.around(
                          NumberText.of(quantity, fact.style(), Sign.TERMINAL, ""), quantity)));
    }
    OptionalDouble leftOut = head.leftOut();
    if (leftOut.isPresent() && leftOut.getAsDouble() > 0) {
      flow.add(
          GAP,
          String.format(
              Locale.ROOT,
              "(limits drop %.0f%% of the example's records)",
              leftOut.getAsDouble() * 100));
    }
  }
}
