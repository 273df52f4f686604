// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.Reference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The contenders of a comparison.
 *
 * @param grid on which everything is measured
 * @param papers Q0 of the papers
 * @param ours Q0 of our settings: as wide as the domain, since no density of a mollifier is nearer
 *     to P than its reference but for eps/2
 * @param seen records that the papers' network sees; 10,000 in the papers
 */
record DensityContenders(DensityGrid grid, Gaussians papers, Gaussians ours, int seen) {
  private static final double[] EPSILONS = {0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 5};
  private static final Mbde.Features FEATURES = new Mbde.Features(120, 0.3);

  /** Public guess of the largest P/Q0 for our Q0 and the clipped sampler. */
  private static final double LARGEST = 8;

  /**
   * All of them on one target.
   *
   * @param coarse cells of the clipped sampler, in each dimension
   */
  DensityComparison comparison(
      String name, Gaussians target, int coarse, DensityEstimator... bernstein) {
    Map<String, double[]> references = new LinkedHashMap<>();
    references.put("reference, the papers'", probabilities(papers));
    references.put("reference, ours", probabilities(ours));
    return new DensityComparison(
        name, target, grid, EPSILONS, references, contenders(coarse, List.of(bernstein)));
  }

  private List<DensityEstimator> contenders(int coarse, List<DensityEstimator> bernstein) {
    return Stream.concat(
            Stream.of(
                Mbde.papers("MBDE, the papers'", reference(papers), seen),
                Mbde.ours("MBDE, ours", reference(ours), FEATURES),
                new Projection("projection", reference(ours), LikelihoodRatioBand::mollifier),
                new MinimaxCells("clipped", probabilities(ours), LARGEST, coarse)),
            bernstein.stream())
        .toList();
  }

  private double[] probabilities(Gaussians q0) {
    return grid.probabilities(x -> q0.logDensity(x.numbers()));
  }

  static Reference reference(Gaussians q0) {
    return new Reference(new double[0], Optional.of(q0));
  }
}
