// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.StandardNormal;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.WeightedChoice;
import java.util.Arrays;
import java.util.List;

/** The public density of an item's numbers. Every implementation is positive where it may draw. */
public sealed interface NumericReference {
  /** How many numbers an item has, at least 1. */
  int dimensions();

  /** Draws the numbers of one item. */
  double[] draw(KeyedRandom random);

  /**
   * Natural logarithm of the density.
   *
   * @param x one number a dimension
   */
  double logDensity(double[] x);

  /** A typical value of each number: public, for scaling. */
  double[] location();

  /** A typical deviation of each number, above 0: public, for scaling. */
  double[] scale();

  /**
   * The largest magnitude that each number usually has: ends of a box, a mean and its deviation.
   */
  double[] reach();

  /**
   * The point of its support that is nearest to any other: itself, or at the border of a box.
   *
   * @param x one number a dimension
   */
  default double[] nearest(double[] x) {
    return x;
  }

  /**
   * About which part of a kernel around a point of its support lies within the support.
   *
   * @param x a point of the support
   * @param deviations of the kernel in each number
   * @return in (0, 1]
   */
  default double inside(double[] x, double[] deviations) {
    return 1;
  }

  /** Canonical text: part of the charge's identity. */
  String text();

  /**
   * Uniform on a box.
   *
   * @param low of each number
   * @param high of each, above low
   */
  record Uniform(double[] low, double[] high) implements NumericReference {
    public Uniform {
      require(low.length == high.length && low.length > 0, "low and high have one number each");
      for (int i = 0; i < low.length; i++) {
        require(
            Double.isFinite(low[i]) && Double.isFinite(high[i]) && low[i] < high[i],
            "a box has finite ends, low below high");
        require(Double.isFinite(high[i] - low[i]), "a box has a finite width");
      }
    }

    @Override
    public int dimensions() {
      return low.length;
    }

    @Override
    public double[] draw(KeyedRandom random) {
      double[] x = new double[low.length];
      Arrays.setAll(x, i -> low[i] + (high[i] - low[i]) * random.nextOpenDouble());
      return x;
    }

    @Override
    public double logDensity(double[] x) {
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        if (x[i] < low[i] || x[i] > high[i]) {
          return Double.NEGATIVE_INFINITY;
        }
        sum -= StrictMath.log(high[i] - low[i]);
      }
      return sum;
    }

    @Override
    public double[] location() {
      double[] middle = new double[low.length];
      Arrays.setAll(middle, i -> low[i] + (high[i] - low[i]) / 2);
      return middle;
    }

    @Override
    public double[] scale() {
      double[] deviation = new double[low.length];
      Arrays.setAll(deviation, i -> (high[i] - low[i]) / Math.sqrt(12));
      return deviation;
    }

    @Override
    public double[] reach() {
      double[] reach = new double[low.length];
      Arrays.setAll(reach, i -> Math.max(Math.abs(low[i]), Math.abs(high[i])));
      return reach;
    }

    @Override
    public double[] nearest(double[] x) {
      double[] within = new double[x.length];
      Arrays.setAll(within, i -> Math.max(low[i], Math.min(high[i], x[i])));
      return within;
    }

    @Override
    public double inside(double[] x, double[] deviations) {
      double part = 1;
      for (int i = 0; i < x.length; i++) {
        part *= below((high[i] - x[i]) / deviations[i]) - below((low[i] - x[i]) / deviations[i]);
      }
      return part;
    }

    private static double below(double z) {
      return StrictMath.exp(StandardNormal.lnPhi(z));
    }

