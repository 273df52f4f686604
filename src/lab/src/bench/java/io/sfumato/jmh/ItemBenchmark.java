// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.mollifier.DrawnItem;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.mollifier.PlannedMollifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/**
 * Private items: the law, made once a dataset, and a draw from it. Of 40 records, by projection of
 * more of them too.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ItemBenchmark {
  private final KeyedRandom stream = KeyedRandom.ofPublicSeed("jmh");
  private ItemMechanism finite;
  private ItemMechanism boosted;
  private ItemData counts;
  private ItemData points;
  private OutputDistribution<DrawnItem> finiteLaw;
  private OutputDistribution<DrawnItem> boostedLaw;

  @Setup
  public void setUp() {
    finite = mechanism(Plans.items(false));
    boosted = mechanism(Plans.items(true));
    counts = new ItemData(Optional.of(new Histogram(20, 15, 5)), List.of());
    SplittableRandom random = new SplittableRandom(1);
    List<Point> sample = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      sample.add(
          new Point(random.nextInt(3), new double[] {random.nextDouble(), random.nextDouble()}));
    }
    points = new ItemData(Optional.empty(), sample);
    finiteLaw = finite.distribution(counts);
    boostedLaw = boosted.distribution(points);
  }

  private static ItemMechanism mechanism(Plan plan) {
    return plan.all(PlannedMollifier.class).get(0).plan().mechanism();
  }

  @Benchmark
  public OutputDistribution<DrawnItem> finiteLaw() {
    return finite.distribution(counts);
  }

  @Benchmark
  public DrawnItem finiteDraw() {
    return finiteLaw.draw(stream);
  }

  @Benchmark
  public OutputDistribution<DrawnItem> boostedLaw() {
    return boosted.distribution(points);
  }

  @Benchmark
  public DrawnItem boostedDraw() {
    return boostedLaw.draw(stream);
  }

  /** Items by projection: a pool of 4,096 points, and a dataset narrower than its reference. */
  @State(Scope.Thread)
  public static class Pool {
    @Param({"40", "2000"})
    public int records;

    @Param({"1", "2"})
    public int numbers;

    private PooledItems items;
    private PooledItems scored;
    private ItemData dataset;
    private OutputDistribution<DrawnItem> distribution;

    @Setup
    public void setUp() {
      items = (PooledItems) mechanism(Plans.projection(numbers));
      SplittableRandom random = new SplittableRandom(1);
      List<Point> sample = new ArrayList<>();
      for (int i = 0; i < records; i++) {
        sample.add(new Point(0, random.doubles(numbers).toArray()));
      }
      dataset = new ItemData(Optional.empty(), sample);
      distribution = items.distribution(dataset);
      scored =
          new PooledItems(
              "scored",
              items.pool(),
              new Known(items.estimator().scores(sample)),
              items.sampler(),
              items.charge());
    }
  }

  /** Scores that are known already. */
  private record Known(double[] all) implements RatioEstimator {
    @Override
    public double[] scores(List<Point> dataset) {
      return all;
    }

    @Override
    public String text() {
      return "known";
    }
  }

  /** Scoring 4,096 points alone. */
  @Benchmark
  public double[] projectionScores(Pool pool) {
    return pool.items.estimator().scores(pool.dataset.points());
  }

  /** From the scores to the law, and an item from it. */
  @Benchmark
  public DrawnItem projectionOfScores(Pool pool) {
    OutputDistribution<DrawnItem> distribution = pool.scored.distribution(pool.dataset);
    return distribution.draw(stream);
  }

  /** One item more from the same law. */
  @Benchmark
  public DrawnItem projectionDraw(Pool pool) {
    return pool.distribution.draw(stream);
  }
}
