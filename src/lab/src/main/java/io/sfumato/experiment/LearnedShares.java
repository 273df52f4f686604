// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.history.EmpiricalBayesHistogram;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.experiment.EventStream.Window;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.random.KeyedRandom;
import java.util.stream.IntStream;

/** By noisy counts and by what was released before: all windows of a stream are one subject's. */
final class LearnedShares implements SharesMethod {
  private final NoisyHistogram mechanism;
  private final Bounding bounding;
  private final int categories;
  private ReleaseHistory past;

  LearnedShares(NoisyHistogram mechanism, Bounding bounding, int categories) {
    this.mechanism = mechanism;
    this.bounding = bounding;
    this.categories = categories;
    this.past = ReleaseHistory.none(categories);
  }

  NoisyHistogram mechanism() {
    return mechanism;
  }

  @Override
  public SharesMethod anew() {
    return new LearnedShares(mechanism, bounding, categories);
  }

  @Override
  public Released release(Window window, KeyedRandom random) {
    Histogram counted = new Histogram(bounding.of(window, random).counts(categories));
    long[] noisy =
        mechanism.counts().distribution(ExactVector.byCategory(counted)).draw(random).values();
    EmpiricalBayesHistogram.Made made =
        new EmpiricalBayesHistogram(mechanism).made(past, window.place(), noisy, counted.size());
    past = made.past();
    return new Released(
        IntStream.range(0, categories).mapToDouble(made.shares()::share).toArray(),
        made.errors().stream().mapToDouble(Double::doubleValue).toArray(),
        counted.counts());
  }
}
