// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountedName;
import io.sfumato.text.Columns;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Which names come first, and how they are shown. */
public final class LargestNames {
  /** Names by their bytes: the order of UTF-16 is another one. */
  public static final Comparator<String> BY_BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private static final Comparator<CountedName> LARGEST =
      Comparator.comparingLong(CountedName::getCount)
          .reversed()
          .thenComparing(CountedName::getName, BY_BYTES);

  private LargestNames() {}

  /**
   * The largest counts first; of as many the first name.
   *
   * @param most at least 0
   */
  static List<CountedName> first(List<CountedName> names, int most) {
    return names.stream().sorted(LARGEST).limit(most).toList();
  }

  /** Since when records are counted, where that is not the window's own start. */
  static String since(Instant since, Instant windowStart) {
    return since.equals(windowStart) ? "" : "since " + ViewText.start(since) + "  ";
  }

  /** Most columns of a name in a line of a table. */
  private static final int NAME = 20;

  /** Most columns of all names in a line: before them a window and a subject take 31. */
  private static final int LINE = 40;

  /** A name in a line of a table; JSON has long ones whole. */
  static String shown(String name, long count, boolean found) {
    return "%s %d%s"
        .formatted(Columns.cut(Columns.shown(name), NAME), count, found ? " (found)" : "");
  }

  /**
   * What is beside all of some counts: how far their intervals reach at most.
   *
   * @param bars at least one
   */
  static String within(List<Bar> bars) {
    long most =
        bars.stream()
            .mapToLong(bar -> Math.max(bar.count() - bar.low(), bar.high() - bar.count()))
            .max()
            .orElseThrow();
    return "  +-%d".formatted(most);
  }

  /**
   * Names of a line, as many as fit, and how many do not.
   *
   * @param shown names, the first of which is always told
   * @param all how many there are, these included
   * @param more what is said beside how many are left out
   */
  static String line(List<String> shown, long all, String more) {
    StringBuilder line = new StringBuilder(shown.get(0));
    int told = 1;
    int columns = Columns.of(shown.get(0));
    for (String next : shown.subList(1, shown.size())) {
      columns += 2 + Columns.of(next);
      if (columns > LINE) {
        break;
      }
      line.append("  ").append(next);
      told++;
    }
    return all == told ? line.toString() : line + "  and %,d more%s".formatted(all - told, more);
  }

  /** A name with its interval. */
  record Bar(String name, long count, long low, long high, boolean found) {}

  /**
   * A card of the largest of a list.
   *
   * @param bars those that are shown, the largest first
   * @param all how many there are
   */
  static Card card(
      Stretch stretch, Instant to, List<Bar> bars, long all, OptionalDouble exampleLeftOut) {
    return new Card(
        to,
        OptionalLong.empty(),
        exampleLeftOut,
        List.of(new Card.Group(stretch, rows(bars), Math.max(0, all - bars.size()))));
  }

  /** Bars of one scale, that of the largest number among them. */
  private static List<Card.Row> rows(List<Bar> bars) {
    double scale =
        bars.stream().mapToDouble(bar -> Math.max(bar.high(), bar.count())).max().orElse(1);
    return bars.stream().map(bar -> row(bar, Math.max(1, scale))).toList();
  }

  private static Card.Row row(Bar bar, double scale) {
    // What was found has more of its interval on one side: the longer one is drawn on both.
    double error = Math.max(bar.count() - bar.low(), bar.high() - bar.count());
    return new Card.Row(
        Columns.shown(bar.name()),
        bar.count(),
        OptionalDouble.of(bar.count() / scale),
        OptionalDouble.of(error / scale),
        Optional.of(new Card.Spot(bar.count(), bar.low(), bar.high())),
        String.format(
            Locale.ROOT,
            "%,d%s (%,d to %,d)",
            bar.count(),
            bar.found() ? ", found" : "",
            bar.low(),
            bar.high()));
  }
}
