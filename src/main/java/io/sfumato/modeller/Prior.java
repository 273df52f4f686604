// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousUniformSampler;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;
import org.apache.commons.rng.sampling.distribution.GaussianSampler;
import org.apache.commons.rng.sampling.distribution.LogNormalSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** A simulator's prior, where the modeller wants another one than its own. */
public final class Prior {
  /** What a prior is written like. */
  public static final String FORMS =
      "NAME=uniform(low,high), normal(mean,sd), lognormal(mu,sigma), gamma(shape,rate), beta(a,b), or"
          + " dirichlet(a1,...,ak) for all parameters together";

  private static final Pattern FORM = Pattern.compile("(?:([^=]+)=)?([a-z]+)\\(([-+0-9.eE, ]+)\\)");
  private static final int MOST_TRIES = 100_000;

  private final Simulator simulator;
  private final Map<Integer, Distribution> given = new LinkedHashMap<>();
  private double[] concentrations = new double[0];

  private interface Distribution {
    double draw(UniformRandomProvider random);
  }

  private Prior(Simulator simulator) {
    this.simulator = simulator;
  }

  /**
   * The simulator's own prior, but for what is given.
   *
   * @param texts each of one of the {@link #FORMS}
   * @throws IllegalArgumentException if a text is none, or names no parameter
   */
  public static Prior of(Simulator simulator, List<String> texts) {
    Prior prior = new Prior(simulator);
    texts.forEach(prior::give);
    return prior;
  }

  private void give(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException("found '" + text + "', allowed is " + FORMS);
    }
    double[] numbers = numbers(text, form.group(3));
    if (form.group(2).equals("dirichlet")) {
      if (form.group(1) != null
          || numbers.length != simulator.parameters().size()
          || Arrays.stream(numbers).anyMatch(a -> !(a > 0))) {
        throw new IllegalArgumentException(
            "found '"
                + text
                + "', allowed is dirichlet with one number above 0 for each of "
                + simulator.parameters());
      }
      concentrations = numbers;
      return;
    }
    int place = form.group(1) == null ? -1 : simulator.parameters().indexOf(form.group(1).strip());
    if (place < 0) {
      throw new IllegalArgumentException(
          "found '" + text + "'; parameters are " + simulator.parameters());
    }
    Distribution distribution =
        switch (form.group(2)) {
          case "uniform" -> {
            require(text, numbers.length == 2 && numbers[0] < numbers[1]);
            yield r -> ContinuousUniformSampler.of(r, numbers[0], numbers[1]).sample();
          }
          case "normal" -> {
            require(text, numbers.length == 2 && numbers[1] > 0);
            yield r ->
                GaussianSampler.of(ZigguratSampler.NormalizedGaussian.of(r), numbers[0], numbers[1])
                    .sample();
          }
          case "lognormal" -> {
            require(text, numbers.length == 2 && numbers[1] > 0);
            yield r ->
                LogNormalSampler.of(
                        ZigguratSampler.NormalizedGaussian.of(r), numbers[0], numbers[1])
                    .sample();
          }
          case "gamma" -> {
            require(text, numbers.length == 2 && numbers[0] > 0 && numbers[1] > 0);
            yield r ->
                AhrensDieterMarsagliaTsangGammaSampler.of(r, numbers[0], 1 / numbers[1]).sample();
          }
          case "beta" -> {
            require(text, numbers.length == 2 && numbers[0] > 0 && numbers[1] > 0);
            yield r -> ChengBetaSampler.of(r, numbers[0], numbers[1]).sample();
          }
          default ->
              throw new IllegalArgumentException("found '" + text + "', allowed is " + FORMS);
        };
    given.put(place, distribution);
  }

  private static void require(String text, boolean usable) {
    if (!usable) {
      throw new IllegalArgumentException(
          "found '" + text + "', whose numbers make no distribution; allowed is " + FORMS);
    }
  }

  private static double[] numbers(String text, String list) {
    try {
      return Arrays.stream(list.split(",")).mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("found '" + text + "', allowed is " + FORMS, e);
    }
  }

  /**
   * One draw that the model makes sense with.
   *
   * @throws IllegalArgumentException if none of 100,000 does
   */
  public double[] draw(UniformRandomProvider random) {
    for (int i = 0; i < MOST_TRIES; i++) {
      double[] theta = new double[simulator.parameters().size()];
      Arrays.fill(theta, Double.NaN);
      if (concentrations.length > 0) {
        theta = DirichletSampler.of(random, concentrations).sample();
      }
      for (Map.Entry<Integer, Distribution> entry : given.entrySet()) {
        theta[entry.getKey()] = entry.getValue().draw(random);
      }
      simulator.complete(theta, random);
      if (simulator.isPlausible(theta)) {
        return theta;
      }
    }
    throw new IllegalArgumentException(
        "the prior gives no parameters with which the model makes sense: "
            + simulator.parameters());
  }
}
