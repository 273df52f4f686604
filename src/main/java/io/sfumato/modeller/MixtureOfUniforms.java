// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AliasMethodDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;

/**
 * {@code p(y | theta) = sum theta_i Uniform(y; [i - 1, i])}, one number a record; prior
 * Dirichlet(1, ..., 1) (Park, Vinaroz, Jitkrittum, equation 17).
 *
 * @param components at least 2
 */
public record MixtureOfUniforms(int components) implements Simulator {
  @Override
  public List<String> parameters() {
    return IntStream.rangeClosed(1, components).mapToObj(i -> "theta" + i).toList();
  }

  @Override
  public void complete(double[] theta, UniformRandomProvider random) {
    Shares.complete(theta, random);
  }

  @Override
  public boolean isPlausible(double[] theta) {
    return Shares.areShares(theta);
  }

  @Override
  public Optional<OwnPrior> ownPrior() {
    return Optional.of(new FlatShares(components));
  }

  @Override
  public PseudoData.Numbers simulate(double[] theta, int records, UniformRandomProvider random) {
    DiscreteSampler component = AliasMethodDiscreteSampler.of(random, theta);
    double[][] rows = new double[records][1];
    for (double[] row : rows) {
      row[0] = component.sample() + random.nextDouble();
    }
    return new PseudoData.Numbers(rows);
  }

  /**
   * Dirichlet(1, ..., 1): (k - 1)! everywhere. It is drawn whole, or not at all.
   *
   * @param count k
   */
  record FlatShares(int count) implements OwnPrior {
    @Override
    public Coordinates coordinates() {
      return new Coordinates.Shares(count);
    }

    @Override
    public double log(double[] theta, BitSet given) {
      return Shares.areShares(theta)
          ? IntStream.range(1, count).mapToDouble(Math::log).sum()
          : Double.NEGATIVE_INFINITY;
    }
  }

  /** Parameters that are shares of a whole. */
  static final class Shares {
    private Shares() {}

    static void complete(double[] theta, UniformRandomProvider random) {
      if (Arrays.stream(theta).anyMatch(Double::isNaN)) {
        double[] drawn = DirichletSampler.symmetric(random, theta.length, 1).sample();
        System.arraycopy(drawn, 0, theta, 0, theta.length);
      }
    }

    static boolean areShares(double[] theta) {
      return Arrays.stream(theta).allMatch(share -> share >= 0)
          && Math.abs(Arrays.stream(theta).sum() - 1) < 1e-9;
    }
  }
}
