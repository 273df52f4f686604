// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import java.math.BigDecimal;
import java.util.List;

/**
 * How names that nobody listed are found and counted over the windows of a block:
 * docs/theory/partition-selection.md, Theorem N.
 *
 * @param tests when names are tested
 * @param bounds of a user
 * @param coarse rows of a name that is not public, one a test
 * @param fine rows of a public name, one a window
 * @param thresholds tau of every test: running estimates from here on make a name public
 * @param filter of the share: its horizon is {@link RunningBounds#horizon}
 * @param thresholdDelta the part of the delta that thresholds take
 */
public record RunningDiscovery(
    TestSchedule tests,
    RunningBounds bounds,
    RunningMechanism coarse,
    RunningMechanism fine,
    List<Threshold> thresholds,
    PrivacyFilter filter,
    BigDecimal thresholdDelta) {
  /**
   * @throws IllegalArgumentException unless each test has one threshold
   */
  public RunningDiscovery {
    thresholds = List.copyOf(thresholds);
    if (thresholds.size() != tests.count()) {
      throw new IllegalArgumentException(
          "%d tests have %d thresholds".formatted(tests.count(), thresholds.size()));
    }
  }

  /**
   * What one of the user's windows, or records, costs, whichever sequences it lies in: coarse rows
   * have so much noise that no move of them tells more than one of fine rows.
   */
  public PrivacyCost charge() {
    return fine.charge();
  }

  /**
   * The largest probability that a name of one user alone passes at a test.
   *
   * @param test from 1
   * @param records of that name so far, at most
   */
  public double passing(int test, long records) {
    return new CoarseEstimates(coarse, test).tail(test, thresholds.get(test - 1).least() - records);
  }

  /** The deviation of a coarse row's noise over that of a fine one's, as charges assume it. */
  public double ratio() {
    return coarse.sensitivity().l2() / fine.sensitivity().l2();
  }

  /**
   * Whether an estimate passes.
   *
   * @param test from 1
   * @param estimate in steps of 2^-20
   */
  public boolean passes(int test, long estimate) {
    return estimate >= thresholds.get(test - 1).least() << RunningSums.TOLD_DIGITS;
  }
}
