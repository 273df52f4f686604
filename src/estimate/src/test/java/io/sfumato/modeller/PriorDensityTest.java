// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ChiSquare;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Densities of priors against their draws, and draws against their laws. */
class PriorDensityTest {
  private final UniformRandomProvider random = KeyedRandom.ofPublicSeed("prior density");

  /** A model of one parameter that makes no sense above 3. */
  private record One() implements Simulator {
    @Override
    public List<String> parameters() {
      return List.of("x");
    }

    @Override
    public void complete(double[] theta, UniformRandomProvider random) {}

    @Override
    public boolean isPlausible(double[] theta) {
      return theta[0] < 3;
    }

    @Override
    public PseudoData simulate(double[] theta, int records, UniformRandomProvider random) {
      return new PseudoData.Counts(new long[] {records});
    }
  }

  /** Chi-square at 1e-9, fixed seed; the norm to 5%, which is what tries find of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x=uniform(-1,4)",
        "x=normal(1,2)",
        "x=lognormal(0.5,0.8)",
        "x=gamma(2.5,1.5)",
        "x=beta(2,3)"
      })
  void drawsHaveTheirDensity(String text) {
    Prior prior = Prior.of(new One(), List.of(text));
    PriorDensity density = prior.density(random).orElseThrow();
    int bins = 12;
    int fine = 1000;
    double low = -6;
    double width = 9.0 / bins;
    double[] expected = new double[bins];
    for (int i = 0; i < bins * fine; i++) {
      double x = low + (i + 0.5) * width / fine;
      expected[i / fine] += Math.exp(density.log(new double[] {x})) * width / fine;
    }
    double norm = Arrays.stream(expected).sum();
    assertThat(norm).isCloseTo(1, within(0.05));
    long[] drawn = new long[bins];
    int inside = 0;
    for (int i = 0; i < 20_000; i++) {
      double x = prior.draw(random)[0];
      if (x > low) {
        drawn[(int) ((x - low) / width)]++;
        inside++;
      }
    }
    assertThat(inside).isGreaterThan(19_000);
    int[] likely = IntStream.range(0, bins).filter(i -> expected[i] > 1e-3).toArray();
    long[] seen = Arrays.stream(likely).mapToLong(i -> drawn[i]).toArray();
    double most = Arrays.stream(likely).mapToDouble(i -> expected[i]).sum();
    ChiSquare.assertFollows(
        seen, Arrays.stream(likely).mapToDouble(i -> expected[i] / most).toArray());
  }

  /** By differences: the Jacobian is that of the map. */
  @Test
  void coordinatesAreInvertibleWithTheirJacobians() {
    Coordinates each =
        new Coordinates.Each(
            List.of(
                Coordinates.Range.REAL, Coordinates.Range.POSITIVE, new Coordinates.Range(-2, 5)));
    double[] theta = {0.3, 0.2, 1.5};
    assertThat(each.theta(each.free(theta))).containsExactly(theta, within(1e-12));
    double logs = 0;
    double h = 1e-6;
    for (int i = 0; i < 3; i++) {
      double[] up = each.free(theta);
      double[] down = up.clone();
      up[i] += h;
      down[i] -= h;
      logs += Math.log((each.theta(up)[i] - each.theta(down)[i]) / (2 * h));
    }
    assertThat(each.logJacobian(theta)).isCloseTo(logs, within(1e-6));
    Coordinates shares = new Coordinates.Shares(2);
    double[] two = {0.3, 0.7};
    assertThat(shares.theta(shares.free(two))).containsExactly(two, within(1e-12));
    assertThat(shares.logJacobian(two)).isCloseTo(Math.log(0.3 * 0.7), within(1e-12));
  }

  @Test
  void sharesOfAWholeAreKnownWholeOrNotAtAll() {
    EventRates rates = new EventRates(List.of("a", "b", "c"));
    assertThat(Prior.of(rates, List.of()).density(random)).isPresent();
    assertThat(Prior.of(rates, List.of("dirichlet(2,1,1)")).density(random)).isPresent();
    assertThat(Prior.of(rates, List.of("a=beta(2,2)")).density(random)).isEqualTo(Optional.empty());
    double density =
        Prior.of(rates, List.of()).density(random).orElseThrow().log(new double[] {0.2, 0.3, 0.5});
    assertThat(density).isCloseTo(Math.log(2), within(1e-12));
  }

  /** Chi-square at 1e-9, fixed seed. */
  @ParameterizedTest
  @CsvSource({"7,0.3", "400,0.004", "60,0.5", "1000,0.93", "100000,0.31"})
  void binomialsAreDrawnInConstantTime(int n, double p) {
    BinomialDistribution law = new BinomialDistribution(n, p);
    int low = law.inverseCumulativeProbability(0.001);
    int high = Math.max(low + 2, law.inverseCumulativeProbability(0.999));
    int bins = Math.min(20, high - low + 1);
    double[] expected = new double[bins + 1];
    int[] edges =
        IntStream.rangeClosed(0, bins).map(i -> low + (high - low + 1) * i / bins).toArray();
    for (int i = 0; i < bins; i++) {
      expected[i] =
          law.cumulativeProbability(edges[i + 1] - 1) - law.cumulativeProbability(edges[i] - 1);
    }
    expected[bins] = 1 - Arrays.stream(expected).sum();
    long[] drawn = new long[bins + 1];
    for (int i = 0; i < 100_000; i++) {
      int k = Binomial.sample(random, n, p);
      assertThat(k).isBetween(0, n);
      int bin = bins;
      for (int b = 0; b < bins; b++) {
        bin = k >= edges[b] && k < edges[b + 1] ? b : bin;
      }
      drawn[bin]++;
    }
    ChiSquare.assertFollows(drawn, expected);
  }
}
