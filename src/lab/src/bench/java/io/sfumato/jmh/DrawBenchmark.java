// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One Dirichlet draw of d categories, here and elsewhere. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DrawBenchmark {
  @Param({"6", "32", "1000"})
  private int d;

  private DirichletMechanism mechanism;
  private DirichletMechanism urn;
  private Histogram histogram;
  private Gate gate;
  private KeyedRandom stream;
  private DirichletSampler commonsRng;
  private GammaDistribution[] commonsMath;
  private int index;

  @Setup
  public void setUp() {
    mechanism =
        (DirichletMechanism)
            Plans.histogram(d).all(PlannedHistogram.class).get(0).plan().mechanism();
    urn = mechanism.asCounts(40);
    SplittableRandom random = new SplittableRandom(1);
    long[] counts = new long[d];
    for (int i = 0; i < 40; i++) {
      counts[random.nextInt(d)]++;
    }
    histogram = new Histogram(counts);
    gate = new Gate(NoiseSecret.random().derive());
    stream = KeyedRandom.ofPublicSeed("jmh");
    double[] alpha = new double[d];
    Arrays.setAll(alpha, i -> mechanism.pair().r() * counts[i] + mechanism.pair().a());
    commonsRng = DirichletSampler.of(RandomSource.XO_RO_SHI_RO_128_PP.create(1L), alpha);
    Well19937c well = new Well19937c(1);
    commonsMath =
        Arrays.stream(alpha)
            .mapToObj(shape -> new GammaDistribution(well, shape, 1))
            .toArray(GammaDistribution[]::new);
  }

  @Benchmark
  public HistogramRelease keyedStream() {
    return mechanism.distribution(histogram).draw(stream);
  }

  /** As in a release: with the digest of the input and the stream's own key. */
  @Benchmark
  public HistogramRelease keyedStreamOfItsOwn() {
    ReleaseId id =
        new ReleaseId("jmh", new StateEpoch(1, 2), 1, "mix", "user-0000001", 0, index++ & 0xFFFF);
    return gate.release(
        Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(histogram)));
  }

  @Benchmark
  public HistogramRelease urnOf40Items() {
    return urn.distribution(histogram).draw(stream);
  }

  @Benchmark
  public double[] commonsRng() {
    return commonsRng.sample();
  }

  @Benchmark
  public double[] commonsMathGammas() {
    double[] weights = new double[d];
    double sum = 0;
    for (int i = 0; i < d; i++) {
      weights[i] = commonsMath[i].sample();
      sum += weights[i];
    }
    for (int i = 0; i < d; i++) {
      weights[i] /= sum;
    }
    return weights;
  }
}
