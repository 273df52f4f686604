// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.workload;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RowNoise;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;

/**
 * One block of a stream, name by name, by the library alone: names do not meet.
 *
 * @param plan the noise and the thresholds
 * @param bars of its counts
 * @param truth what counts
 */
public record NameCounting(RunningDiscovery plan, RunningNameBars bars, NameTruth truth) {
  /**
   * A name at the end of the block.
   *
   * @param estimate its running count
   * @param interval of what counts
   * @param foundAfter windows; 1 to T
   */
  public record Kept(double estimate, RunningNameBars.Interval interval, int foundAfter) {}

  /**
   * The name, if it was found.
   *
   * @param name from 0
   */
  public Optional<Kept> of(int name) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("noise of name " + name);
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    RunningName state = RunningName.unseen(plan);
    boolean seen = false;
    for (int window = 1; window <= plan.tests().windows(); window++) {
      int records = truth.counted(name, window);
      seen = seen || records > 0;
      if (seen) {
        state = state.after(plan, window, records, noise).next();
      }
    }
    return state instanceof RunningName.Public found ? Optional.of(kept(found)) : Optional.empty();
  }

  private Kept kept(RunningName.Public found) {
    return new Kept(
        Math.scalb((double) found.told(), -20),
        bars.of(PublicName.of(found)),
        plan.tests().last(found.test()));
  }
}
