// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.Rows;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Rows of names over several windows, as a share pays for them: what passes is part of what they
 * cost, so that a charge names the thresholds too.
 *
 * @param plan noise of both sequences of a name, and the thresholds
 */
public record RunningDiscoveryMechanism(RunningDiscovery plan)
    implements Mechanism<Rows, NoisyRunningRows> {
  @Override
  public String method() {
    return plan.fine().method();
  }

  @Override
  public PrivacyCost charge() {
    PrivacyCost rows = plan.charge();
    int tests = plan.thresholds().size();
    return new PrivacyCost(
        "%s over-%d from-%d-to-%d"
            .formatted(
                rows.mechanism(),
                plan.tests().windows(),
                plan.thresholds().get(0).least(),
                plan.thresholds().get(tests - 1).least()),
        rows.unit(),
        rows.curve(),
        rows.pure(),
        rows.profile());
  }

  /** Rows of both sequences of a name. */
  @Override
  public List<Mechanism<?, ?>> paidFor() {
    return List.of(plan.coarse(), plan.fine());
  }

  @Override
  public Map<String, Double> parameters() {
    return plan.fine().parameters();
  }

  @Override
  public OutputDistribution<NoisyRunningRows> distribution(Rows exact) {
    return plan.fine().distribution(exact);
  }

  @Override
  public OptionalDouble divergence(double order, Rows first, Rows second) {
    return plan.fine().divergence(order, first, second);
  }
}
