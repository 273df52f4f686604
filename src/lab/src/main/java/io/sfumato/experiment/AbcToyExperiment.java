// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.AbcErrors.Row;
import io.sfumato.experiment.CandidatePool.Candidate;
import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.modeller.Posterior;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The toy of the ABCDP paper (section 4.1, figures 1 to 3): shares of a mixture of uniforms, found
 * again by soft weights, coins and sparse vector. Candidates are public, and one pool serves all
 * seeds; observed data and noise are fresh in each. Before it, the same is rehearsed with shares
 * drawn from the prior: whoever does that knows which settings do well, and has asked nobody.
 * Beside it one release that all candidates ask for nothing.
 *
 * @param out folder for tables and plots
 */
public record AbcToyExperiment(Path out) implements Experiment {
  private static final double[] PERCENTILES = {5, 20};
  private static final int SEEDS = 10;
  private static final int REHEARSALS = 20;
  static final RandomFeatures FEATURES = new RandomFeatures(1, 100, 0.6, "abc-toy");

  /** A public candidate, with the features of what it simulates. */
  private record Simulated(double[] theta, double[] mean) {}

  /** All public candidates: few of many pseudo-samples, and many of few. */
  private record Candidates(List<Simulated> precise, List<Simulated> rough) {}

  @Override
  public long steps() {
    return AbcToyTrial.CANDIDATES + AbcToyTrial.MANY + SEEDS + REHEARSALS + AbcToyReleases.steps();
  }

  /**
   * Writes {@code abc-toy-data} (CSV and PNG), {@code abc-toy.csv}, {@code abc-toy-soft.png} and
   * {@code abc-toy-rejection.png}.
   */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    AbcToyWorld.write(out);
    Candidates candidates =
        new Candidates(
            simulated(AbcToyTrial.CANDIDATES, 5000, progress),
            simulated(AbcToyTrial.MANY, 1000, progress));
    double[] bounds =
        Arrays.stream(PERCENTILES).map(p -> percentile(candidates.rough(), p)).toArray();
    AbcToyTrial trial =
        trial("abc-toy", Collections.nCopies(SEEDS, AbcToyWorld.truth()), candidates, progress);
    AbcToyTrial rehearsal =
        trial(
            "abc-toy rehearsal",
            IntStream.range(0, REHEARSALS)
                .mapToObj(i -> AbcToyWorld.drawn("abc-toy rehearsal truth " + i))
                .toList(),
            candidates,
            progress);
    List<Row> rows = new ArrayList<>(trial.rows(bounds));
    List<Row> rehearsed = rehearsal.rows(bounds);
    for (int i = 0; i < rows.size(); i++) {
      rows.set(i, rows.get(i).rehearsed(rehearsed.get(i).error().mean()));
    }
    rows.addAll(AbcToyReleases.rows(progress));
    AbcErrors errors = new AbcErrors(rows);
    errors.write(out);
    return errors.summary(trial.error(seed -> new Posterior()).mean());
  }

  private static AbcToyTrial trial(
      String name, List<double[]> truths, Candidates candidates, Runnable progress) {
    List<CandidatePool> near = new ArrayList<>();
    List<CandidatePool> far = new ArrayList<>();
    for (int seed = 0; seed < truths.size(); seed++) {
      FeatureSum observed = FeatureSum.empty(FEATURES);
      for (double[] row : AbcToyWorld.observed(name + " observed " + seed, truths.get(seed))) {
        observed = observed.plus(FEATURES.quantised(row));
      }
      near.add(pool(candidates.precise(), observed));
      far.add(pool(candidates.rough(), observed));
      progress.run();
    }
    return new AbcToyTrial(name, truths, near, far);
  }

  private static List<Simulated> simulated(int size, int records, Runnable progress) {
    return Parallel.all(
        size,
        i -> {
          String name = "abc-toy " + records + " candidate " + i;
          AbcToyWorld.Simulated simulated = AbcToyWorld.simulated(name, records);
          return new Simulated(simulated.theta(), FEATURES.mean(simulated.rows()));
        },
        progress);
  }

  private static CandidatePool pool(List<Simulated> simulated, FeatureSum observed) {
    return new CandidatePool(
        simulated.stream()
            .map(s -> new Candidate(s.theta(), Distances.mmd(observed, s.mean())))
            .toList());
  }

  /** Of distances between one pseudo-dataset and others, from below: public. */
  private static double percentile(List<Simulated> pool, double percent) {
    double[] reference = pool.get(0).mean();
    double[] distances =
        pool.stream()
            .skip(1)
            .limit(AbcToyTrial.CANDIDATES)
            .mapToDouble(
                c ->
                    Math.sqrt(
                        IntStream.range(0, reference.length)
                            .mapToDouble(i -> Math.pow(reference[i] - c.mean()[i], 2))
                            .sum()))
            .sorted()
            .toArray();
    return distances[(int) (percent / 100 * distances.length)];
  }
}
