// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.GroupPrivacy;
import io.sfumato.accounting.PrivacyUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What (epsilon, delta) means for whoever looks at outputs.
 *
 * @param guesses what somebody may want to know, the best protected first
 */
public record Odds(List<Guess> guesses) {
  private static final double[] BEFORE = {0.001, 0.01, 0.1, 0.5};
  private static final double[] FALSE_ALARMS = {0.01, 0.05};

  public Odds {
    guesses = List.copyOf(guesses);
  }

  /**
   * A guess between two possibilities.
   *
   * @param word what is guessed, in a word: "presence", "a fact"
   * @param about what is guessed
   * @param steps how many times one must go from a dataset to a neighbour to get from one
   *     possibility to the other
   * @param factor by how much the odds may move, apart from what delta allows: e^(steps epsilon)
   * @param rightFromEven how often the guess is right at most if both had the same chance, delta
   *     included
   * @param beliefs how sure somebody may become
   * @param tests how often a rule that looks for one of the possibilities may be right
   */
  public record Guess(
      String word,
      String about,
      int steps,
      double factor,
      double rightFromEven,
      List<Belief> beliefs,
      List<Test> tests) {

    private static Guess of(String word, String about, int steps, double epsilon, double delta) {
      double factor = StrictMath.exp(steps * epsilon);
      double slack = delta(steps, epsilon, delta);
      return new Guess(
          word,
          about,
          steps,
          factor,
          Odds.rightFromEven(steps, epsilon, delta),
          DoubleStream.of(BEFORE)
              .mapToObj(
                  before ->
                      new Belief(
                          before,
                          before / (before + (1 - before) * factor),
                          before / (before + (1 - before) / factor)))
              .toList(),
          DoubleStream.of(FALSE_ALARMS)
              .mapToObj(
                  alarms ->
                      new Test(
                          alarms,
                          Math.min(
                              1,
                              Math.min(
                                  factor * alarms + slack, 1 - (1 - slack - alarms) / factor))))
              .toList());
    }
  }

  /**
   * Of somebody who holds something for true with a probability, before and after: Bayes' rule,
   * with a likelihood ratio between e^-(steps epsilon) and e^(steps epsilon).
   */
  public record Belief(double before, double afterAtLeast, double afterAtMost) {}

  /**
   * A rule that says from all outputs whether one thing is in the data, by how often it says so of
   * data without it, and how often at most of data with it (Wasserman, Zhou 2010).
   */
  public record Test(double falseAlarms, double hitsAtMost) {}

  /**
   * Of a guarantee.
   *
   * @param unit what is protected: neighbours differ by the contents of one record, by all data of
   *     a subject, or by whether the records of one user are there
   */
  static Odds of(PrivacyUnit unit, Epsilon epsilon, Delta delta) {
    double loss = epsilon.value().doubleValue();
    double slack = delta.value().doubleValue();
    return new Odds(
        switch (unit) {
          case RECORD -> List.of(Guess.of("a fact", "the content of one record", 1, loss, slack));
          case DATASET -> List.of(Guess.of("a fact", "the data of one subject", 1, loss, slack));
          case USER ->
              List.of(
                  Guess.of("presence", "whether a user has any records", 1, loss, slack),
                  Guess.of(
                      "a fact",
                      "a fact about a user who has records (such as their contents)",
                      // His records are taken out, and others put in.
                      2,
                      loss,
                      slack));
        });
  }

  /**
   * How often a guess of what had an even chance is right at most, delta included: one half and
   * half of the largest total variation (Kairouz, Oh, Viswanath 2015), (e^E + D) / (e^E + 1), of
   * the (E, D) that as many steps lose.
   *
   * @param steps at least 1
   * @param delta of one step, at least 0; where D comes to 1 every guess may be right
   */
  static double rightFromEven(int steps, double epsilon, double delta) {
    double loss = steps * epsilon;
    double slack = delta(steps, epsilon, delta);
    double wrong = StrictMath.exp(-loss) * (1 - slack) / (1 + StrictMath.exp(-loss));
    return 1 - Math.max(0, wrong);
  }

  /** Group privacy: delta (1 + e^epsilon + ... + e^((steps - 1) epsilon)); at most 1. */
  static double delta(int steps, double epsilon, double delta) {
    return steps == 1 || delta == 0
        ? Math.min(1, delta)
        : Math.min(
            1, delta * GroupPrivacy.deltas(BigDecimal.valueOf(epsilon), steps).doubleValue());
  }
}
