// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples.maximum;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;

/**
 * The category with the largest noisy count: post-processing of the noise on all of them, whose
 * loss it is charged.
 *
 * @param counts the noise, with its charge
 */
record NoisyMaximum(CountMechanism counts) implements Mechanism<Histogram, Integer> {
  @Override
  public Charge charge() {
    Charge noise = counts.charge();
    return new Charge(
        "noisy-maximum " + noise.mechanism(),
        noise.unit(),
        noise.curve(),
        noise.pure(),
        noise.profile());
  }

  @Override
  public void frame(Histogram exact, Framing framing) {
    counts.frame(Counts.byCategory(exact), framing.text("noisy-maximum"));
  }

  @Override
  public Integer release(Histogram exact, ReplayableRandom random) {
    long[] noisy = counts.release(Counts.byCategory(exact), random).values();
    int largest = 0;
    for (int i = 1; i < noisy.length; i++) {
      largest = noisy[i] > noisy[largest] ? i : largest;
    }
    return largest;
  }
}
