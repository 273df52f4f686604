// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.noise.ReplayableRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Private items of a dataset of 40 records: the law, made once, and a draw from it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ItemBenchmark {
  private final ReplayableRandom stream = ReplayableRandom.ofPublicSeed("jmh");
  private ItemSampler finite;
  private ItemSampler boosted;
  private ItemData counts;
  private ItemData points;
  private ItemSampler.Law finiteLaw;
  private ItemSampler.Law boostedLaw;

  @Setup
  public void setUp() {
    finite = Plans.items(false).items().get(0).sampler();
    boosted = Plans.items(true).items().get(0).sampler();
    counts = new ItemData(Optional.of(new Histogram(20, 15, 5)), List.of());
    SplittableRandom random = new SplittableRandom(1);
    List<Point> sample = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      sample.add(
          new Point(random.nextInt(3), new double[] {random.nextDouble(), random.nextDouble()}));
    }
    points = new ItemData(Optional.empty(), sample);
    finiteLaw = finite.law(counts);
    boostedLaw = boosted.law(points);
  }

  @Benchmark
  public ItemSampler.Law finiteLaw() {
    return finite.law(counts);
  }

  @Benchmark
  public Point finiteDraw() {
    return finiteLaw.draw(stream);
  }

  @Benchmark
  public ItemSampler.Law boostedLaw() {
    return boosted.law(points);
  }

  @Benchmark
  public Point boostedDraw() {
    return boostedLaw.draw(stream);
  }
}
