// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/** The mechanisms that the experiments compare, all with the same guarantee. */
enum Contender {
  /** Algorithm 1 of the paper. */
  DIRICHLET_PAPER("Dirichlet"),
  /** Theorem A: the pair with the least expected KL of a public plan. */
  DIRICHLET_EXACT("Dirichlet exact"),
  /** The same draw, by the guarantee of {@link Gohari}. */
  GOHARI("Gohari et al."),
  /** The paper's baseline: clipped at 1e-6. */
  GAUSSIAN_PAPER("Gaussian"),
  /** The same noise with a sensible floor. */
  GAUSSIAN_FAIR("Gaussian fair"),
  /** The paper's baseline: sensitivity 2 in one coordinate, clipped at 1e-6. */
  LAPLACE_PAPER("Laplace"),
  /** Sensitivity 1 in each of two coordinates, and a sensible floor. */
  LAPLACE_FAIR("Laplace fair");

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  /** Name in tables and plots; the paper's own where it is the paper's mechanism. */
  String title() {
    return title;
  }
}
