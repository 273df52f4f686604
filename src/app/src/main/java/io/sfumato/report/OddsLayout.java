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
                "A guess of %s, between two possibilities with the same chance, is right at most %s of the time."
                    .formatted(guess.about(), Figures.percentAtMost(guess.rightFromEven())))
        .collect(
            Collectors.joining(
                " ",
                "",
                " This holds for whoever sees all outputs, whatever else they know, and is about records of one period: all others count as known."));
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        say(
            "Epsilon bounds how far outputs can change anybody's mind about what is protected%s."
                .formatted(
                    sheet.protection().delta().signum() > 0
                        ? "; delta is how far, in probability, outputs may depart from that bound"
                        : "")));
    if (sheet.odds().guesses().size() > 1) {
      blocks.add(
          say(
              "Neighbours differ by whether the records of one user are there: that is one step. Two different sets of records of a user who is there are two steps apart: one is taken out, and the other put in. So they lose twice epsilon, with a delta of (1 + e^epsilon) times delta."));
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
            "Guessed: %s. Odds (yes against no) move by a factor F of %s at most, in either direction%s a guess between two possibilities with the same chance is right at most %s of the time."
                .formatted(
                    guess.about(),
                    Figures.atMost(guess.factor()),
                    sheet.protection().delta().signum() > 0
                        ? ", apart from delta. With delta,"
                        : ":",
                    Figures.percentAtMost(guess.rightFromEven()))),
        new Grid(
            List.of("sure of it before", "at least after", "at most after"),
            guess.beliefs().stream()
                .map(
                    belief ->
                        List.of(
                            Inline.of(Figures.percent(belief.before())),
                            Inline.of(Figures.percentAtLeast(belief.afterAtLeast())),
                            Inline.of(Figures.percentAtMost(belief.afterAtMost()))))
                .toList()),
        say(
            "By hand: a chance p becomes p F / (p F + 1 - p) at most, p / (p + (1 - p) F) at least, with %s. Bounds are never rounded to look better than they are."
                .formatted(factor)),
        say("A test that decides yes or no from all outputs is limited as well:"),
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
            "By hand: at a rate a of false alarms it detects a true yes with a probability of at most the smaller of F a + D and 1 - (1 - D - a) / F, with D = %s."
                .formatted(slack)));
  }
}
