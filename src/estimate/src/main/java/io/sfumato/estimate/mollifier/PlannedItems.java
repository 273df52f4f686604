// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.BoostedDensity;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What items are planned for: some PUBLIC densities that are narrower than the reference, each
 * around two points of it, and a dataset of each. Nothing of it is private. They are drawn once,
 * when a plan first asks for them.
 */
public final class PlannedItems {
  private static final int DENSITIES = 8;

  /** Points at which a law that has none of its own is looked at. */
  private static final int POOL = 4096;

  /** Half the reference's scale: a density around a point of it. */
  private static final double WIDTH = 0.5;

  /** More numbers would leave next to none of the reference's draws. */
  private static final int NARROWED = 3;

  /** Of each record: some dozens are expected. */
  private static final long MOST_TRIES = 10_000;

  /** What records of other categories than the centre's count. */
  private static final double OTHERS = 0.3;

  private final Reference reference;
  private final int size;
  private final double[] scale;
  private List<Density> drawn = List.of();
  private boolean isDrawn;

  /**
   * @param reference that the densities are narrower than; items have numbers
   * @param size number of records of each dataset, at least 1
   */
  public PlannedItems(Reference reference, int size) {
    this.reference = reference;
    this.size = size;
    this.scale = reference.numbers().orElseThrow().scale();
  }

  /** A density, by the points that it is around, and its dataset. */
  private record Density(List<Point> centres, ItemData dataset) {}

  /**
   * What is expected, in nats, over the densities.
   *
   * @param error KL divergence of the items' law from the density
   * @param best the least that any law of the same band has
   * @param reference that of the reference
   */
  public record Errors(double error, double best, double reference) {}

  /** Of items from a pool. Nothing where the reference is too flat to find records within. */
  public Optional<Errors> of(PooledItems items) {
    List<Density> densities = densities();
    if (densities.isEmpty()) {
      return Optional.empty();
    }
    double[] even = items.sampler().reference();
    double best = 0;
    double alone = 0;
    for (Density density : densities) {
      double[] p = shares(density, items.pool());
      best += kl(p, FiniteSampler.shares(items.sampler().nearest(p))) / DENSITIES;
      alone += kl(p, even) / DENSITIES;
    }
    return Optional.of(new Errors(error(items), best, alone));
  }

  /** Of items from a pool, that of {@link Errors} alone; infinite where nothing is known. */
  public double error(PooledItems items) {
    return error(items.pool(), dataset -> items.probabilities(dataset).orElseThrow());
  }

  /** Of items from a boosted density, at points of the reference; infinite likewise. */
  public double error(BoostedItems items) {
    List<Point> points = Boosting.pool(reference, POOL);
    return error(
        points,
        dataset -> {
          BoostedDensity density = items.boosting().fit(dataset.points()).density();
          return normalised(
              points.stream().mapToDouble(x -> StrictMath.exp(density.exponent(x))).toArray());
        });
  }

  private double error(List<Point> points, Function<ItemData, double[]> distribution) {
    List<Density> densities = densities();
    double error = 0;
    for (Density density : densities) {
      error += kl(shares(density, points), distribution.apply(density.dataset())) / DENSITIES;
    }
    return densities.isEmpty() ? Double.POSITIVE_INFINITY : error;
  }

  /** None where the reference is too flat to find records within. */
  private synchronized List<Density> densities() {
    if (!isDrawn) {
      drawn = draw();
      isDrawn = true;
    }
    return drawn;
  }

  private List<Density> draw() {
    List<Density> densities = new ArrayList<>();
    for (int i = 0; i < DENSITIES; i++) {
      KeyedRandom random = KeyedRandom.ofPublicSeed("plan " + i + reference.text());
      List<Point> centres = List.of(reference.draw(random), reference.draw(random));
      Optional<List<Point>> dataset = dataset(centres, random);
      if (dataset.isEmpty()) {
        return List.of();
      }
      densities.add(new Density(centres, new ItemData(Optional.empty(), dataset.get())));
    }
    return densities;
  }

  private Optional<List<Point>> dataset(List<Point> centres, KeyedRandom random) {
    List<Point> points = new ArrayList<>();
    for (long tries = 0; points.size() < size; tries++) {
      if (tries > MOST_TRIES * size) {
        return Optional.empty();
      }
      Point x = reference.draw(random);
      if (random.nextOpenDouble() < part(x, centres)) {
        points.add(x);
      }
    }
    return Optional.of(points);
  }

  private double[] shares(Density density, List<Point> points) {
    return normalised(points.stream().mapToDouble(x -> part(x, density.centres())).toArray());
  }

  /** The density over the reference's, but for a constant: at most 1. */
  private double part(Point x, List<Point> centres) {
    return centres.stream().mapToDouble(centre -> part(x, centre)).sum() / centres.size();
  }

  private double part(Point x, Point centre) {
    double sum = 0;
    for (int i = 0; i < Math.min(NARROWED, scale.length); i++) {
      double z = (x.numbers()[i] - centre.numbers()[i]) / (WIDTH * scale[i]);
      sum += z * z;
    }
    return StrictMath.exp(-sum / 2) * (x.category() == centre.category() ? 1 : OTHERS);
  }

  private static double[] normalised(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum).toArray();
  }

  private static double kl(double[] p, double[] q) {
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      sum += p[i] > 0 ? p[i] * StrictMath.log(p[i] / q[i]) : 0;
    }
    return sum;
  }
}
