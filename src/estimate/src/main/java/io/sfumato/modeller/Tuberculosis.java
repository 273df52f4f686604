// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousUniformSampler;
import org.apache.commons.rng.sampling.distribution.GaussianSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Transmission of tuberculosis (Lintusaari et al. 2019): a birth-death process of cases that comply
 * with their therapy and cases that do not, simulated event by event (Gillespie). Parameters:
 * burden rate beta (new genotypes a year), reproductive numbers R1 of non-compliant and R2 of
 * compliant cases, net transmission rate t1 of non-compliant ones.
 */
public final class Tuberculosis implements Simulator {
  private static final double COMPLIANT = 0.95;
  private static final double OBSERVED = 0.80;
  private static final double DEATH_COMPLIANT = 5.95;
  private static final double YEARS = 2;
  private static final double LEAST_WARM_UP = 15;
  private static final double LONGEST_SEARCH = 150;
  private static final double MOST_OBSERVED_A_YEAR = 350;
  private static final double MOST_TRANSMISSION = 40;
  private static final int LARGEST_CLUSTER = 80;
  private static final int MONTHS = 24;

  @Override
  public List<String> parameters() {
    return List.of("beta", "R1", "t1", "R2");
  }

  @Override
  public void complete(double[] theta, UniformRandomProvider random) {
    if (Double.isNaN(theta[0])) {
      theta[0] =
          GaussianSampler.of(ZigguratSampler.NormalizedGaussian.of(random), 200, 30).sample();
    }
    fillUniform(theta, 1, 1.01, 20, random);
    fillUniform(theta, 2, 0.01, 30, random);
    if (Double.isNaN(theta[3])) {
      double share = ContinuousUniformSampler.of(random, 0.01, 1).sample();
      theta[3] = share * (1 - (1 - COMPLIANT) * theta[1]) / COMPLIANT;
    }
  }

  private static void fillUniform(
      double[] theta, int place, double low, double high, UniformRandomProvider random) {
    if (Double.isNaN(theta[place])) {
      theta[place] = ContinuousUniformSampler.of(random, low, high).sample();
    }
  }

  @Override
  public Optional<OwnPrior> ownPrior() {
    return Optional.of(
        new OwnPrior() {
          @Override
          public Coordinates coordinates() {
            return new Coordinates.Each(
                List.of(
                    Coordinates.Range.REAL,
                    new Coordinates.Range(1.01, 20),
                    new Coordinates.Range(0.01, 30),
                    new Coordinates.Range(0, 1 / COMPLIANT)));
          }

          @Override
          public double log(double[] theta, BitSet given) {
            return ownDensity(theta, given);
          }
        });
  }

  private static double ownDensity(double[] theta, BitSet given) {
    double sum = 0;
    if (!given.get(0)) {
      double z = (theta[0] - 200) / 30;
      sum -= 0.5 * z * z + Math.log(30 * Math.sqrt(2 * Math.PI));
    }
    sum += given.get(1) ? 0 : flat(theta[1], 1.01, 20);
    sum += given.get(2) ? 0 : flat(theta[2], 0.01, 30);
    double most = (1 - (1 - COMPLIANT) * theta[1]) / COMPLIANT;
    return sum + (given.get(3) ? 0 : flat(theta[3], 0.01 * most, most));
  }

