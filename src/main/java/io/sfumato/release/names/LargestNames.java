// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountedName;
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

  /** A name in a line of a table. */
  static String shown(Bar bar) {
    return String.format(
        Locale.ROOT,
        "%s %,d (%,d to %,d%s)",
        Visible.of(bar.name()),
        bar.count(),
        bar.low(),
        bar.high(),
        bar.found() ? ", found" : "");
  }

  /** Since when records are counted, where that is not the window's own start. */
  static String since(Instant since, Instant windowStart) {
    return since.equals(windowStart) ? "" : "since " + ViewText.day(since) + "  ";
  }

  /** Rows about the window, or about all since a first one. */
  static Card card(Instant since, Instant from, Instant to, List<Bar> bars) {
    Stretch stretch = since.equals(from) ? Stretch.own(from) : Stretch.running(since, null);
    return new Card(
        to,
        OptionalLong.empty(),
        OptionalDouble.empty(),
        List.of(new Card.Group(stretch, rows(bars))));
  }

  /** A name with its interval. */
  record Bar(String name, long count, long low, long high, boolean found) {}

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
        Visible.of(bar.name()),
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
