// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.gate.Gate;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.LedgerRule.Ledgers;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import java.util.HashMap;
import java.util.Map;

/** A private distribution over categories, charged before it is drawn. Needs no Kafka. */
public final class HistogramExample {
  private HistogramExample() {}

  /** Plans 4 releases and makes the first one. */
  public static Distribution run() {
    // example: histogram
    // Whatever 4 releases reveal about one record is bounded by epsilon 4, delta 1e-6.
    CalibrationTarget share = new CalibrationTarget("mix", Epsilon.of("4"), Delta.of("1e-6"), 4);
    PlanningModel guess = PlanningModel.zipf(4, 200); // public: never look at the data here
    HistogramPlan plan = DirichletCalibrator.plan(share, Accountant.EXACT, guess).orElseThrow();
    HistogramMechanism mechanism = plan.mechanism();

    // Charge first: a ledger counts how often each charge was made.
    Map<Integer, Long> costs = Map.of(0, plan.share().cost(mechanism.charge()));
    LedgerRule rule = new LedgerRule(plan.share(), mechanism, 0, costs);
    Ledgers<String> ledgers = Ledgers.of(new HashMap<>()); // yours: kept as long as the budget
    ReleaseId id = new ReleaseId("budget", StateEpoch.random(), 1, "mix", "ann", 0, 0);
    Permit permit =
        rule.charge(ledgers, "ann", id)
            .orElseThrow(() -> new IllegalStateException("the share is spent"));

    // Then draw: the same secret, id and data always give the same bytes.
    Gate gate = new Gate(NoiseSecret.random().derive()); // yours: one that is kept
    Histogram data = new Histogram(120, 40, 30, 10);
    var released = (Distribution) gate.release(permit, id, Measured.of(mechanism, Secret.of(data)));

    double share0 = released.share(0);
    double error = plan.accuracy().halfWidth(share0, data.size(), 4); // for 95 of 100 draws
    System.out.printf("%.3f +- %.3f%n", share0, error);
    // end
    return released;
  }

  public static void main(String[] arguments) {
    run();
  }
}
