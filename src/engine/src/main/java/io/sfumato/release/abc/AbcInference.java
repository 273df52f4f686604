// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.inference.Inference;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.NoisyThreshold;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * One query, as {@code sfumato query} asks it, in memory.
 *
 * @param features where their distance is measured
 */
record AbcInference(AbcSpec spec, QueryMechanism mechanism, Optional<RandomFeatures> features)
    implements Inference {
  /** Of pseudo-data, for each candidate: as many as a query's default. */
  private static final int PSEUDO_RECORDS = 1000;

  @Override
  public int records() {
    return (int) Math.min(Integer.MAX_VALUE, spec.planSize());
  }

  @Override
  public Posterior of(PseudoData window, Simulator simulator, KeyedRandom random) {
    QueryNoise noise = mechanism.noise(spec.measure().sensitivity(records()), spec.candidates());
    ToDoubleFunction<PseudoData> distance = distance(window);
    Prior prior = Prior.of(simulator, List.of());
    LongFunction<NoisyThreshold> thresholds = accepted -> noise.threshold(random).orElseThrow();
    Optional<SparseVector.State> state = noise.start(thresholds);
    Posterior posterior = new Posterior();
    for (int i = 0; i < spec.candidates() && !noise.isOver(state); i++) {
      double[] theta = prior.draw(random);
      double rho = distance.applyAsDouble(simulator.simulate(theta, PSEUDO_RECORDS, random));
      long answer = noise.answer(rho, state).draw(random).outcome();
      posterior.add(
          theta, noise instanceof SoftWeights soft ? soft.weight(answer) : (double) answer);
      state = noise.after(state, answer, thresholds);
    }
    return posterior;
  }

  private ToDoubleFunction<PseudoData> distance(PseudoData window) {
    return spec.measure()
        .choose(
            new DistanceMeasure.Cases<ToDoubleFunction<PseudoData>, RuntimeException>() {
              @Override
              public ToDoubleFunction<PseudoData> features() {
                RandomFeatures kept = AbcInference.this.features.orElseThrow();
                FeatureSum observed = FeatureSum.of(kept, numbers(window));
                return pseudo -> Distances.mmd(observed, kept.mean(numbers(pseudo)));
              }

              @Override
              public ToDoubleFunction<PseudoData> categories() {
                Histogram observed = new Histogram(counts(window));
                return pseudo -> Distances.categories(observed, shares(counts(pseudo)));
              }

              @Override
              public ToDoubleFunction<PseudoData> summaries(Summaries summaries) {
                throw new IllegalArgumentException("distances of summaries are not rehearsed");
              }
            });
  }

  private static double[][] numbers(PseudoData data) {
    if (data instanceof PseudoData.Numbers numbers) {
      return numbers.rows();
    }
    throw new IllegalArgumentException("the output is about numbers: take a simulator of numbers");
  }

  private static long[] counts(PseudoData data) {
    if (data instanceof PseudoData.Counts counts) {
      return counts.byCategory();
    }
    throw new IllegalArgumentException("the output is about categories: take event-rates");
  }

  private static double[] shares(long[] counts) {
    double all = Arrays.stream(counts).sum();
    return Arrays.stream(counts).mapToDouble(count -> count / all).toArray();
  }
}
