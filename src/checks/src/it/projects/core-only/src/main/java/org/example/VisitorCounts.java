// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package org.example;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.gate.Gate;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.LedgerRule.Ledgers;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.count.CountQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Publishes how many people visit a museum each day. The argument is the file of the secret. */
public final class VisitorCounts {
  private VisitorCounts() {}

  public static void main(String[] arguments) throws IOException {
    // Calibrate: 4 releases within epsilon 1. One visitor changes a day's count by at most 1.
    Epsilon epsilon = Epsilon.of("1");
    BudgetShare share = new BudgetShare("visitors", epsilon, Delta.of("0"), PrivacyFilter.PureDpFilter.of(epsilon));
    double inverseScale = epsilon.roundedDown() / 4; // of the Laplace noise of one release
    LaplaceNoise noise = new LaplaceNoise((long) Math.ceil(inverseScale * LaplaceNoise.STEPS) - 1);
    CountMeasurement<CountQuery> mechanism =
        new CountMeasurement<>(new CountQuery(), Sensitivity.addOrRemove(1), noise);

    // Charge: a ledger counts the releases. It admits 4 and refuses the fifth.
    Map<Integer, Long> costs = Map.of(0, share.cost(mechanism.charge()));
    LedgerRule rule = new LedgerRule(share, mechanism, 0, costs);
    Ledgers<String> ledgers = Ledgers.of(new HashMap<>()); // yours: kept as long as the budget
    StateEpoch state = new StateEpoch(1, 2); // yours: random, and kept with the ledgers

    // Draw: the gate takes one permit for one draw.
    Gate gate = new Gate(NoiseSecret.read(Path.of(arguments[0])).derive());
    long[] visitors = {812, 790, 845, 901, 777};
    for (int day = 0; day < visitors.length; day++) {
      ReleaseId id = new ReleaseId("budget", state, 1, "visitors", "museum", day * 86_400_000L, 0);
      ExactVector exact = new ExactVector(visitors[day]);
      String published =
          rule.charge(ledgers, "museum", id)
              .map(permit -> gate.release(permit, id, Measured.of(mechanism, Secret.of(exact))))
              .map(noisy -> noisy.of(0) + " +- " + noise.halfWidth(1)) // for 95 of 100 draws
              .orElse("no permit, the share is spent");
      System.out.println("day " + day + ": " + published);
    }
  }
}
