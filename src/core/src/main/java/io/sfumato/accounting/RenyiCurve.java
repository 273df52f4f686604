// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * A Rényi curve: for every order of {@link RenyiOrders} an upper bound of the divergence between
 * the outputs on neighbouring datasets, in nats. Values are at least 0; +infinity is legal and says
 * that the order gives no bound.
 */
public final class RenyiCurve {
  private final double[] epsilons;

  private RenyiCurve(double[] epsilons) {
    for (int i = 0; i < epsilons.length; i++) {
      if (Double.isNaN(epsilons[i]) || epsilons[i] < 0) {
        throw new IllegalArgumentException(
            "a Rényi curve is at least 0 everywhere, found "
                + epsilons[i]
                + " at order "
                + RenyiOrders.at(i));
      }
    }
    this.epsilons = epsilons;
  }

  /** Evaluates a function order -> epsilon on the grid. NaN or negative values are refused. */
  public static RenyiCurve of(DoubleUnaryOperator epsilon) {
    double[] epsilons = new double[RenyiOrders.size()];
    for (int i = 0; i < epsilons.length; i++) {
      epsilons[i] = epsilon.applyAsDouble(RenyiOrders.at(i));
    }
    return new RenyiCurve(epsilons);
  }

  /**
   * Gaussian noise of standard deviation 1 / mu times the sensitivity: {@code L mu^2 / 2}.
   *
   * @param mu sensitivity over standard deviation, at least 0
   */
  public static RenyiCurve gaussian(double mu) {
    return of(order -> up(up(order * mu) * mu) / 2);
  }

  /**
   * Randomised response with e^epsilon to 1 odds, which dominates all that is purely private
   * (Mironov 2017, Proposition 5).
   *
   * @param epsilon in nats, at least 0
   */
  public static RenyiCurve pure(double epsilon) {
    double lnTruth = -StrictMath.log1p(StrictMath.exp(-epsilon));
    double lnLie = lnTruth - epsilon;
    return of(
        order -> {
          double truths = order * lnTruth + (1 - order) * lnLie;
          double lies = order * lnLie + (1 - order) * lnTruth;
          double ln = truths + StrictMath.log1p(StrictMath.exp(lies - truths));
          double error = 0x1.0p-50 * (1 + order) * (1 + epsilon);
          return Math.min(epsilon, Math.max(0, ln + error) / (order - 1));
        });
  }

  /** The curve that costs nothing. */
  public static RenyiCurve zero() {
    return new RenyiCurve(new double[RenyiOrders.size()]);
  }

  /**
   * The bound at an order of the grid.
   *
   * @param order of the grid, above 1
   * @return nats
   * @throws IllegalArgumentException if the order is not on the grid
   */
  public double at(double order) {
    return epsilons[RenyiOrders.placeOf(order)];
  }

  /**
   * This curve and {@code count} times another: composition adds curves (Mironov 2017).
   *
   * @param count at least 0
   * @throws IllegalArgumentException if the count is below 0
   */
  public RenyiCurve plus(long count, RenyiCurve other) {
    if (count < 0) {
      throw new IllegalArgumentException("a count is at least 0, was " + count);
    }
    if (count == 0) { // 0 times infinity is NaN
      return this;
    }
    double[] sum = epsilons.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] = up(sum[i] + up(count * other.epsilons[i]));
    }
    return new RenyiCurve(sum);
  }

  /**
   * An equal part of this curve.
   *
   * @param parts at least 1
   * @throws IllegalArgumentException if there is no part
   */
  public RenyiCurve over(long parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("a curve has at least 1 part, was " + parts);
    }
    return parts == 1 ? this : new RenyiCurve(map(epsilon -> up(epsilon / parts)));
  }

  /**
   * This curve where it is below a number of nats, that number elsewhere.
   *
   * @param nats at least 0
   */
  public RenyiCurve atMost(double nats) {
    return new RenyiCurve(map(epsilon -> Math.min(epsilon, nats)));
  }

  /**
   * This curve where it is above a number of nats, that number elsewhere.
   *
   * @param nats at least 0
   */
  public RenyiCurve atLeast(double nats) {
    return new RenyiCurve(map(epsilon -> Math.max(epsilon, nats)));
  }

  private double[] map(DoubleUnaryOperator change) {
    return Arrays.stream(epsilons).map(change).toArray();
  }

  private static double up(double value) {
    return value == 0 ? 0 : Math.nextUp(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RenyiCurve curve && Arrays.equals(epsilons, curve.epsilons);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(epsilons);
  }

  @Override
  public String toString() {
    return "RenyiCurve" + Arrays.toString(epsilons);
  }
}
