// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

/**
 * Tells a dataset from the current density. May be as bad as it likes: privacy rests on the clip of
 * its scores and on theta alone.
 */
public interface WeakLearner {
  /** A score: above 0 where the dataset is denser than the current density. Any double at all. */
  interface Classifier {
    /** The score of a point, of any size; NaN says nothing. */
    double score(Point x);
  }

  /**
   * Learns from samples. Deterministic: the same samples give the same classifier.
   *
   * @param dataset of P, equally weighted, at least one
   * @param current of Q, with weights
   */
  Classifier learn(WeightedPoints dataset, WeightedPoints current);

  /** Canonical text: part of the charge's identity. */
  String text();
}
