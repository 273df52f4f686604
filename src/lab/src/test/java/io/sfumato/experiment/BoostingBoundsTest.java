// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.random.KeyedRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoostingBoundsTest {
  private static final double LN2 = Math.log(2);

  /** P, Q and a classifier on a few points. */
  private record World(double[] p, double[] q, double[] c) {
    static World random(KeyedRandom random, double largest) {
      double[] p = weights(random);
      double[] q = weights(random);
      double[] c =
          IntStream.range(0, p.length)
              .mapToDouble(
                  i -> {
                    double sign = Math.signum(p[i] - q[i]);
                    return largest * sign * Math.pow(random.nextOpenDouble(), 0.3);
                  })
              .toArray();
      return new World(p, q, c);
    }

    private static double[] weights(KeyedRandom random) {
      return DensityGrid.normalised(
          IntStream.range(0, 5)
              .mapToDouble(i -> Math.pow(-Math.log(random.nextOpenDouble()), 3))
              .toArray());
    }

    double largest() {
      return IntStream.range(0, c.length).mapToDouble(i -> Math.abs(c[i])).max().orElseThrow();
    }

    double over(double[] distribution) {
      return IntStream.range(0, c.length).mapToDouble(i -> distribution[i] * c[i]).sum();
    }

    BoostingBounds bounds(double theta) {
      return new BoostingBounds(theta, largest(), over(p) / largest(), -over(q) / largest());
    }

    /** KL(P, Q) - KL(P, Q') with Q' ~ Q exp(theta c), from the divergences themselves. */
    double drop(double theta) {
      double[] next =
          DensityGrid.normalised(
              IntStream.range(0, c.length)
                  .mapToDouble(i -> q[i] * Math.exp(theta * c[i]))
                  .toArray());
      return DensityGrid.kl(p, q) - DensityGrid.kl(p, next);
    }
  }

  @Test
  void everyRoundDropsByWhatIsProvedWhateverTheClassifier() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("boosting bounds");
    int violated = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      World world = World.random(random, LN2 * random.nextOpenDouble());
      double theta = random.nextOpenDouble();
      BoostingBounds bounds = world.bounds(theta);
      assertThat(world.drop(theta)).isGreaterThanOrEqualTo(bounds.provedDrop() - 1e-12);
      violated += world.drop(theta) < bounds.printedDrop() - 1e-9 ? 1 : 0;
    }
    assertThat(violated).as("rounds that drop by less than what is printed").isPositive();
  }

  /** Both slips of one round, by hand: scores of +-0.1 tell P from Q without error. */
  @Test
  void smallScoresDropByLessThanPrinted() {
    double small = 1e-6;
    World world =
        new World(
            new double[] {1 - small, small},
            new double[] {small, 1 - small},
            new double[] {0.1, -0.1});
    BoostingBounds high = world.bounds(0.5);
    assertThat(high.isHigh()).isTrue();
    assertThat(world.drop(0.5)).isCloseTo(0.5 * 0.2, within(1e-5));
    assertThat(high.printedDrop()).isCloseTo(0.5 * (0.1 + LN2), within(1e-5));
    assertThat(high.provedDrop()).isLessThan(world.drop(0.5));
    World weak =
        new World(new double[] {0.6, 0.4}, new double[] {0.4, 0.6}, new double[] {0.1, -0.1});
    BoostingBounds low = weak.bounds(0.5);
    assertThat(low.isHigh()).isFalse();
    assertThat(weak.drop(0.5)).isLessThan(low.printedDrop() / 5);
    assertThat(low.provedDrop()).isBetween(0.9 * weak.drop(0.5), weak.drop(0.5));
  }

  /** Theorem 7's lower bound is what Jensen's inequality bounds the drop by from above. */
  @Test
  void noClassifierAttainsTheTotalThatIsPrinted() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("total");
    int high = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      World world = World.random(random, LN2);
      double epsilon = 10 * random.nextOpenDouble();
      double theta = epsilon / (epsilon + 4 * LN2);
      World full =
          new World(
              world.p(),
              world.q(),
              IntStream.range(0, 5).mapToDouble(i -> Math.signum(world.c()[i]) * LN2).toArray());
      BoostingBounds bounds = full.bounds(theta);
      if (bounds.isHigh()) {
        high++;
        assertThat(full.drop(theta))
            .isLessThan(
                BoostingBounds.printedTotal(epsilon, bounds.gammaP(), bounds.gammaQ(), theta));
      }
    }
    assertThat(high).isGreaterThan(1000);
  }

  /** Theorem 8's condition holds with equality at the least alpha. */
  @Test
  void theLeastAlphaMeetsTheCondition() {
    double epsilon = 0.5;
    double alpha = BoostingBounds.leastAlpha(epsilon, 0.6, 0.5, 3, 0.4);
    assertThat(alpha).isPositive();
    double h = epsilon + 2 * (2 - 0.6 - 0.5) * 3;
    assertThat(epsilon * h / ((epsilon + 2 * alpha) * (epsilon + 6))).isCloseTo(0.4, within(1e-12));
  }
}
