// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Optional;

/**
 * A sparse vector's answers where they tell most: very many rejections near the threshold hold its
 * noise down, and then candidates far away are accepted. Where a threshold is drawn anew, once more
 * after each acceptance.
 */
final class SparseTarget {
  /** Before each acceptance that follows a new threshold. */
  private static final int REJECTIONS = 20_000;

  /** Of those that are drawn: sampling sees next to nothing of what is that rare. */
  private static final int DRAWN = 6;

  /** How far away the accepted ones are, in scales of the threshold's noise. */
  private static final double FAR = 60;

  private static final double REACH = 80;
  private static final int STEPS = 1 << 16;

  private SparseTarget() {}

  /**
   * As it is attacked.
   *
   * @param plan what is promised, and the noise
   * @param given how many acceptances are given, and by which thresholds: the plan, if it is kept
   */
  static AttackTarget of(SparseVectorQueries plan, SparseVectorQueries given, double sensitivity) {
    SparseVector noise = plan.noise(sensitivity, REJECTIONS + plan.acceptances());
    double moved = sensitivity / noise.scale();
    int segments = given.mode() == Threshold.KEPT ? 1 : (int) given.acceptances();
    int accepted = given.mode() == Threshold.KEPT ? (int) given.acceptances() : 1;
    double p = segment(moved, accepted);
    double q = segment(0, accepted);
    double loss = segments * StrictMath.log(p / q);
    return new AttackTarget(
        "sparse vector, %s, c=%d".formatted(plan.mode().word(), plan.acceptances()),
        "each distance moved by D, up or down",
        AttackTarget.Promise.of(plan.epsilon().roundedDown(), 0),
        PrivacyClaim.of(plan.charge()),
        Optional.of(
            () ->
                Events.of(
                    List.of(
                        new Events.Atom(1, StrictMath.exp(-loss)),
                        new Events.Atom(0, 1 - StrictMath.exp(-loss))))),
        Optional.of(
            new AttackTarget.Draws(
                random -> rejected(noise, plan.threshold() + sensitivity, random),
                random -> rejected(noise, plan.threshold(), random))),
        Optional.empty(),
        "");
  }

  /**
   * The chance of all rejections and then so many acceptances, with distances that are moved: up
   * where they are rejected, down where they are accepted. In scales of the threshold's noise;
   * times e^(FAR / 2) for each acceptance, the same for all.
   */
  private static double segment(double moved, int accepted) {
    double sum = 0;
    double step = 2 * REACH / STEPS;
    for (int i = 0; i <= STEPS; i++) {
      double z = -REACH + i * step;
      double ln = -Math.abs(z);
      ln += REJECTIONS * StrictMath.log1p(-atMost(z - moved));
      ln += accepted * lnAccepted(z + moved);
      sum += StrictMath.exp(ln);
    }
    return sum;
  }

  /** P[a distance's noise <= x], of twice the scale. */
  private static double atMost(double x) {
    return x < 0 ? StrictMath.exp(x / 2) / 2 : 1 - StrictMath.exp(-x / 2) / 2;
  }

  /** As far away as these are, in its exponential part. */
  private static double lnAccepted(double x) {
    double at = x - FAR;
    return at < 0 ? at / 2 + FAR / 2 : StrictMath.log(2 * atMost(at)) + FAR / 2;
  }

  /** How many of a few candidates at one distance are rejected before the first acceptance. */
  private static double rejected(SparseVector noise, double rho, KeyedRandom random) {
    Optional<SparseVector.State> state =
        noise.start(index -> noise.threshold(random).orElseThrow());
    for (int i = 0; i < DRAWN; i++) {
      if (noise.answer(rho, state).draw(random).outcome() == 1) {
        return i;
      }
    }
    return DRAWN;
  }
}
