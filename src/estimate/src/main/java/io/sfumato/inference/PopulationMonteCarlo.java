// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.Coordinates;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PriorDensity;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The posterior of a simulator's parameters by adaptive importance sampling in rounds (population
 * Monte Carlo: Cappé, Guillin, Marin, Robert 2004). The first round draws from the prior. Each
 * later one draws from a Student-t law fitted to all candidates so far, weighted by the likelihood,
 * which is tempered where too few of them would count; a part of it goes on drawing from the prior,
 * so that no weight exceeds a bound (Hesterberg 1995). In the end a candidate weighs
 *
 * <pre>  prior x likelihood / mixture of all rounds' proposals</pre>
 *
 * (Cornuet, Marin, Mira, Robert 2012). Where the prior's density is not known all are draws from
 * it, weighted by their likelihood.
 *
 * <p>The likelihood of data that must be simulated is averaged over several datasets of a
 * candidate, as many as a pilot asks for: an unbiased estimate, so that the posterior is none the
 * less exact (Andrieu, Roberts 2009). Every candidate has its own public random numbers: the same
 * seed gives the same posterior, on however many cores.
 *
 * @param simulator of the parameters
 * @param prior of them
 * @param likelihood of the release
 * @param candidates in all, at least 1
 * @param seed public
 */
