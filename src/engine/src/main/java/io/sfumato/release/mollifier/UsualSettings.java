// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.release.mollifier.Sampler.Fourier;

/** Settings of samplers where a file names none. Live files rest on them: they never change. */
final class UsualSettings {
  /** Points of a pool that stand for every item there is: more than a reader tells apart. */
  static final int PROJECTION_POOL = 4096;

  /** How many times the reference a density is at most. */
  static final double LARGEST = 8;

  /** Of boosting. */
  static final int ROUNDS = 3;

  /** Points of boosting's pool. */
  static final int WEAK_POOL = 256;

  /** Of a weak learner: its rounds make up for what one of them misses. */
  static final Fourier WEAK = new Fourier(32, 0.7, 1e-3);

  /** Of an estimator, which has one go. */
  static final Fourier STRONG = new Fourier(120, 1.2, 1e-3);

  private UsualSettings() {}
}
