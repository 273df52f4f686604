// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
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
        + Bytes.text(rows.coefficients().word())
        + 4L * Bytes.UNSIGNED
        + 2L * Bytes.SIGNED * RunningSums.mostBins(rows.coefficients(), windows)
        + 2L * Bytes.SIGNED;
  }
}
