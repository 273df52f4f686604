// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.workload;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.TestSchedule;

/**
 * What is compared: names found and counted over 100 windows at (6, 1e-9), with at most 32 records
 * of a user in all of them.
 *
 * @param perName k: most records of a user for one name, 1 to 32
 * @param every e: names are tested at the end of every e-th window, 1 to 100
 */
public record NameSetting(int perName, int every) {
  /** Users of the published table. */
  public static final int ALL_USERS = 10_000_000;

  /** Records of them, about. */
  public static final int ALL_RECORDS = 61_000_000;

  /** Windows of the block. */
  public static final int WINDOWS = 100;

  /** C: most records of a user in the block. */
  public static final int RECORDS = 32;

  /** Of the guarantee. */
  public static final String EPSILON = "6";

  /** Likewise. */
  public static final String DELTA = "1e-9";

  /** What the paper's Table 1 says. */
  public static final String PUBLISHED =
      "DP-SQLP, 10 million users (published): 32,146 names, L-infinity 1,094, L2 44,538";

  /** What of a user counts. */
  public RunningBounds.PerPeriod bounds() {
    return new RunningBounds.PerPeriod(RECORDS, perName);
  }

  /** The noise and the thresholds, which no record has a say in. */
  public RunningDiscovery plan() {
    return RunningSelectionCalibrator.gaussian(
            "names",
            Epsilon.of(EPSILON),
            Delta.of(DELTA),
            bounds(),
            new TestSchedule(WINDOWS, every))
        .orElseThrow();
  }
}
