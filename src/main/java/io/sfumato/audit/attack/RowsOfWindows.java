// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit.attack;

import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.running.Rows;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;

/**
 * The noisy rows of windows in a row, as a pipeline draws them: one after the other.
 *
 * @param mechanism of a row
 * @param windows how many
 * @param records of the first window, in the unit of its numbers; others have none
 */
record RowsOfWindows(RunningMechanism mechanism, int windows, long records) implements Law<long[]> {
  @Override
  public void frame(Framing framing) {
    framing.text("rows of windows").number(windows).number(records);
  }

  /** In steps of the rows. */
  @Override
  public long[] draw(ReplayableRandom random) {
    RunningSums sums = RunningSums.start(mechanism.lags(), 1);
    Rows none = sums.rows(new long[] {0});
    long[] drawn = new long[windows];
    for (int window = 0; window < windows; window++) {
      long[] numbers = {window == 0 ? records : 0};
      Rows noisy = mechanism.law(sums.rows(numbers)).draw(random);
      drawn[window] = noisy.minus(none)[0];
      sums = sums.plus(numbers, noisy, mechanism.digits(), windows);
    }
    return drawn;
  }
}
