// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Divergences;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Synthetic items: laws of any two datasets lie within one band. */
final class ItemJudge implements DrawJudge<ItemDraw> {
  private static final double ROUNDING = 1e-9;

  @Override
  public Class<ItemDraw> draws() {
    return ItemDraw.class;
  }

  @Override
  public boolean same(Pair<ItemDraw> pair) {
    return pair.first().exact().equals(pair.second().exact());
  }

  /** Any two datasets are neighbours; what may not lie apart are their laws. */
  @Override
  public List<String> tooFar(List<Pair<ItemDraw>> pairs, Claim claim) {
    List<String> far = new ArrayList<>();
    double epsilon = claim.charge().pure().orElseThrow();
    for (Pair<ItemDraw> pair : pairs) {
      Optional<double[]> first = law(pair.first());
      Optional<double[]> second = law(pair.second());
      if (first.isEmpty() || second.isEmpty()) {
        continue;
      }
      double largest = 0;
      for (int i = 0; i < first.get().length; i++) {
        largest = Math.max(largest, Math.abs(StrictMath.log(first.get()[i] / second.get()[i])));
      }
      if (largest > epsilon + ROUNDING) {
        far.add(
            "item %s: the laws differ by a factor of e^%s, the charge is %s"
                .formatted(pair.first().id().text(), largest, epsilon));
      }
    }
    return far;
  }

  @Override
  public OptionalDouble divergence(double order, Pair<ItemDraw> pair, Claim claim) {
    Optional<double[]> first = law(pair.first());
    Optional<double[]> second = law(pair.second());
    return first.isPresent() && second.isPresent()
        ? OptionalDouble.of(Divergences.finite(order, first.get(), second.get()))
        : OptionalDouble.empty();
  }

  /** The exact law over categories or cells; none of densities without cells. */
  private static Optional<double[]> law(ItemDraw draw) {
    ItemSampler sampler = draw.sampler();
    ItemData data = draw.exact();
    if (sampler instanceof FiniteItems finite) {
      return Optional.of(shares(finite.sampler().weights(data.counts().orElseThrow())));
    }
    if (sampler instanceof CellItems cells) {
      return Optional.of(shares(cells.sampler().weights(counts(cells, data.points()))));
    }
    return Optional.empty();
  }

  private static Histogram counts(CellItems cells, List<Point> points) {
    long[] counts =
        new long[(int) CellItems.cells(cells.box().dimensions(), cells.bins(), cells.categories())];
    points.forEach(point -> counts[cells.cell(point)]++);
    return new Histogram(counts);
  }

  private static double[] shares(long[] weights) {
    double sum = Arrays.stream(weights).asDoubleStream().sum();
    return Arrays.stream(weights).mapToDouble(weight -> weight / sum).toArray();
  }

  @Override
  public Optional<String> chargeOf(ItemDraw draw, Claim claim) {
    return Optional.of(draw.id().text());
  }
}
