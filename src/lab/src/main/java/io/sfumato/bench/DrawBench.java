// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.runtime.RefusedException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;
import org.apache.commons.rng.simple.RandomSource;

/** Dirichlet draws of 32 categories beside those of commons-rng, which nobody could replay. */
final class DrawBench {
  private static final int RECORDS = 40;

  private final int draws;
  private final DirichletMechanism mechanism;
  private final Histogram histogram;
  private final Gate gate = new Gate(NoiseSecret.random().derive());

  /** Keeps the compiler from leaving draws out. */
  private volatile double sink;

  DrawBench(Bench.Extent extent) {
    this.draws = extent.repeats(50_000);
    Plan plan = BenchPipeline.histogram("draw", "draw", Workload.WINDOW_MILLIS, 20);
    HistogramMechanism planned = plan.all(PlannedHistogram.class).get(0).plan().mechanism();
    this.mechanism = (DirichletMechanism) planned;
    this.histogram = histogram(new SplittableRandom(1));
  }

  /** A dataset of 40 records in 32 categories. */
  static Histogram histogram(SplittableRandom random) {
    long[] counts = new long[Workload.CATEGORIES];
    for (int i = 0; i < RECORDS; i++) {
      counts[random.nextInt(counts.length)]++;
    }
    return new Histogram(counts);
  }

  /** Nanoseconds a draw. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    Map<String, Rounds.Measurement> alternatives = new LinkedHashMap<>();
    alternatives.put("keyed stream", this::fromOneStream);
    alternatives.put("commons-rng", this::fromCommonsRng);
    alternatives.put("keyed stream of its own", this::fromOwnStreams);
    return rounds.run(alternatives, step);
  }

  private double fromOneStream() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("bench");
    long began = System.nanoTime();
    double sum = 0;
    for (int i = 0; i < draws; i++) {
      sum += ((Distribution) mechanism.distribution(histogram).draw(random)).share(0);
    }
    sink = sum;
    return (double) (System.nanoTime() - began) / draws;
  }

  private double fromOwnStreams() {
    long began = System.nanoTime();
    double sum = 0;
    for (int i = 0; i < draws; i++) {
      sum += ((Distribution) released(i)).share(0);
    }
    sink = sum;
    return (double) (System.nanoTime() - began) / draws;
  }

  private double fromCommonsRng() {
    double[] alpha = new double[histogram.categories()];
    Arrays.setAll(alpha, i -> mechanism.pair().r() * histogram.count(i) + mechanism.pair().a());
    UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(1L);
    DirichletSampler sampler = DirichletSampler.of(random, alpha);
    long began = System.nanoTime();
    double sum = 0;
    for (int i = 0; i < draws; i++) {
      sum += sampler.sample()[0];
    }
    sink = sum;
    return (double) (System.nanoTime() - began) / draws;
  }

  private HistogramRelease released(int index) {
    ReleaseId id =
        new ReleaseId("bench", new StateEpoch(1, 2), 1, "mix", "user", Workload.BEGIN, index);
    return gate.release(
        Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(histogram)));
  }
}
