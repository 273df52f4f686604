// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.rows.Card;
import io.sfumato.rows.Cards;
import io.sfumato.rows.Interval;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.TextLength;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Whatever kind an output is of, its rows say what it says. */
class OutputRowsTest {
  private static final int COLUMNS = 80;

  /** Behind it the measure's name says which one, and nothing else does. */
  private static final String QUANTILE = "quantile ";

  /** What stands in the drawn fields of one output. */
  private static final class Drawn {
    private final List<Number> numbers = new ArrayList<>();
    private final List<Number> errors = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Map<String, Long> marks = new HashMap<>();

    Drawn(OutputView view, IndexedRecord output) {
      for (String field : view.drawn()) {
        add(field, output.get(output.getSchema().getField(field).pos()));
      }
    }

    private void add(String field, Object value) {
      if (value instanceof List<?> list) {
        list.forEach(each -> add(field, each));
      } else if (value instanceof IndexedRecord record) {
        for (Schema.Field inner : record.getSchema().getFields()) {
          add(inner.name(), record.get(inner.pos()));
        }
      } else if (value instanceof Number number) {
        Number exact = number instanceof Integer ? (Number) number.longValue() : number;
        (field.endsWith("error_95") ? errors : numbers).add(exact);
      } else if (value instanceof Boolean holds) {
        marks.merge(field, holds ? 1L : 0L, Long::sum);
      } else if (value instanceof String name
          && !field.equals("columns")
          && !field.equals("value")) {
        names.add(name);
      }
    }
  }

  private static List<OutputRow> rows(OutputView view, IndexedRecord output) {
    return view.rows(output, Optional.empty());
  }

  private static IndexedRecord output(OutputView view, long seed) {
    return new RandomOutputs(seed).of(view.schema());
  }

  private static Stream<Number> numbers(OutputRow row) {
    List<Number> numbers = new ArrayList<>(List.of(row.quantity().value()));
    row.quantity().interval().map(Interval::low).ifPresent(numbers::add);
    row.quantity().interval().map(Interval::high).ifPresent(numbers::add);
    if (row.measure().name().startsWith(QUANTILE)) {
      numbers.add(Double.valueOf(row.measure().name().substring(QUANTILE.length())));
    }
    return numbers.stream();
  }

  @Property
  void shouldStateEachDrawnNumberExactly(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      Drawn drawn = new Drawn(view, output);
      List<Number> stated =
          new ArrayList<>(rows(view, output).stream().flatMap(OutputRowsTest::numbers).toList());
      for (Number number : drawn.numbers) {
        if (!isOnlyPart(view, output, number)) {
          assertThat(stated.remove(number)).as("%s of %s", number, output).isTrue();
        }
      }
    }
  }

  /** A list that is one record has no part that is worth a row. */
  private static boolean isOnlyPart(OutputView view, IndexedRecord output, Number number) {
    return view.drawn().contains("parts") && view.parts(output) == 1 && number.equals(1L);
  }

  @Property
  void shouldStateErrorsAsIntervals(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      List<OutputRow> rows = rows(view, output);
      for (Number error : new Drawn(view, output).errors) {
        assertThat(rows).as("+-%s of %s", error, output).anyMatch(row -> isWithin(row, error));
      }
    }
  }

  private static boolean isWithin(OutputRow row, Number error) {
    Number value = row.quantity().value();
    return row.quantity()
        .interval()
        .filter(
            interval ->
                interval.level() == Interval.LEVEL
                    && (value instanceof Long count && error instanceof Long half
                        ? interval.low().equals(count - half)
                            && interval.high().equals(count + half)
                        : interval.low().equals(value.doubleValue() - error.doubleValue())
                            && interval.high().equals(value.doubleValue() + error.doubleValue())))
        .isPresent();
  }

  @Property
  void shouldStateNamesAndMarks(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      Drawn drawn = new Drawn(view, output);
      List<OutputRow> rows = rows(view, output);
      assertThat(rows.stream().flatMap(row -> row.group().values().stream()))
          .as("%s", output)
          .containsAll(drawn.names);
      for (String mark : List.of("found", "accepted")) {
        assertThat(
                rows.stream()
                    .filter(row -> row.measure().name().equals(mark))
                    .filter(row -> row.quantity().value().equals(1L)))
            .as("%s of %s", mark, output)
            .hasSize(drawn.marks.getOrDefault(mark, 0L).intValue());
      }
      // Records of shares have no such mark: it follows from the interval.
      assertThat(
              rows.stream()
                  .filter(row -> row.quantity().unknown())
                  .filter(row -> !row.measure().name().equals("share"))
                  .count())
          .isEqualTo(drawn.marks.getOrDefault("unknown", 0L));
      assertThat(rows.stream().filter(row -> row.quantity().clamped()).count())
          .isEqualTo(drawn.marks.getOrDefault("clamped", 0L));
    }
  }

  /** What noise decides is not passed for a public fact, nor the other way round. */
  @Property
  void shouldTellDrawnNumbersFromPublicFacts(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      Schema.Field records = output.getSchema().getField("records");
      if (records == null || view.drawn().contains("records")) {
        continue;
      }
      assertThat(rows(view, output).stream().filter(row -> row.measure().name().equals("records")))
          .allMatch(row -> !row.drawn());
    }
  }

  @Property
  void shouldGiveEachRowAKeyOfItsOwn(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      assertThat(
              rows(view, output).stream()
                  .map(row -> List.of(row.about().kind(), row.group(), row.measure())))
          .as("%s", output)
          .doesNotHaveDuplicates();
      assertThat(rows(view, output)).allMatch(row -> row.head().equals(OutputHead.of(output)));
    }
  }

  @Property
  void shouldFitATerminalAndBePrintableWhateverStandsInTheOutput(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      for (TextLength length : TextLength.values()) {
        List<String> lines = new ShownOutput(view, output).text(length).lines().toList();
        assertThat(lines)
            .as("%s", output)
            .allMatch(line -> line.codePoints().allMatch(ControlCharEscaper::isShown))
            .allMatch(line -> length == TextLength.WHOLE || TerminalColumns.of(line) <= COLUMNS)
            .first()
            .asString()
            .startsWith("2026-11-02 00:00  north");
      }
    }
  }

  @Property
  void shouldLeaveNothingOutOffATerminal(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      assertThat(new ShownOutput(view, output).text(TextLength.WHOLE))
          .as("%s", output)
          .doesNotContainPattern("and [\\d,]+ more")
          .doesNotContain("…");
    }
  }

  @Property
  void shouldMakeACardOfEachOutput(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = output(view, seed);
      Card card = Cards.of(OutputHead.of(output), rows(view, output), view.reading(output));
      assertThat(card.sections())
          .as("%s", output)
          .flatExtracting(Card.Section::rows)
          .allMatch(row -> ControlCharEscaper.of(row.label()).equals(row.label()))
          .allMatch(row -> !row.label().isEmpty());
    }
  }
}
