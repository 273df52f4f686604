// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

/**
 * A sum of independent counts, each with a law of its own around its mode: the chance that it is
 * one number, by the trapezoid rule over a circle,
 *
 * <pre>  P[sum = N] = 1/M sum_j e^(-i t N) prod_i E[e^(i t f_i)],    t = 2 pi j / M</pre>
 *
 * which is exact but for what lies M and more away. Angles are whole parts of a turn, so that a
 * table has all sines; and what lies as far below a mode as above shares them.
 */
final class CountSum {
  /** Frequencies end where the integrand has fallen to the square root of it. */
  private static final double FAINT = 1e-24;

  private final Law[] distributions;
  private int size;
  private double mean;
  private double variance;
  private long modes;

  /** Weights, which add up to 1: of the mode, and of both sides together and apart. */
  private record Law(long stride, double mode, double[] both, double[] apart) {}

  /** Of none so far. */
  CountSum(int most) {
    distributions = new Law[most];
  }

  /**
   * Adds a count.
   *
   * @param below weights of mode - stride, mode - 2 stride, ... in proportion to that of the mode
   * @param above likewise
   * @return the sum of all, the mode's 1 among them
   */
  double add(long mode, long stride, double[] below, double[] above) {
    int length = Math.max(below.length, above.length);
    double[] both = new double[length];
    double[] apart = new double[length];
    double zeroth = 1;
    double first = 0;
    double second = 0;
    for (int k = 0; k < length; k++) {
      double low = k < below.length ? below[k] : 0;
      double high = k < above.length ? above[k] : 0;
      double away = (k + 1.0) * stride;
      both[k] = high + low;
      apart[k] = high - low;
      zeroth += both[k];
      first += apart[k] * away;
      second += both[k] * away * away;
    }
    for (int k = 0; k < length; k++) {
      both[k] /= zeroth;
      apart[k] /= zeroth;
    }
    distributions[size++] = new Law(stride, 1 / zeroth, both, apart);
    modes += mode;
    mean += mode + first / zeroth;
    variance += second / zeroth - (first / zeroth) * (first / zeroth);
    return zeroth;
  }

  /** P[sum = N]. */
  double chance(long n) {
    Turns turns = Turns.ofAtLeast(8 * Math.sqrt(variance) + Math.abs(n - mean) + 10);
    double[] cosines = turns.cosines();
    double[] sines = turns.sines();
    int parts = cosines.length;
    double sum = 1;
    for (int j = 1; j <= parts / 2; j++) {
      int back = (int) Math.floorMod(j * (modes - n), (long) parts);
      double re = cosines[back];
      double im = sines[back];
      for (int i = 0; i < size && re * re + im * im >= FAINT; i++) {
        Law distribution = distributions[i];
        double[] both = distribution.both;
        double[] apart = distribution.apart;
        int turn = (int) (j * distribution.stride % parts);
        int at = 0;
        double x = distribution.mode;
        double y = 0;
        for (int k = 0; k < both.length; k++) {
          at += turn;
          at = at >= parts ? at - parts : at;
          x += both[k] * cosines[at];
          y += apart[k] * sines[at];
        }
        double turned = re * x - im * y;
        im = re * y + im * x;
        re = turned;
      }
      sum += 2 * j == parts ? re : 2 * re;
      if (re * re + im * im < FAINT) {
        break;
      }
    }
    return sum / parts;
  }
}
