// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.continual;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.continual.RunningError;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import java.util.Arrays;

/** How far what rows tell may be off, by their noise alone; 1 is a record. */
public final class RowErrorBars {
  /** So many Laplace noises are summed up exactly; more are nearer to a normal law than these. */
  private static final int EXACT = 100;

  private final GridNoise noise;
  private final RunningError error;

  /** Of the sums that these rows add up to. */
  public RowErrorBars(RunningMechanism mechanism) {
    this.noise = mechanism.noise();
    this.error = new RunningError(mechanism.coefficients());
  }

  /**
   * The distance from the truth within which the sum of the last windows lies in 95 of 100 cases.
   *
   * @param windows n that there are so far, at least 1
   * @param last how many are summed up, at least 1; all if there are fewer
   */
  public double halfWidth(long windows, long last) {
    // What is told of a window is rounded to a step of 2^-20.
    double rounding = Math.scalb((double) Math.min(windows, last), -RunningSums.TOLD_DIGITS);
    return rounding + Math.scalb(noiseWidth(windows, Math.min(windows, last)), -noise.digits());
  }

  private double noiseWidth(long windows, long last) {
    if (noise.method().equals("gaussian")) {
      return noise.halfWidth(0.95, weight(windows, last));
    }
    double[] ones = new double[(int) Math.min(EXACT, last)];
    Arrays.fill(ones, 1);
    return noise.halfWidth(0.95, ones) * Math.sqrt(last / (double) ones.length);
  }

  /**
   * The standard deviation of the sum of the last windows, in noises of one row.
   *
   * @param windows so far, at least 1
   * @param last number of last windows, at least 1
   */
  public double weight(long windows, long last) {
    return last < windows ? error.ofLast(windows, (int) last) : error.ofAll(windows);
  }

  /**
   * Standard deviation of the sum of the last windows.
   *
   * @param windows so far, at least 1
   * @param last number of last windows, at least 1
   */
  public double deviation(long windows, long last) {
    return Math.scalb(noise.deviation(), -noise.digits()) * weight(windows, last);
  }

  /**
   * Root mean square error of running sums over the first windows.
   *
   * @param windows at least 1
   */
  public double rootMeanSquare(int windows) {
    return Math.scalb(noise.deviation(), -noise.digits()) * error.rootMeanSquare(windows);
  }
}