    @Override
    public String text() {
      return "uniform " + Arrays.toString(low) + " " + Arrays.toString(high);
    }
  }

  /**
   * A mixture of Gaussians with independent numbers; one component is a Gaussian.
   *
   * @param components at least one
   */
  record Gaussians(List<Component> components) implements NumericReference {
    /** Weights are drawn in whole steps of this part. */
    private static final double STEPS = 0x1.0p52;

    /**
     * One component.
     *
     * @param weight above 0; weights need not add up to 1
     * @param mean of each number
     * @param deviation of each, above 0
     */
    public record Component(double weight, double[] mean, double[] deviation) {
      public Component {
        require(weight > 0 && weight < Double.POSITIVE_INFINITY, "a weight is above 0");
        require(mean.length == deviation.length && mean.length > 0, "a mean for each deviation");
        for (int i = 0; i < mean.length; i++) {
          require(
              Double.isFinite(mean[i]) && deviation[i] > 0 && Double.isFinite(deviation[i]),
              "means are finite, deviations above 0");
        }
      }

      private double logDensity(double[] x) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
          double z = (x[i] - mean[i]) / deviation[i];
          sum -= z * z / 2 + StrictMath.log(deviation[i] * Math.sqrt(2 * Math.PI));
        }
        return sum;
      }
    }

    public Gaussians {
      components = List.copyOf(components);
      require(!components.isEmpty(), "a mixture has at least one component");
      int dimensions = components.get(0).mean().length;
      for (Component component : components) {
        require(component.mean().length == dimensions, "components have the same dimension");
      }
    }

    /**
     * One Gaussian.
     *
     * @param mean of each number
     * @param deviation of each number, above 0
     */
    public static Gaussians of(double[] mean, double[] deviation) {
      return new Gaussians(List.of(new Component(1, mean, deviation)));
    }

    private double total() {
      return components.stream().mapToDouble(Component::weight).sum();
    }

    @Override
    public int dimensions() {
      return components.get(0).mean().length;
    }

    @Override
    public double[] draw(KeyedRandom random) {
      int chosen = 0;
      if (components.size() > 1) {
        double total = total();
        long[] weights =
            components.stream()
                .mapToLong(c -> Math.max(1, (long) (c.weight() / total * STEPS)))
                .toArray();
        chosen = new WeightedChoice(weights).draw(random);
      }
      Component component = components.get(chosen);
      double[] x = new double[dimensions()];
      Arrays.setAll(
          x, i -> component.mean()[i] + component.deviation()[i] * random.nextStandardGaussian());
      return x;
    }

    @Override
    public double logDensity(double[] x) {
      double[] logs =
          components.stream()
              .mapToDouble(c -> StrictMath.log(c.weight() / total()) + c.logDensity(x))
              .toArray();
      double most = Arrays.stream(logs).max().orElseThrow();
      double sum = 0;
      for (double log : logs) {
        sum += StrictMath.exp(log - most);
      }
      return most + StrictMath.log(sum);
    }

    @Override
    public double[] location() {
      double[] mean = new double[dimensions()];
      for (Component c : components) {
        Arrays.setAll(mean, i -> mean[i] + c.weight() / total() * c.mean()[i]);
      }
      return mean;
    }

    @Override
    public double[] scale() {
      double[] mean = location();
      double[] variance = new double[dimensions()];
      for (Component c : components) {
        Arrays.setAll(
            variance,
            i ->
                variance[i]
                    + c.weight()
                        / total()
                        * (c.deviation()[i] * c.deviation()[i]
                            + (c.mean()[i] - mean[i]) * (c.mean()[i] - mean[i])));
      }
      return Arrays.stream(variance).map(Math::sqrt).toArray();
    }

    @Override
    public double[] reach() {
      double[] reach = new double[dimensions()];
      for (Component c : components) {
        Arrays.setAll(reach, i -> Math.max(reach[i], Math.abs(c.mean()[i]) + c.deviation()[i]));
      }
      return reach;
    }

    @Override
    public String text() {
      StringBuilder text = new StringBuilder("gaussians");
      for (Component c : components) {
        text.append(' ')
            .append(c.weight())
            .append(Arrays.toString(c.mean()))
            .append(Arrays.toString(c.deviation()));
      }
      return text.toString();
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException("reference: " + rule);
    }
  }
}
