// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;

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
    Quantiles law = new Quantiles(theta);
    double[] values = new double[records];
    for (int i = 0; i < records; i++) {
      values[i] = law.at(random.nextDouble());
    }
    return new PseudoData.Numbers(values, 1);
  }

  /** Inverse of the distribution function, which is linear between whole numbers. */
  private static final class Quantiles {
    private static final int CELLS = 256;

    /** Shares end below the next component. */
    private static final double MOST = Math.nextDown(1.0);

    private final double[] lower;
    private final double[] upper;
    private final double[] perShare;

    /** The first component that each cell of [0, 1) meets: mostly the one. */
    private final int[] first = new int[CELLS];

    Quantiles(double[] theta) {
      lower = new double[theta.length];
      upper = new double[theta.length];
      perShare = new double[theta.length];
      double below = 0;
      int last = 0;
      for (int i = 0; i < theta.length; i++) {
        lower[i] = below;
        below += theta[i];
        upper[i] = below;
        perShare[i] = 1 / theta[i];
        last = theta[i] > 0 ? i : last;
      }
      upper[last] = Double.POSITIVE_INFINITY; // what rounding leaves over lies there
      for (int cell = 1; cell < CELLS; cell++) {
        first[cell] = component(first[cell - 1], (double) cell / CELLS);
      }
    }

    private int component(int from, double u) {
      int i = from;
      while (u >= upper[i]) {
        i++;
      }
      return i;
    }

    double at(double u) {
      int i = component(first[(int) (u * CELLS)], u);
      return i + Math.min(MOST, (u - lower[i]) * perShare[i]);
    }
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
