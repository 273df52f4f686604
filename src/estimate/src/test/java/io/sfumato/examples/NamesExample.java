// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RowNoise;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.random.KeyedRandom;

/**
 * A name that nobody listed, over 30 days, of people who add at most 5 records to as many names.
 */
public final class NamesExample {
  private NamesExample() {}

  /** Counts one name over a block. */
  public static RunningName run() {
    // example: names over windows
    RunningBounds user = new RunningBounds.PerPeriod(5, 1);
    TestSchedule tests = new TestSchedule(30, 6); // 30 windows, tested after every sixth
    RunningDiscovery plan =
        RunningSelectionCalibrator.gaussian("names", Epsilon.of("2"), Delta.of("1e-6"), user, tests)
            .orElseThrow();
    RunningNameBars bars = new RunningNameBars(plan);

    // For a simulation; each row of a real release goes through Gate.release.
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    RunningName name = RunningName.unseen(plan);
    for (int window = 1; window <= 30; window++) {
      RunningName.Step step = name.after(plan, window, 7, noise);
      name = step.next();
      if (name instanceof RunningName.Public found) {
        RunningNameBars.Interval interval = bars.of(PublicName.of(found));
        double count = Math.scalb((double) found.told(), -20);
        System.out.printf(
            "%d: %.0f (%.0f to %.0f)%n", window, count, interval.low(), interval.high());
      }
    }
    // end
    return name;
  }

  public static void main(String[] arguments) {
    run();
  }
}
