// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a record and a candidate cost where a pipeline answers queries. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueryBenchmark {
  private final RandomFeatures features = new RandomFeatures(2, 100, 0.7, "jmh");
  private final RejectionCoin coin = new RejectionCoin(0.05, 0.8, 0.4, 0.3);
  private final KeyedRandom stream = KeyedRandom.ofPublicSeed("jmh");
  private final double[] x = {0.3, -1.2};

  /** m = 100 features of two numbers. */
  @Benchmark
  public long[] featureMap() {
    return features.quantised(x);
  }

  @Benchmark
  public long coin() {
    return coin.answer(0.35, Optional.empty()).draw(stream).outcome();
  }
}
