// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.random.KeyedRandom;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a window's quantiles over 4,096 bins take: exact rows, their noise, and estimates. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class QuantileBenchmark {
  /** Records. */
  @Param({"50", "100000"})
  private int records;

  private GridMeasurement<QuantileQuery> mechanism;
  private RootEstimate estimate;
  private QuantileEstimates estimates;
  private ExactVector exact;
  private NoisyVector drawn;
  private KeyedRandom random;

  @Setup
  public void setUp() {
    Bins bins = Bins.of(0, 1, Bins.DEFAULT, Bins.Scale.LINEAR);
    CalibrationTarget share = new CalibrationTarget("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
    QuantileQuery query = new QuantileQuery(bins, 1);
    mechanism =
        VectorCalibrator.gaussian(share, query, RootSensitivity.addOrRemove(query.root(), 1, 1))
            .orElseThrow()
            .mechanism();
    estimate = new RootEstimate(query.root());
    estimates = new QuantileEstimates(mechanism);
    SplittableRandom values = new SplittableRandom(1);
    long[] counts = new long[bins.number()];
    for (int i = 0; i < records; i++) {
      counts[bins.of(values.nextDouble())]++;
    }
    exact = new ExactVector(counts);
    random = KeyedRandom.ofPublicSeed("a benchmark");
    drawn = mechanism.distribution(exact).draw(random);
  }

  /** C x in whole numbers. */
  @Benchmark
  public long[] exactRows() {
    return mechanism.query().vector(exact);
  }

  /** The same with 4,096 discrete Gaussian numbers. */
  @Benchmark
  public NoisyVector draw() {
    return mechanism.distribution(exact).draw(random);
  }

  /** B y. */
  @Benchmark
  public double[] runningSums() {
    return estimate.sums(drawn.values());
  }

  @Benchmark
  public QuantileEstimate[] threeQuantiles() {
    return estimates.of(drawn, 0.5, 0.9, 0.99);
  }
}
