// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A slow learner that learns a dataset's first round once: it tells the dataset from the reference
 * itself, whatever epsilon is.
 */
final class FirstRoundOnce implements WeakLearner {
  private record Key(List<Point> dataset, List<Point> reference) {}

  private final WeakLearner learner;
  private final Map<Key, Classifier> learned = new ConcurrentHashMap<>();

  FirstRoundOnce(WeakLearner learner) {
    this.learner = learner;
  }

  @Override
  public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
    double[] weights = current.weights();
    if (Arrays.stream(weights).anyMatch(weight -> weight != weights[0])) {
      return learner.learn(dataset, current);
    }
    Key key = new Key(dataset.points(), current.points());
    // Not computeIfAbsent: learners work in parallel, and must not wait for each other in here.
    Classifier known = learned.get(key);
    if (known == null) {
      known = learner.learn(dataset, current);
      learned.put(key, known);
    }
    return known;
  }

  @Override
  public String text() {
    return learner.text();
  }
}
