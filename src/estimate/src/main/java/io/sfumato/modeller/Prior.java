// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import static org.apache.commons.math3.special.Gamma.logGamma;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;

/** A simulator's prior, where the modeller wants another one than its own. */
public final class Prior {
  /** What a prior is written like. */
  public static final String FORMS =
      "NAME=uniform(low,high), normal(mean,sd), lognormal(mu,sigma), gamma(shape,rate), beta(a,b), or"
          + " dirichlet(a1,...,ak) for all parameters together";

  private static final Pattern FORM = Pattern.compile("(?:([^=]+)=)?([a-z]+)\\(([-+0-9.eE, ]+)\\)");
  private static final int MOST_TRIES = 100_000;
  private static final int TRIES = 10_000;

  private final Simulator simulator;
  private final Map<Integer, Given> given = new LinkedHashMap<>();
  private double[] concentrations = new double[0];

  /** The law of one parameter. */
  private record Given(PriorLaw law, double first, double second) {
    double draw(UniformRandomProvider random) {
      return law.draw(first, second, random);
    }

    double log(double x) {
      return law.log(first, second, x);
    }
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
    PriorLaw law =
        Arrays.stream(PriorLaw.values())
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(form.group(2)))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("found '" + text + "', allowed is " + FORMS));
    require(text, numbers.length == 2 && law.isOne(numbers[0], numbers[1]));
    given.put(place, new Given(law, numbers[0], numbers[1]));
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
      double[] theta = tried(random);
      if (simulator.isPlausible(theta)) {
        return theta;
      }
    }
    throw new IllegalArgumentException(
        "the prior gives no parameters with which the model makes sense: "
            + simulator.parameters());
  }

  private double[] tried(UniformRandomProvider random) {
    double[] theta = new double[simulator.parameters().size()];
    Arrays.fill(theta, Double.NaN);
    if (concentrations.length > 0) {
      theta = DirichletSampler.of(random, concentrations).sample();
    }
    for (Map.Entry<Integer, Given> entry : given.entrySet()) {
      theta[entry.getKey()] = entry.getValue().draw(random);
    }
    simulator.complete(theta, random);
    return theta;
  }

  /**
   * The density of {@link #draw}; nothing where the simulator does not know its own, or shares of a
   * whole are given one by one.
   *
   * @param random finds how much of the prior the model makes no sense with
   */
  public Optional<PriorDensity> density(UniformRandomProvider random) {
    return whole()
        .map(
            all -> {
              double plausible = Math.log(plausible(random));
              return new PriorDensity() {
                @Override
                public Coordinates coordinates() {
                  return all.coordinates();
                }

                @Override
                public double log(double[] theta) {
                  return simulator.isPlausible(theta)
                      ? all.log(theta) - plausible
                      : Double.NEGATIVE_INFINITY;
                }
              };
            });
  }

  /** The share of tries that the model makes sense with, above 0. */
  private double plausible(UniformRandomProvider random) {
    long found = 0;
    for (int i = 0; i < TRIES; i++) {
      found += simulator.isPlausible(tried(random)) ? 1 : 0;
    }
    return Math.max(1, found) / (double) TRIES;
  }

  /** The density of a try, whatever the model makes of it. */
  private Optional<PriorDensity> whole() {
    int count = simulator.parameters().size();
    if (concentrations.length > 0) {
      return given.isEmpty()
          ? Optional.of(new Dirichlet(concentrations.clone()))
          : Optional.empty();
    }
    if (given.size() == count) {
      return Optional.of(new Mixed(ranges(List.of()), given, (theta, places) -> 0));
    }
    return simulator.ownPrior().flatMap(own -> given.isEmpty() ? plain(own) : mixed(own));
  }

  private Optional<PriorDensity> plain(OwnPrior own) {
    return Optional.of(new Mixed(own.coordinates(), given, own::log));
  }

  private Optional<PriorDensity> mixed(OwnPrior own) {
    return own.coordinates() instanceof Coordinates.Each each
        ? Optional.of(new Mixed(ranges(each.ranges()), given, own::log))
        : Optional.empty();
  }

  /** Where the given ones lie, and the others by the model's own ranges. */
  private Coordinates ranges(List<Coordinates.Range> own) {
    return new Coordinates.Each(
        IntStream.range(0, simulator.parameters().size())
            .mapToObj(
                i ->
                    given.containsKey(i)
                        ? given.get(i).law().range(given.get(i).first(), given.get(i).second())
                        : own.get(i))
            .toList());
  }

  /** Given laws of some parameters, and another of the rest. */
  private record Mixed(
      Coordinates coordinates, Map<Integer, Given> given, ToDoubleBiFunction<double[], BitSet> rest)
      implements PriorDensity {
    @Override
    public double log(double[] theta) {
      BitSet places = new BitSet();
      double sum = 0;
      for (Map.Entry<Integer, Given> one : given.entrySet()) {
        places.set(one.getKey());
        sum += one.getValue().log(theta[one.getKey()]);
      }
      return sum + rest.applyAsDouble(theta, places);
    }
  }

  private record Dirichlet(double[] concentrations) implements PriorDensity {
    @Override
    public Coordinates coordinates() {
      return new Coordinates.Shares(concentrations.length);
    }

    @Override
    public double log(double[] theta) {
      double sum = logGamma(Arrays.stream(concentrations).sum());
      for (int i = 0; i < theta.length; i++) {
        sum += (concentrations[i] - 1) * Math.log(theta[i]) - logGamma(concentrations[i]);
      }
      return sum;
    }
  }
}
