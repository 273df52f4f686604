// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;

/**
 * The noisy rows of windows in a row, as a pipeline draws them: one after the other.
 *
 * @param mechanism of a row
 * @param windows how many
 * @param first numbers of the first window; the others hold none
 */
record RowsOfWindows(RunningMechanism mechanism, int windows, long... first)
    implements OutputDistribution<NoisyVector> {
  @Override
  public void encodeInput(CanonicalEncoder encoder) {
    encoder.text("rows of windows").number(windows).numbers(first);
  }

  /** Row after row, in steps of the rows. */
  @Override
  public NoisyVector draw(KeyedRandom random) {
    int groups = first.length;
    RunningSums sums = RunningSums.start(mechanism.coefficients(), groups);
    Rows none = sums.rows(new long[groups]);
    long[] drawn = new long[windows * groups];
    for (int window = 0; window < windows; window++) {
      long[] numbers = window == 0 ? first : new long[groups];
      NoisyRunningRows noisy = mechanism.distribution(sums.rows(numbers)).draw(random);
      System.arraycopy(noisy.minus(none), 0, drawn, window * groups, groups);
      sums = sums.plus(numbers, noisy, mechanism.digits(), windows);
    }
    return new NoisyVector(drawn);
  }
}
