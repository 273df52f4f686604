// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AliasMethodDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;

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
  public PseudoData.Counts simulate(double[] theta, int records, UniformRandomProvider random) {
    DiscreteSampler category = AliasMethodDiscreteSampler.of(random, theta);
    long[] counts = new long[theta.length];
    for (int i = 0; i < records; i++) {
      counts[category.sample()]++;
    }
    return new PseudoData.Counts(counts);
  }
}
