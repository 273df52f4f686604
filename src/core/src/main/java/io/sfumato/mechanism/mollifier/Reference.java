// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.random.KeyedRandom;
import io.sfumato.random.WeightedChoice;
import java.util.Arrays;
import java.util.Optional;

/**
 * The public reference Q0 of a subject's items: a product of a law of the category and a density of
 * the numbers, either of which may be absent.
 */
public final class Reference {
  private static final double STEPS = 0x1.0p52;
  private static final double[] NO_NUMBERS = new double[0];

  private final double[] shares;
  private final Optional<NumericReference> numbers;
  private final Optional<WeightedChoice> choice;

  /**
   * @param shares of the categories, all above 0; none where items have no category
   * @param numbers density of the numbers; none where items have none
   * @throws IllegalArgumentException if there are neither categories nor numbers, or a share is not
   *     above 0 or infinite
   */
  public Reference(double[] shares, Optional<NumericReference> numbers) {
    if (shares.length == 0 && numbers.isEmpty()) {
      throw new IllegalArgumentException("a reference has categories, numbers or both");
    }
    double total = Arrays.stream(shares).sum();
    for (double share : shares) {
      if (!(share > 0) || share == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "a reference has full support: every share is above 0, found " + share);
      }
    }
    this.shares = Arrays.stream(shares).map(s -> s / total).toArray();
    this.numbers = numbers;
    this.choice =
        shares.length == 0
            ? Optional.empty()
            : Optional.of(
                new WeightedChoice(
                    Arrays.stream(this.shares)
                        .mapToLong(s -> Math.max(1, (long) (s * STEPS)))
                        .toArray()));
  }

  /** 0 where items have none. */
  public int categories() {
    return shares.length;
  }

  /** Shares of the categories, adding up to 1. */
  public double[] shares() {
    return shares.clone();
  }

  /**
   * The share of a category, above 0.
   *
   * @param category from 0
   */
  public double share(int category) {
    return shares[category];
  }

  /** How many numbers an item has; 0 for categories alone. */
  public int dimensions() {
    return numbers.map(NumericReference::dimensions).orElse(0);
  }

  /** The law of the numbers; empty for categories alone. */
  public Optional<NumericReference> numbers() {
    return numbers;
  }

  /** Draws one item of Q0. */
  public Point draw(KeyedRandom random) {
    int category = choice.map(c -> c.draw(random)).orElse(0);
    return new Point(category, numbers.map(n -> n.draw(random)).orElse(NO_NUMBERS));
  }

  /** Logarithm of the density: of the category's share times that of the numbers. */
  public double logDensity(Point x) {
    double log = shares.length == 0 ? 0 : StrictMath.log(shares[x.category()]);
    return log + numbers.map(n -> n.logDensity(x.numbers())).orElse(0.0);
  }

  /** Of the same law: a plan that was made of one serves the other. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Reference reference && reference.text().equals(text());
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  @Override
  public String toString() {
    return text();
  }

  /** Canonical text: part of the charge's identity. */
  public String text() {
    return "categories "
        + Arrays.toString(shares)
        + numbers.map(n -> " numbers " + n.text()).orElse("");
  }
}
