// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;

/**
 * The public bins that values fall into: bin i holds the values from edge i up to, but without,
 * edge i + 1. The same on every machine. Immutable.
 */
public final class Bins {
  /** As many as a file has that names none. */
  public static final int DEFAULT = 4096;

  /** Most bins. */
  public static final int LARGEST = 1 << 16;

  private final Scale scale;
  private final double[] edges;

  private Bins(Scale scale, double[] edges) {
    this.scale = scale;
    this.edges = edges;
  }

  /** How edges are spaced. */
  public enum Scale {
    /** Evenly. */
    LINEAR {
      @Override
      public String word() {
        return "linear";
      }

      @Override
      double edge(double lo, double hi, double i, double n) {
        return lo + (hi - lo) * i / n;
      }
    },
    /** By equal factors; the lower end is above 0. */
    LOG {
      @Override
      public String word() {
        return "log";
      }

      @Override
      double edge(double lo, double hi, double i, double n) {
        double ln = StrictMath.log(lo);
        return StrictMath.exp(ln + (StrictMath.log(hi) - ln) * i / n);
      }
    };

    /** The word of pipeline files. */
    public abstract String word();

    abstract double edge(double lo, double hi, double i, double n);
  }

  /**
   * Bins of a range.
   *
   * @param lo lower end, finite; above 0 on a logarithmic scale
   * @param hi upper end, finite and above {@code lo}
   * @param number of bins, 2 to 65,536
   * @throws IllegalArgumentException also where doubles are too coarse to tell neighbouring edges
   *     apart
   */
  public static Bins of(double lo, double hi, int number, Scale scale) {
    if (number < 2 || number > LARGEST) {
      throw new IllegalArgumentException("there are 2 to " + LARGEST + " bins, were " + number);
    }
    if (!(lo < hi) || !Double.isFinite(hi - lo)) {
      throw new IllegalArgumentException(
          "bins have a finite range, its lower end first, was " + lo + " to " + hi);
    }
    if (scale == Scale.LOG && !(lo > 0)) {
      throw new IllegalArgumentException("bins on a logarithmic scale begin above 0, not at " + lo);
    }
    double[] edges = new double[number + 1];
    for (int i = 1; i < number; i++) {
      edges[i] = scale.edge(lo, hi, i, number) + 0.0; // -0.0 becomes 0.0
    }
    edges[0] = lo + 0.0;
    edges[number] = hi + 0.0;
    for (int i = 0; i < number; i++) {
      if (!(edges[i] < edges[i + 1])) {
        throw new IllegalArgumentException(
            number + " bins between " + lo + " and " + hi + " are too narrow for doubles");
      }
    }
    return new Bins(scale, edges);
  }

  /** How many there are. */
  public int number() {
    return edges.length - 1;
  }

  /** How edges are spaced. */
  public Scale scale() {
    return scale;
  }

  /**
   * Lower end of bin i, and upper end of the bin before: 0 to {@link #number}.
   *
   * @param i 0 to {@link #number}
   */
  public double edge(int i) {
    return edges[i];
  }

  /**
   * The bin of a value, from 0: it does not fall with the value. What lies beyond an end counts in
   * the bin there.
   *
   * @param value any number but NaN
   * @throws IllegalArgumentException if it is not a number
   */
  public int of(double value) {
    if (Double.isNaN(value)) {
      throw new IllegalArgumentException("no bin holds what is not a number");
    }
    int found = Arrays.binarySearch(edges, value + 0.0);
    int bin = found >= 0 ? found : -found - 2;
    return Math.max(0, Math.min(number() - 1, bin));
  }

  /** Writes all that they depend on. */
  void encode(CanonicalEncoder encoder) {
    encoder
        .text(scale.word())
        .number(number())
        .number(Double.doubleToLongBits(edges[0]))
        .number(Double.doubleToLongBits(edges[number()]));
  }

  /**
   * The value at a part of the way through a bin.
   *
   * @param bin from 0
   * @param part in [0, 1]
   */
  public double within(int bin, double part) {
    double value = edges[bin] + part * (edges[bin + 1] - edges[bin]);
    return Math.min(edges[bin + 1], value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bins bins && scale == bins.scale && Arrays.equals(edges, bins.edges);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(edges);
  }

  @Override
  public String toString() {
    return number() + " bins from " + edges[0] + " to " + edges[number()] + ", " + scale.word();
  }
}