public record PopulationMonteCarlo(
    Simulator simulator, Prior prior, Likelihood likelihood, int candidates, long seed) {
  private static final int ROUNDS = 8;

  /** The part of candidates that the first round draws. */
  private static final double FIRST = 0.2;

  /** The part of later rounds that is drawn from the prior. */
  private static final double DEFENSIVE = 0.1;

  /** Candidates of the small run, and records of data that are typical of what fits. */
  private static final int SCOUTS = 1500;

  private static final int TYPICAL = 5000;

  /** Too few for more than one round. */
  private static final int FEW = 200;

  /**
   * What came of it.
   *
   * @param posterior of weighted candidates
   * @param prior draws from it, for comparison
   * @param datasets simulated for each candidate; 0 where they were integrated out
   * @param records of each of them
   * @param fits whether the best candidate comes as near to the release as a model that is right
   */
  public record Result(
      Posterior posterior, Posterior prior, int datasets, int records, boolean fits) {
    private Result(Posterior posterior, Posterior prior, Weighing weighing, Sample sample) {
      this(
          posterior,
          prior,
          weighing.datasets(),
          weighing.likelihood().records(),
          fits(weighing.likelihood(), sample));
    }

    /** Half as many squares as a right model has, and ten of their deviations. */
    private static boolean fits(Likelihood likelihood, Sample sample) {
      int squares = likelihood.squares().orElse(Integer.MAX_VALUE);
      double best = Arrays.stream(sample.lnLikelihood).max().orElse(Double.NEGATIVE_INFINITY);
      return -2 * best <= squares + 10 * Math.sqrt(2.0 * squares);
    }
  }

  /**
   * Draws and weighs all candidates.
   *
   * @param weighed runs after each of them, one at a time
   * @throws IllegalArgumentException if the prior gives no parameters that the model makes sense
   *     with, or the simulator's data are not what the release is about
   */
  public Result run(Runnable weighed) {
    return run(scouted(), weighed);
  }

  /**
   * With the likelihood that varies least: its spread is that of data like those which fit, found
   * by a small run before.
   */
  private Weighing scouted() {
    Weighing single = new Weighing(simulator, likelihood, 1);
    double[] any = prior.draw(pilot(0));
    if (single.isExact(any)) {
      return new Weighing(simulator, likelihood, 0);
    }
    if (!simulator.givesAsManyAsWanted()) {
      throw new IllegalArgumentException(
          "the release is of about %,d records, and this simulator decides for itself how many there are, so that"
                  .formatted(likelihood.records())
              + " nothing says how likely the release is: take another simulator, or an output 'abc', which compares"
              + " whatever is simulated (without --from)");
    }
    single.log(any, () -> pilot(0)); // what does not fit is told here, by one thread
    List<double[]> pilots = single.pilots(prior, this::pilot);
    double[] near = pilots.get(0);
    Likelihood rough = likelihood.spread(typical(near));
    if (rough == likelihood) {
      return single.averaged(pilots, this::pilot);
    }
    Posterior scouts =
        new PopulationMonteCarlo(simulator, prior, rough, SCOUTS, seed)
            .run(new Weighing(simulator, rough, 1), () -> {})
            .posterior();
    double[] mean = new double[near.length];
    Arrays.setAll(mean, scouts::mean);
    boolean usable = !scouts.isEmpty() && simulator.isPlausible(mean);
    // One dataset is enough: what is left of its spread is about what was added to the noise.
    return new Weighing(simulator, likelihood.spread(typical(usable ? mean : near)), 1);
  }

  private PseudoData typical(double[] theta) {
    return simulator.simulate(theta, TYPICAL, random("typical", 0));
  }

  private UniformRandomProvider pilot(int i) {
    return random("pilot", i);
  }

  private Result run(Weighing weighing, Runnable weighed) {
    Optional<PriorDensity> density = prior.density(random("prior", 0));
    Sample sample = new Sample(candidates);
    boolean rounds = density.isPresent() && candidates >= FEW;
    int first = rounds ? (int) Math.max(FEW / 2, FIRST * candidates) : candidates;
    fill(sample, first, i -> prior.draw(random("candidate", i)), weighing, weighed);
    Posterior drawn = new Posterior();
    for (int i = 0; i < first; i++) {
      drawn.add(sample.theta[i], 1);
    }
    if (!rounds) {
      return new Result(posterior(sample, sample.lnLikelihood), drawn, weighing, sample);
    }
    Proposals proposals = new Proposals(density.get(), sample);
    proposals.first(first);
    for (int round = 1; round <= ROUNDS; round++) {
      int to = first + (int) ((long) (candidates - first) * round / ROUNDS);
      if (to > sample.size) {
        adapted(sample, proposals, to, weighing, weighed);
      }
    }
    return new Result(posterior(sample, proposals.lnWeights()), drawn, weighing, sample);
  }

  private void adapted(
      Sample sample, Proposals proposals, int to, Weighing weighing, Runnable weighed) {
    int from = sample.size;
    StudentT distribution = proposals.fitted();
    int defensive = (int) Math.round(DEFENSIVE * (to - from));
    Coordinates coordinates = proposals.coordinates();
    fill(
        sample,
        to,
        i -> {
          KeyedRandom random = random("candidate", i);
          return i - from < defensive
              ? prior.draw(random)
              : coordinates.theta(distribution.draw(random));
        },
        weighing,
        weighed);
    proposals.add(distribution, from, defensive);
  }

  private KeyedRandom random(String what, int i) {
    return KeyedRandom.ofPublicSeed("one release " + seed + " " + what + " " + i);
  }

  /** Of pseudo-data, which are many: post-processing needs no cryptography. */
  private UniformRandomProvider fast(String what, int i) {
    return RandomSource.SPLIT_MIX_64.create(random(what, i).nextLong());
  }

  /** Where a candidate's parameters come from. */
  private interface Source {
    double[] draw(int i);
  }

  private void fill(Sample sample, int to, Source source, Weighing weighing, Runnable weighed) {
    IntStream.range(sample.size, to)
        .parallel()
        .forEach(
            i -> {
              sample.theta[i] = source.draw(i);
              sample.lnLikelihood[i] = weighing.log(sample.theta[i], () -> fast("data", i));
              synchronized (weighed) {
                weighed.run();
              }
            });
    sample.size = to;
  }

  private static Posterior posterior(Sample sample, double[] lnWeights) {
    Posterior posterior = new Posterior();
    double most = Arrays.stream(lnWeights).max().orElse(Double.NEGATIVE_INFINITY);
    for (int i = 0; i < sample.size; i++) {
      posterior.add(
          sample.theta[i], most == Double.NEGATIVE_INFINITY ? 0 : Math.exp(lnWeights[i] - most));
    }
    return posterior;
  }

  /** Candidates so far. */
  static final class Sample {
    final double[][] theta;
    final double[] lnLikelihood;
    int size;

    Sample(int most) {
      theta = new double[most][];
      lnLikelihood = new double[most];
    }
  }
}