  private static double flat(double x, double low, double high) {
    return x >= low && x <= high ? -Math.log(high - low) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public boolean isPlausible(double[] theta) {
    if (!(theta[0] > 0 && theta[1] > 1 && theta[2] > 0 && theta[3] >= 0)) {
      return false;
    }
    double observed = OBSERVED * casesAYear(theta);
    double transmission = theta[2] + deathNonCompliant(theta);
    return observed > 0 && observed < MOST_OBSERVED_A_YEAR && transmission < MOST_TRANSMISSION;
  }

  /** In equilibrium; below 0 if there is none. */
  private static double casesAYear(double[] theta) {
    return theta[0] / (1 - COMPLIANT * theta[3] - (1 - COMPLIANT) * theta[1]);
  }

  private static double deathNonCompliant(double[] theta) {
    return theta[2] / (theta[1] - 1);
  }

  /** How many isolates there are is part of what is simulated. */
  @Override
  public boolean givesAsManyAsWanted() {
    return false;
  }

  /** One number a record: the size of the isolate's cluster. */
  @Override
  public PseudoData.Numbers simulate(double[] theta, int records, UniformRandomProvider random) {
    double[] values =
        Arrays.stream(outbreak(theta, random).clusters())
            .flatMap(size -> IntStream.generate(() -> size).limit(size))
            .asDoubleStream()
            .toArray();
    return new PseudoData.Numbers(values, 1);
  }

  /** Simulates two years of observations, after a warm-up. */
  public Outbreak outbreak(double[] theta, UniformRandomProvider random) {
    Population population = new Population(theta, random);
    double balanced = population.runUntilBalanced();
    population.runUntil(Math.max(2 * balanced, LEAST_WARM_UP));
    population.observe();
    population.runUntil(population.time + YEARS);
    return population.observations();
  }

  /** Cases of one kind, by the cluster that each belongs to. */
  private static final class Cases {
    private int[] clusters = new int[256];
    private int size;

    void add(int cluster) {
      if (size == clusters.length) {
        clusters = Arrays.copyOf(clusters, 2 * size);
      }
      clusters[size++] = cluster;
    }

    int any(UniformRandomProvider random) {
      return random.nextInt(size);
    }

    int remove(int place) {
      int cluster = clusters[place];
      clusters[place] = clusters[--size];
      return cluster;
    }
  }

  /** Everybody who is infectious. */
  private static final class Population {
    private final UniformRandomProvider random;
    private final Cases compliant = new Cases();
    private final Cases others = new Cases();
    private final double burden;
    private final double birthCompliant;
    private final double birthOther;
    private final double deathOther;
    private final double balanceCompliant;
    private final double balanceOther;
    private double time;
    private double observedFrom = Double.POSITIVE_INFINITY;
    private int clusters;
    private int[] sizes = new int[0];
    private List<List<Integer>> months = new ArrayList<>();

    Population(double[] theta, UniformRandomProvider random) {
      this.random = random;
      burden = theta[0];
      deathOther = deathNonCompliant(theta);
      birthOther = theta[2] + deathOther;
      birthCompliant = theta[3] * DEATH_COMPLIANT;
      double cases = casesAYear(theta);
      balanceCompliant = COMPLIANT * cases / DEATH_COMPLIANT;
      balanceOther = (1 - COMPLIANT) * cases / deathOther;
    }

    double runUntilBalanced() {
      boolean enoughCompliant = false;
      boolean enoughOthers = false;
      while (!(enoughCompliant && enoughOthers) && time < LONGEST_SEARCH) {
        step(LONGEST_SEARCH);
        enoughCompliant |= compliant.size >= balanceCompliant;
        enoughOthers |= others.size >= balanceOther;
      }
      return time;
    }

    void runUntil(double end) {
      while (time < end) {
        step(end);
      }
    }

    /** One event, unless it would lie beyond the end. */
    private void step(double end) {
      double births = birthCompliant * compliant.size;
      double deaths = DEATH_COMPLIANT * compliant.size;
      double otherBirths = birthOther * others.size;
      double otherDeaths = deathOther * others.size;
      double all = burden + births + deaths + otherBirths + otherDeaths;
      time -= Math.log1p(-random.nextDouble()) / all;
      if (time >= end) {
        time = end;
        return;
      }
      double which = random.nextDouble() * all;
      if (which < burden) {
        infect(clusters++);
      } else if (which < burden + births) {
        infect(compliant.clusters[compliant.any(random)]);
      } else if (which < burden + births + deaths) {
        end(compliant);
      } else if (which < burden + births + deaths + otherBirths || others.size == 0) {
        if (others.size > 0) {
          infect(others.clusters[others.any(random)]);
        }
      } else {
        end(others);
      }
    }

    private void infect(int cluster) {
      (random.nextDouble() < COMPLIANT ? compliant : others).add(cluster);
    }

    private void end(Cases cases) {
      int cluster = cases.remove(cases.any(random));
      if (time < observedFrom || random.nextDouble() >= OBSERVED) {
        return;
      }
      if (cluster >= sizes.length) {
        sizes = Arrays.copyOf(sizes, Math.max(cluster + 1, 2 * sizes.length));
      }
      while (months.size() < sizes.length) {
        months.add(null);
      }
      if (sizes[cluster] < LARGEST_CLUSTER) {
        sizes[cluster]++;
        if (months.get(cluster) == null) {
          months.set(cluster, new ArrayList<>());
        }
        int month = (int) ((time - observedFrom) / YEARS * MONTHS);
        months.get(cluster).add(Math.min(MONTHS - 1, month));
      }
    }

    /** From now on ends are observed; clusters are numbered anew, to keep the books short. */
    void observe() {
      observedFrom = time;
      int[] numbers = new int[clusters];
      Arrays.fill(numbers, -1);
      clusters = 0;
      for (Cases cases : List.of(compliant, others)) {
        for (int i = 0; i < cases.size; i++) {
          int old = cases.clusters[i];
          if (numbers[old] < 0) {
            numbers[old] = clusters++;
          }
          cases.clusters[i] = numbers[old];
        }
      }
    }

    Outbreak observations() {
      int largest = 0;
      for (int i = 0; i < sizes.length; i++) {
        largest = sizes[i] > sizes[largest] ? i : largest;
      }
      boolean any = sizes.length > 0 && sizes[largest] > 0;
      int[] active =
          any ? months.get(largest).stream().mapToInt(Integer::intValue).toArray() : new int[0];
      int[] ascending = Arrays.stream(sizes).filter(size -> size > 0).sorted().toArray();
      int[] descending = new int[ascending.length];
      Arrays.setAll(descending, i -> ascending[ascending.length - 1 - i]);
      return new Outbreak(descending, active);
    }
  }
}
