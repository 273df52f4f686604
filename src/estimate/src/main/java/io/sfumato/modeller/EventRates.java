// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A diary whose entries come at constant rates, one for each category. How many entries there are
 * is public, so what is unknown of the rates is their shares: given the number, counts are
 * multinomial. Prior Dirichlet(1, ..., 1).
 *
 * @param parameters the categories, at least 2
 */
public record EventRates(List<String> parameters) implements Simulator {
  @Override
  public void complete(double[] theta, UniformRandomProvider random) {
    MixtureOfUniforms.Shares.complete(theta, random);
  }

  @Override
  public boolean isPlausible(double[] theta) {
    return MixtureOfUniforms.Shares.areShares(theta);
  }

  @Override
  public Optional<OwnPrior> ownPrior() {
    return Optional.of(new MixtureOfUniforms.FlatShares(parameters.size()));
  }

  @Override
  public Optional<double[]> shares(double[] theta) {
    return Optional.of(theta);
  }

  /** By conditional binomials: the cost does not depend on the number of records. */
  @Override
  public PseudoData.Counts simulate(double[] theta, int records, UniformRandomProvider random) {
    long[] counts = new long[theta.length];
    int left = records;
    double rest = Arrays.stream(theta).sum();
    for (int i = 0; i < theta.length - 1 && left > 0; i++) {
      int drawn = Binomial.sample(random, left, Math.min(1, theta[i] / rest));
      counts[i] = drawn;
      left -= drawn;
      rest -= theta[i];
      if (!(rest > 0)) {
        break;
      }
    }
    int last = last(theta);
    counts[last] += left;
    return new PseudoData.Counts(counts);
  }

  /** The last category that has a share at all: what is left over lies there. */
  private static int last(double[] theta) {
    int last = theta.length - 1;
    while (last > 0 && theta[last] == 0) {
      last--;
    }
    return last;
  }
}
