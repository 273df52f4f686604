// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import static io.sfumato.report.Layout.row;
import static io.sfumato.report.Layout.say;

import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the promise means for somebody who guesses, in words and tables. */
record OddsLayout(Sheet sheet) {
  /** What the best guess from all outputs comes to, of each thing that may be guessed. */
  String inWords() {
    return sheet.odds().guesses().stream()
        .map(
            guess ->
                "A 50:50 guess of %s becomes right at most %s of the time."
                    .formatted(guess.about(), Figures.percentAtMost(guess.rightFromEven())))
        .collect(
            Collectors.joining(
                " ",
                "",
                " This holds against anyone who sees all outputs, whatever else they know. It "
                    + "covers the records of one period; all others count as known."));
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        say(
            "Epsilon bounds how much anyone can learn from outputs about what is protected%s."
                .formatted(
                    sheet.protection().delta().signum() > 0
                        ? "; delta is the probability by which outputs may exceed that bound"
                        : "")));
    if (sheet.odds().guesses().size() > 1) {
      blocks.add(
          say(
              "Neighbouring logs differ in the presence of one user's records: one step. To "
                  + "change the records of a user who is present takes two steps: remove one set, "
                  + "add the other. So facts about such a user have twice epsilon, and (1 + "
                  + "e^epsilon) times delta."));
    }
    sheet.odds().guesses().forEach(guess -> blocks.addAll(meaning(guess)));
    return blocks;
  }

  private List<Block> meaning(Odds.Guess guess) {
    String epsilon = Figures.plain(sheet.protection().epsilon());
    String factor =
        "F = e^" + (guess.steps() == 1 ? epsilon : "(" + guess.steps() + " x " + epsilon + ")");
    String slack = guess.steps() == 1 ? "delta" : "delta (1 + e^epsilon)";
    return List.of(
        say(
            "Guess: %s. The odds (yes against no) change by a factor F of at most %s, in either direction%s a 50:50 guess becomes right at most %s of the time."
                .formatted(
                    guess.about(),
                    Figures.atMost(guess.factor()),
                    sheet.protection().delta().signum() > 0
                        ? ", apart from delta. Including delta,"
                        : ":",
                    Figures.percentAtMost(guess.rightFromEven()))),
        new Grid(
            List.of("certainty before", "after, at least", "after, at most"),
            guess.beliefs().stream()
                .map(
                    belief ->
                        List.of(
                            Inline.of(Figures.percent(belief.before())),
                            Inline.of(Figures.percentAtLeast(belief.afterAtLeast())),
                            Inline.of(Figures.percentAtMost(belief.afterAtMost()))))
                .toList()),
        say(
            "Formula: a probability p becomes at most p F / (p F + 1 - p) and at least p / (p + (1 - p) F), with %s. Bounds are rounded conservatively."
                .formatted(factor)),
        say("A statistical test based on all outputs is limited too:"),
        // Read without its head, too: narrow screens hide those of two columns.
        new Grid(
            List.of("a test with", "detects a true yes"),
            guess.tests().stream()
                .map(
                    test ->
                        row(
                            Figures.percent(test.falseAlarms()) + " false alarms",
                            Inline.of(
                                "detects a true yes at most "
                                    + Figures.percentAtMost(test.hitsAtMost())
                                    + " of the time")))
                .toList()),
        say(
            "Formula: with a false alarm rate a, it detects a true yes with probability at most min(F a + D, 1 - (1 - D - a) / F), with D = %s."
                .formatted(slack)));
  }
}
