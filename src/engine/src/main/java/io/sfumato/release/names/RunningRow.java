// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.pipeline.Bytes;

/** The most that is kept of a name that is counted over windows. */
final class RunningRow {
  private RunningRow() {}

  static long bytes(RunningDiscovery plan) {
    return Bytes.SIGNED
        + 2
        + Bytes.UNSIGNED
        + Bytes.SIGNED
        + Math.max(
            sums(plan.coarse(), plan.tests().count()), sums(plan.fine(), plan.tests().windows()));
  }

  private static long sums(RunningMechanism rows, int windows) {
    return 1
        + Bytes.text(rows.lags().word())
        + 4L * Bytes.UNSIGNED
        + 2L * Bytes.SIGNED * RunningSums.mostBins(rows.lags(), windows)
        + 2L * Bytes.SIGNED;
  }
}
