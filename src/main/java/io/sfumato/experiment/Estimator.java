// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.noise.ReplayableRandom;

/** From the counts of one row of a table to shares that add up to 1. */
interface Estimator {
  double[] shares(double[] counts, ReplayableRandom random);

  /** The parameters, for the table of results. */
  String parameters();
}
