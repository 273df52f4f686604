// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Plurals;
import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Heading;
import io.sfumato.report.Page.Block.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lays out what several periods come to. */
final class LongerLayout {
  private final Sheet sheet;

  LongerLayout(Sheet sheet) {
    this.sheet = sheet;
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    Total total = sheet.total();
    blocks.add(new Heading("Over longer times"));
    if (!total.longer().isEmpty() || total.sharesNoise().isEmpty()) {
      blocks.add(new Prose(Inline.of(total.longerSaid())));
    }
    if (!total.longer().isEmpty()) {
      blocks.add(
          new Grid(
              Stream.concat(
                      Stream.of(
                          "length, from any start",
                          "periods touched, at most",
                          "epsilon, basic composition",
                          "epsilon, tighter composition",
                          "delta"),
                      sheet.odds().guesses().stream()
                          .map(guess -> guess.word() + " guessed right at most, from 50%"))
                  .toList(),
              total.longer().stream().map(this::row).toList()));
    }
    if (!total.sharesNoise().isEmpty()) {
      blocks.add(
          new Prose(
              Inline.of(
                  "The windows of %s share noise: composition gives no useful bound for them, because delta grows like e^epsilon from period to period. No figure here includes them. A longer period would bound their loss."
                      .formatted(quoted(total.sharesNoise())))));
    }
    return blocks;
  }

  private List<Inline> row(Total.Stretch stretch) {
    Stream<String> figures =
        Stream.of(
            stretch.said(),
            String.format(Locale.ROOT, "%,d", stretch.run().periods()),
            stretch.isBounded()
                ? Figures.atMost(stretch.run().epsilon().doubleValue())
                : "no bound",
            stretch
                .best()
                .map(best -> Figures.atMost(best.epsilon()) + " by " + best.accountant())
                .orElse("no bound"),
            Figures.plain(stretch.run().delta()));
    Stream<String> guesses = sheet.odds().guesses().stream().map(guess -> right(stretch, guess));
    return Stream.concat(figures, guesses).map(Inline::of).toList();
  }

  /** How often a guess is right whose possibilities had the same chance. */
  private String right(Total.Stretch stretch, Odds.Guess guess) {
    if (!stretch.isBounded()) {
      return "no bound";
    }
    double epsilon = least(stretch);
    double delta = stretch.run().delta().doubleValue();
    return Odds.delta(guess.steps(), epsilon, delta) < 1
        ? Figures.percentAtMost(Odds.rightFromEven(guess.steps(), epsilon, delta))
        : byPeriods(stretch, guess);
  }

  /**
   * The steps of each period first, and then all periods added up: delta grows less so, where
   * periods share no noise.
   */
  private String byPeriods(Total.Stretch stretch, Odds.Guess guess) {
    long periods = stretch.run().periods();
    boolean chained =
        stretch.run().parts().stream()
            .anyMatch(
                part -> part.sharesNoise() && !stretch.run().unbounded().contains(part.output()));
    double epsilon = stretch.run().epsilon().doubleValue() / periods;
    double delta = stretch.run().delta().doubleValue() / periods;
    double all = periods * Odds.delta(guess.steps(), epsilon, delta);
    return chained || all >= 1
        ? "no bound"
        : Figures.percentAtMost(
            Odds.rightFromEven(1, guess.steps() * stretch.run().epsilon().doubleValue(), all));
  }

  /** The least epsilon that is known of it, where its delta is below 1. */
  private double least(Total.Stretch stretch) {
    return stretch
        .best()
        .map(best -> Math.min(best.epsilon(), stretch.run().epsilon().doubleValue()))
        .orElse(stretch.run().epsilon().doubleValue());
  }

  /** A year, in a sentence. */
  String inShort() {
    List<Total.Stretch> longer = sheet.total().longer();
    if (longer.isEmpty()) {
      return sheet.total().sharesNoise().isEmpty()
          ? sheet.total().longerSaid()
          : "%s: no bound, since windows share their noise."
              .formatted(quoted(sheet.total().sharesNoise()));
    }
    Total.Stretch year =
        longer.stream().filter(s -> s.said().equals("365 days")).findFirst().orElse(longer.get(0));
    String without =
        sheet.total().sharesNoise().isEmpty()
            ? ""
            : ", without " + quoted(sheet.total().sharesNoise());
    String told =
        year.isBounded()
            ? "outputs reveal at most epsilon %s, delta %s%s: %s"
                .formatted(
                    Figures.atMost(least(year)),
                    Figures.plain(year.run().delta()),
                    without,
                    sheet.odds().guesses().stream()
                        .map(guess -> told(year, guess))
                        .collect(Collectors.joining(", ")))
            : "composition gives no bound, because the deltas add up to 1 or more" + without;
    return "The budgets of successive periods add up. About %s in any %s (at most %s), %s. See 'what it costs'."
        .formatted(
            sheet.total().about(), year.said(), Plurals.of(year.run().periods(), "period"), told);
  }

  private String told(Total.Stretch year, Odds.Guess guess) {
    String right = right(year, guess);
    if (right.startsWith("above")) {
      return "%s is practically unprotected over that time (a 50:50 guess could be right %s of the time)"
          .formatted(guess.word(), right);
    }
    return right.equals("no bound")
        ? "no bound is computed on how often %s is guessed right".formatted(guess.word())
        : "%s is guessed right at most %s of the time".formatted(guess.word(), right);
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }
}
