// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.Arrays;

/** What the toy of the ABCDP paper asks about: its true shares and its observations (figure 1). */
final class AbcToyWorld {
  private static final double[] TRUTH = {0.25, 0.04, 0.33, 0.04, 0.34};

  /** Observations of a seed. */
  static final int RECORDS = 5000;

  private static final MixtureOfUniforms MODEL = new MixtureOfUniforms(TRUTH.length);

  /** Bins of the histogram in each component's interval, of width 1. */
  private static final int BINS = 10;

  private AbcToyWorld() {}

  /** Theta*, one share a component. */
  static double[] truth() {
    return TRUTH.clone();
  }

  /** Y*: rows of one number in [0, 5), simulated with some shares and a public seed. */
  static double[][] observed(String name, double[] theta) {
    return observed(name, theta, RECORDS);
  }

  /** The same of another number of records. */
  static double[][] observed(String name, double[] theta, int records) {
    return MODEL.simulate(theta, records, KeyedRandom.ofPublicSeed(name)).rows();
  }

  /** A draw from the prior with a public seed. */
  static double[] drawn(String name) {
    return drawn(KeyedRandom.ofPublicSeed(name));
  }

  private static double[] drawn(KeyedRandom random) {
    double[] theta = new double[TRUTH.length];
    Arrays.fill(theta, Double.NaN);
    MODEL.complete(theta, random);
    return theta;
  }

  /** Shares and what was simulated with them. */
  record Simulated(double[] theta, double[][] rows) {}

  /** A candidate: a draw from the prior, and what it simulates. */
  static Simulated simulated(String name, int records) {
    KeyedRandom random = KeyedRandom.ofPublicSeed(name);
    double[] theta = drawn(random);
    return new Simulated(theta, MODEL.simulate(theta, records, random).rows());
  }

  /** Figure 1, of the first seed: {@code abc-toy-data.csv} and {@code abc-toy-data.png}. */
  static void write(Path out) throws ExperimentException {
    int bins = BINS * TRUTH.length;
    long[] counts = new long[bins];
    for (double[] row : observed("abc-toy observed 0", TRUTH)) {
      counts[Math.min(bins - 1, (int) (row[0] * BINS))]++;
    }
    double[] observed = new double[bins];
    double[] expected = new double[bins];
    ResultLines csv = new ResultLines("low,high,component,theta,records,density,expected_density");
    for (int i = 0; i < bins; i++) {
      int component = i / BINS;
      observed[i] = counts[i] * BINS / (double) RECORDS;
      expected[i] = TRUTH[component];
      csv.add(
          "%.1f,%.1f,%d,%s,%d,%.6g,%.6g",
          i / (double) BINS,
          (i + 1) / (double) BINS,
          component + 1,
          TRUTH[component],
          counts[i],
          observed[i],
          expected[i]);
    }
    csv.write(out.resolve("abc-toy-data.csv"));
    Plots plots = new Plots();
    plots.panel("true parameters", "component", Plots.Axis.LINEAR, "theta", Plots.Axis.LINEAR);
    plots.histogram("truth", 0.5, TRUTH.length + 0.5, expected);
    plots.panel("5,000 observations", "y", Plots.Axis.LINEAR, "density", Plots.Axis.LINEAR);
    plots.histogram("truth", 0, TRUTH.length, expected);
    plots.histogram("observed", 0, TRUTH.length, observed);
    ResultTable.write(out.resolve("abc-toy-data.png"), plots, 2);
  }
}
