// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.WeightedChoice;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Items with numbers in a bounded box, cut into equal cells: a density that is constant in each
 * cell is bounded, so the minimax sampler of finite domains is that of these densities. A number
 * outside the box counts at its border.
 *
 * @param box of the numbers
 * @param bins of each number, at least 1
 * @param categories number of categories; 0 where items have none
 * @param sampler over categories times cells, the category most significant
 * @param charge of one item
 */
public record CellItems(
    Uniform box, int bins, int categories, FiniteSampler sampler, PrivacyCost charge)
    implements ItemMechanism {
  /** With a charge as that of {@link FiniteItems}: where in its cell an item lies tells nothing. */
  public CellItems(Uniform box, int bins, int categories, FiniteSampler sampler) {
    this(
        box,
        bins,
        categories,
        sampler,
        PrivacyCost.pure(
            sampler.text() + " cells=" + bins + " " + box.text(),
            PrivacyUnit.DATASET,
            sampler.band().epsilon()));
  }

  @Override
  public String method() {
    return "clipped";
  }

  /**
   * Number of cells with {@code bins} bins a dimension, categories included.
   *
   * @param dimensions numbers of an item
   * @param bins at least 1
   * @param categories at least 1
   */
  public static long cells(int dimensions, int bins, int categories) {
    long cells = Math.max(1, categories);
    for (int i = 0; i < dimensions; i++) {
      cells = Math.multiplyExact(cells, (long) bins);
    }
    return cells;
  }

  @Override
  public Map<String, Double> parameters() {
    return sampler.parameters("cells", cells(box.dimensions(), bins, categories));
  }

  @Override
  public ItemLaw distribution(ItemData dataset) {
    WeightedChoice choice = new WeightedChoice(weights(dataset));
    return new ItemLaw(charge, dataset, random -> inCell(choice.draw(random), random));
  }

  @Override
  public Optional<double[]> probabilities(ItemData dataset) {
    return Optional.of(FiniteSampler.shares(weights(dataset)));
  }

  private long[] weights(ItemData dataset) {
    long[] counts = new long[(int) cells(box.dimensions(), bins, categories)];
    dataset.points().forEach(point -> counts[cell(point)]++);
    return sampler.weights(new Histogram(counts));
  }

  private Point inCell(int cell, KeyedRandom random) {
    int rest = cell;
    double[] x = new double[box.dimensions()];
    for (int i = x.length - 1; i >= 0; i--) {
      double width = (box.high()[i] - box.low()[i]) / bins;
      x[i] = box.low()[i] + width * (rest % bins + random.nextOpenDouble());
      rest /= bins;
    }
    return new Point(rest, x);
  }

  /** The place of a point's cell. */
  int cell(Point point) {
    int cell = point.category();
    for (int i = 0; i < box.dimensions(); i++) {
      double place = (point.numbers()[i] - box.low()[i]) / (box.high()[i] - box.low()[i]) * bins;
      cell = cell * bins + (int) Math.max(0, Math.min(bins - 1.0, place));
    }
    return cell;
  }

  /** The sampler's domain in words: never prints data. */
  @Override
  public String toString() {
    return "CellItems" + Arrays.toString(box.low()) + Arrays.toString(box.high());
  }
}
