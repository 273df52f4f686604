// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.estimate.dirichlet.SampleComplexity;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.random.KeyedRandom;

/** Weights instead of counts, a least count, and a statistic with two sensitivities. */
public final class WeightExample {
  private WeightExample() {}

  /** Releases shares of a total that stays private. */
  public static Distribution run() {
    // example: weights
    // Minutes by activity: a record is one visit of up to 60 minutes. Any other may replace it.
    CalibrationTarget share =
        new CalibrationTarget("minutes", Epsilon.of("2"), Delta.of("1e-6"), 1);
    PlanningModel guess = PlanningModel.zipf(4, 20_000); // public: 20,000 minutes in all
    DirichletBound visits = new DirichletBound.ReplaceWeighted(60);
    HistogramPlan plan = DirichletCalibrator.exact(share, visits, guess).orElseThrow();

    // Weights are added up in whole steps, and none may be above 60: cut them before you add.
    Histogram minutes = new Histogram(9_120, 6_044, 2_310, 1_875);
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example"); // not for real releases
    var shares = (Distribution) plan.mechanism().distribution(minutes).draw(random);
    System.out.printf("%.3f of all minutes%n", shares.share(0)); // the total stays private

    // Every activity is known to have 1,000 minutes: less noise. Sums below are raised to 1,000.
    DirichletBound known = new DirichletBound.LeastCount(1_000, visits);
    System.out.printf(
        "expected KL %.4f, with a least count %.4f%n",
        plan.expectedKl(),
        DirichletCalibrator.exact(share, known, guess).orElseThrow().expectedKl());

    // Any statistic f >= 0 in whole steps: here it moves by at most 3 in a coordinate, and by 5 in
    // Euclidean distance, where one record is replaced.
    DirichletBound moving = new DirichletBound.Statistic(25, 3);
    HistogramPlan other = DirichletCalibrator.renyi(share, moving, guess).orElseThrow();
    System.out.println(other.mechanism().charge().mechanism());

    // How large must the sum of f be for KL of at most 0.1 nats in 95 of 100 releases?
    var pair = ((DirichletMechanism) other.mechanism()).pair();
    SampleComplexity needed = new SampleComplexity(pair, 4, 0.1, 0.95);
    System.out.printf("%.0f by Theorem 2 of the paper%n", needed.byTheorem2());
    System.out.printf("%.0f if shares are as planned%n", needed.ofPlan(guess).orElseThrow());
    // end
    return shares;
  }

  public static void main(String[] arguments) {
    run();
  }
}
