// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where noise is next to none, the search is known exactly. */
class GoogleTreeTest {
  private static final AmountRange RANGE = new AmountRange("units", 0, 16);
  private static final double NO_NOISE = 1e9;

  private static GoogleTree.Noisy exact(double... x) {
    GoogleTree tree =
        GoogleTree.of(Amounts.oneEach("numbers", RANGE, x), GoogleNoise.LAPLACE, NO_NOISE, 0);
    return tree.draw(KeyedRandom.ofPublicSeed("tree"));
  }

  @Test
  void shouldFindQuantilesWithinALeafWhereNoNodeIsNearlyEmpty() {
    double[] x = IntStream.range(0, 65_536).mapToDouble(i -> (i + 0.5) / 4096).toArray();
    GoogleTree.Noisy tree = exact(x);
    for (double q : new double[] {0.01, 0.25, 0.4999, 0.5, 0.77, 0.99}) {
      assertThat(tree.quantile(q)).isCloseTo(16 * q, within(1e-4));
    }
    assertThat(tree.quantile(0)).as("begins at 0.005").isCloseTo(16 * 0.005, within(1e-4));
    assertThat(tree.quantile(1)).isCloseTo(16 * 0.995, within(1e-4));
  }

  /** 7 of 1,000 records in the first of sixteen children are dropped, 8 are not. */
  @Test
  void shouldTakeChildrenWithLessThanThreeQuartersOfAPercentForEmpty() {
    double[] x = new double[1000];
    Arrays.fill(x, 8.5);
    Arrays.fill(x, 0, 7, 0.5);
    assertThat(exact(x).quantile(0.006)).isBetween(8.49, 8.51);
    Arrays.fill(x, 0, 8, 0.5);
    assertThat(exact(x).quantile(0.006)).isBetween(0.49, 0.51);
  }

  @Test
  void shouldNotFallWithQ() {
    Amounts amounts = MadeUpAmounts.LOG_NORMAL.of(500);
    GoogleTree.Noisy tree =
        GoogleTree.of(amounts, GoogleNoise.GAUSSIAN, 1, 1e-6)
            .draw(KeyedRandom.ofPublicSeed("rising"));
    double[] found = IntStream.rangeClosed(0, 100).mapToDouble(i -> i / 100.0).toArray();
    // Any order of questions: the noise of a node is drawn once.
    for (int i = found.length - 1; i >= 0; i--) {
      found[i] = tree.quantile(found[i]);
    }
    assertThat(found).isSorted();
    assertThat(tree.quantile(0.37)).isEqualTo(found[37]);
  }

  /** A record lies in four nodes: with Laplace noise each is four times as noisy. */
  @Test
  void shouldSpreadTheBudgetOverItsLevels() {
    Amounts amounts = MadeUpAmounts.UNIFORM.of(10);
    double laplace = GoogleTree.of(amounts, GoogleNoise.LAPLACE, 1, 0).noise().reach(0.05);
    assertThat(laplace).isCloseTo(4 * Math.log(20), within(1e-9));
    double gaussian = GoogleTree.of(amounts, GoogleNoise.GAUSSIAN, 1, 1e-6).noise().reach(0.05);
    assertThat(gaussian).isBetween(2 * 4.2247 * 1.95996, 2 * 4.2247 * 1.95996 * 1.0012);
  }
}
