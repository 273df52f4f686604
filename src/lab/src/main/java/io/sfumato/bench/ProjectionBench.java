// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.mollifier.DrawnItem;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.mollifier.PlannedMollifier;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** What an item by projection costs: the scores of the pool, and all that comes after them. */
final class ProjectionBench {
  /** A dataset as large as those of {@link ItemBench}. */
  static final String SCORES = "scores, 40 records";

  static final String SCORES_OF_MANY = "scores, 2,000 records";

  /** The law from the scores, and one item from the law. */
  static final String DRAW = "draw from a scored pool";

  private static final int FEW = 40;
  private static final int MANY = 2_000;

  private final Bench.Extent extent;
  private final PooledItems items;
  private final ItemData few = dataset(FEW);
  private final ItemData many = dataset(MANY);

  /** Keeps the compiler from leaving work out. */
  private volatile double sink;

  ProjectionBench(Bench.Extent extent) {
    this.extent = extent;
    Plan plan = BenchPipeline.items("pool", "pool", BenchPipeline.Items.PROJECTION);
    items = (PooledItems) plan.all(PlannedMollifier.class).get(0).plan().mechanism();
  }

  private static ItemData dataset(int records) {
    SplittableRandom random = new SplittableRandom(6);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      double[] numbers = {random.nextDouble(), random.nextDouble()};
      points.add(new Point(random.nextInt(Workload.CATEGORIES), numbers));
    }
    return new ItemData(Optional.empty(), points);
  }

  /** Milliseconds of each. */
  Map<String, List<Double>> run(Rounds rounds, Runnable step)
      throws RefusedException, InterruptedException {
    RatioEstimator estimator = items.estimator();
    Mechanism<ItemData, DrawnItem> scored = scored(estimator.scores(few.points()));
    KeyedRandom random = KeyedRandom.ofPublicSeed("bench");
    Map<String, Rounds.Measurement> parts = new LinkedHashMap<>();
    parts.put(SCORES, () -> millis(100, i -> estimator.scores(few.points())[i]));
    parts.put(SCORES_OF_MANY, () -> millis(5, i -> estimator.scores(many.points())[i]));
    parts.put(
        DRAW, () -> millis(200, i -> scored.distribution(few).draw(random).point().category()));
    return rounds.run(parts, step);
  }

  private double millis(int usual, IntToDoubleFunction work) {
    int times = extent.repeats(usual);
    long began = System.nanoTime();
    double sum = 0;
    for (int i = 0; i < times; i++) {
      sum += work.applyAsDouble(i);
    }
    sink = sum;
    return (System.nanoTime() - began) / 1e6 / times;
  }

  /** The same items, from scores that are known. */
  private PooledItems scored(double[] scores) {
    return new PooledItems(
        items.method(), items.pool(), new Known(scores), items.sampler(), items.charge());
  }

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
}
