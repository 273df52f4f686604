// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Amount;
import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Heading;
import io.sfumato.report.Page.Block.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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
              List.of(
                  "how long, wherever it begins",
                  "periods that it meets, at most",
                  "epsilon, added up",
                  "epsilon, composed",
                  "delta",
                  "guessed right at most, from 50%"),
              total.longer().stream()
                  .map(
                      stretch ->
                          List.of(
                              Inline.of(stretch.said()),
                              Inline.of(String.format(Locale.ROOT, "%,d", stretch.periods())),
                              Inline.of(
                                  stretch.isBounded()
                                      ? Figures.atMost(added(stretch))
                                      : "no bound"),
                              Inline.of(
                                  stretch
                                      .best()
                                      .map(
                                          best ->
                                              Figures.atMost(best.epsilon())
                                                  + " by "
                                                  + best.accountant())
                                      .orElse("no bound")),
                              Inline.of(Figures.plain(stretch.delta())),
                              Inline.of(right(stretch))))
                  .toList()));
    }
    if (!total.sharesNoise().isEmpty()) {
      blocks.add(
          new Prose(
              Inline.of(
                  "Windows of %s share their noise: what somebody loses by them in several periods does not add up, and no figure here contains it. A longer period bounds it."
                      .formatted(quoted(total.sharesNoise())))));
    }
    return blocks;
  }

  /** Epsilon of all outputs that add up, as often. */
  private double added(Total.Stretch stretch) {
    return stretch.periods()
        * sheet.outputs().stream()
            .filter(output -> !sheet.total().sharesNoise().contains(output.name()))
            .flatMap(output -> output.spends().stream())
            .mapToDouble(spending -> spending.epsilon().doubleValue())
            .sum();
  }

  /** How often a guess from an even chance is right. */
  private String right(Total.Stretch stretch) {
    return stretch.isBounded()
        ? Figures.percentAtMost(Odds.rightFromEven(least(stretch), stretch.delta().doubleValue()))
        : "no bound";
  }

  /** The least epsilon that is known of it, where its delta is below 1. */
  private double least(Total.Stretch stretch) {
    return stretch
        .best()
        .map(best -> Math.min(best.epsilon(), added(stretch)))
        .orElse(added(stretch));
  }

  /** A year, in a sentence. */
  String inShort() {
    List<Total.Stretch> longer = sheet.total().longer();
    if (longer.isEmpty()) {
      return sheet.total().sharesNoise().isEmpty()
          ? sheet.total().longerSaid()
          : "%s: no figure, since windows share their noise."
              .formatted(quoted(sheet.total().sharesNoise()));
    }
    Total.Stretch year =
        longer.stream().filter(s -> s.said().equals("a year")).findFirst().orElse(longer.get(0));
    String without =
        sheet.total().sharesNoise().isEmpty()
            ? ""
            : ", without " + quoted(sheet.total().sharesNoise());
    String told =
        year.isBounded()
            ? "outputs tell epsilon %s, delta %s%s: a guess of what had an even chance is right at most %s of the time"
                .formatted(
                    Figures.atMost(least(year)), Figures.plain(year.delta()), without, right(year))
            : "nothing is bounded, since their deltas come to 1 or more" + without;
    return "Budgets of periods add up. Of %s in %s, wherever it begins (%s at most), %s. See 'what it costs'."
        .formatted(sheet.total().about(), year.said(), Amount.of(year.periods(), "period"), told);
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }
}
