// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.random.KeyedRandom;

/** A count that runs over 64 windows, of people who each add at most 4 records a window. */
public final class CountExample {
  private CountExample() {}

  /** Releases ten windows of it. */
  public static NoisyVector run() {
    // example: running count
    CalibrationTarget share = new CalibrationTarget("total", Epsilon.of("1"), Delta.of("1e-6"), 1);
    Sensitivity ofOneWindow = new CountTree(64).perWindow(Sensitivity.addOrRemove(4), 1);
    CountMeasurement<CountQuery> mechanism =
        VectorCalibrator.gaussianWindows(share, new CountQuery(), ofOneWindow)
            .orElseThrow()
            .mechanism();

    // For a simulation; real releases go through Gate.release.
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
    RunningCount running = RunningCount.START;
    for (long visitors : new long[] {812, 790, 845, 901, 777, 830, 812, 799, 850, 820}) {
      ExactVector exact = running.completedBy(new ExactVector(visitors));
      NoisyVector noisy = mechanism.distribution(exact).draw(random);
      running = running.plus(new RunningCount.Node(exact, noisy));
      long error = mechanism.noise().halfWidth(running.draws());
      System.out.printf("%d +- %d%n", running.noisy().of(0), error);
    }
    // end
    return running.noisy();
  }

  public static void main(String[] arguments) {
    run();
  }
}
