// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.modeller.PseudoData.Numbers;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ChiSquare;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModellerTest {
  private final UniformRandomProvider random = KeyedRandom.ofPublicSeed("modeller");

  /** Chi-square at 1e-9, fixed seed. */
  @Test
  void theMixtureHasItsShares() {
    double[] theta = {0.25, 0.04, 0.33, 0.04, 0.34};
    Numbers data = new MixtureOfUniforms(5).simulate(theta, 100_000, random);
    long[] counts = new long[5];
    for (double[] row : data.rows()) {
      counts[(int) row[0]]++;
    }
    ChiSquare.assertFollows(counts, theta);
  }

  /** Halves of components; chi-square at 1e-9, fixed seed. */
  @Test
  void theMixtureIsUniformWithinAComponent() {
    double[] theta = {0, 0.5, 1e-9, 0.5 - 1e-9, 0};
    Numbers data = new MixtureOfUniforms(5).simulate(theta, 100_000, random);
    assertThat(data.records()).isEqualTo(100_000);
    long[] halves = new long[4];
    for (double x : data.values()) {
      int component = (int) x;
      assertThat(theta[component]).as("share of %s", x).isPositive();
      if (component != 2) {
        halves[(component == 1 ? 0 : 2) + (x - component < 0.5 ? 0 : 1)]++;
      }
    }
    ChiSquare.assertFollows(halves, new double[] {0.25, 0.25, 0.25, 0.25});
  }

  @Test
  void rowsAreRecordsOfEqualLength() {
    double[][] rows = {{1, 2, 3}, {4, 5, 6}};
    Numbers numbers = Numbers.of(rows);
    assertThat(numbers.records()).isEqualTo(2);
    assertThat(numbers.rows()).isDeepEqualTo(rows);
    assertThatThrownBy(() -> new Numbers(new double[5], 2)).hasMessageContaining("records of 2");
    assertThatThrownBy(() -> Numbers.of(new double[0][])).hasMessageContaining("found 0 numbers");
  }

  @Test
  void eventRatesHaveTheirShares() {
    double[] theta = {0.5, 0.3, 0.2};
    EventRates rates = new EventRates(List.of("a", "b", "c"));
    ChiSquare.assertFollows(rates.simulate(theta, 100_000, random).byCategory(), theta);
  }

  /** Chi-square at 1e-9, fixed seed. */
  @Test
  void candidatesAreDrawnByTheirWeights() {
    double[] weights = {0, 0.5, 0.05, 0, 0.45, 0};
    Posterior posterior = new Posterior();
    for (int i = 0; i < weights.length; i++) {
      posterior.add(new double[] {i}, 2 * weights[i]);
    }
    long[] drawn = new long[weights.length];
    for (int i = 0; i < 100_000; i++) {
      drawn[posterior.draw(random)]++;
    }
    assertThat(drawn[0] + drawn[3] + drawn[5]).isZero();
    ChiSquare.assertFollows(
        new long[] {drawn[1], drawn[2], drawn[4]}, new double[] {0.5, 0.05, 0.45});
    assertThatThrownBy(() -> new Posterior().draw(random))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void credibleIntervalsHoldTheirWeight() {
    Posterior posterior = new Posterior();
    IntStream.range(0, 1000).forEach(i -> posterior.add(new double[] {(i * 367) % 1000}, 1));
    posterior.add(new double[] {-5}, 0);
    assertThat(posterior.interval(0, 0.9375)).containsExactly(31, 968);
    assertThat(new Posterior().interval(0, 0.95)).containsOnly(Double.NaN);
    Posterior one = new Posterior();
    one.add(new double[] {7}, 0.1);
    assertThat(one.interval(0, 0.95)).containsExactly(7, 7);
  }

  @Test
  void sanFranciscoIsAsPublished() {
    Outbreak observed = Outbreak.sanFrancisco();
    assertThat(observed.isolates()).isEqualTo(473);
    assertThat(observed.clusters()).hasSize(326).startsWith(30, 23, 15, 10, 8, 5, 5).endsWith(1);
    assertThat(observed.months()).hasSize(30);
    assertThat(observed.distance(observed)).isZero();
    int[] fewer = Arrays.copyOf(observed.clusters(), 325);
    Outbreak other = new Outbreak(fewer, observed.months());
    // One isolate and one cluster less; singles are 281 of 472 instead of 282 of 473, pairs 20.
    double singles = 100 * (281.0 / 472 - 282.0 / 473) / (282.0 / 473);
    double pairs = 100 * (20.0 / 472 - 20.0 / 473) / (20.0 / 473);
    assertThat(observed.distance(other))
        .isCloseTo(Math.sqrt(2 + singles * singles + pairs * pairs), within(1e-9));
  }

  /**
   * In equilibrium as many cases end as begin: beta / (1 - .95 R2 - .05 R1) a year, four of five
   * observed. Mean of 400 outbreaks within 7 standard errors (false alarm below 1e-9 for a normal
   * mean; the warm-up is long against the parameters chosen).
   */
  @Test
  void theOutbreakIsInEquilibrium() {
    Tuberculosis model = new Tuberculosis();
    double[] theta = {100, 2, 10, 0.3};
    assertThat(model.isPlausible(theta)).isTrue();
    double expected = 2 * 0.8 * 100 / (1 - 0.95 * 0.3 - 0.05 * 2);
    double[] found =
        IntStream.range(0, 400)
            .mapToDouble(i -> model.outbreak(theta, random).isolates())
            .toArray();
    double mean = Arrays.stream(found).average().orElseThrow();
    double variance =
        Arrays.stream(found).map(x -> (x - mean) * (x - mean)).sum() / (found.length - 1);
    assertThat(mean).isCloseTo(expected, within(7 * Math.sqrt(variance / found.length)));
    Outbreak one = model.outbreak(theta, random);
    assertThat(one.months()).hasSize(one.clusters()[0]);
    assertThat(Arrays.stream(one.months())).allMatch(month -> month >= 0 && month < 24);
    assertThat(one.clusters()).isSortedAccordingTo((x, y) -> y - x);
    assertThat(model.simulate(theta, 1, random).rows().length).isGreaterThan(100);
  }

  @Test
  void thePriorOfTuberculosisKeepsItsBounds() {
    Tuberculosis model = new Tuberculosis();
    Prior prior = Prior.of(model, List.of("R1=uniform(3,4)"));
    for (int i = 0; i < 200; i++) {
      double[] theta = prior.draw(random);
      assertThat(theta[1]).isBetween(3.0, 4.0);
      assertThat(theta[3]).isBetween(0.0, 1.0);
      assertThat(theta[2] + theta[2] / (theta[1] - 1)).isLessThan(40);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "R1", "R9=uniform(1,2)", "R1=uniform(2,1)", "R1=normal(1,-1)", "R1=gamma(0,1)",
        "R1=cauchy(0,1)", "dirichlet(1,1)", "R1=uniform(1,x)", "beta=beta(1)", "beta=lognormal(0)"
      })
  void whatIsNoPriorIsRefusedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> Prior.of(new Tuberculosis(), List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found '" + text + "'");
  }

  @Test
  void aPriorWithoutSenseIsNotDrawnForEver() {
    Prior prior = Prior.of(new Tuberculosis(), List.of("beta=uniform(-2,-1)"));
    assertThatThrownBy(() -> prior.draw(random)).hasMessageContaining("makes sense");
  }

  @Test
  void aPosteriorIsTheWeightedDraws() {
    Posterior posterior = new Posterior();
    assertThat(posterior.isEmpty()).isTrue();
    posterior.add(new double[] {1}, 1);
    posterior.add(new double[] {3}, 3);
    posterior.add(new double[] {9}, 0);
    assertThat(posterior.mean(0)).isEqualTo(2.5);
    assertThat(posterior.deviation(0)).isCloseTo(Math.sqrt(0.75), within(1e-12));
    assertThat(posterior.effectiveSize()).isCloseTo(1.6, within(1e-12));
    assertThat(posterior.histogram(0, 0, 10, 5)).containsExactly(0.25, 0.75, 0, 0, 0);
    assertThat(posterior.range(0)).containsExactly(1, 9);
    assertThatThrownBy(() -> posterior.add(new double[] {1}, Double.NaN))
        .hasMessageContaining("at least 0");
  }
}
