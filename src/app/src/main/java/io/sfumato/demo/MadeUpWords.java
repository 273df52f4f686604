// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Words that made-up people look for: some by many, many by some, and now and then one that nobody
 * else would think of.
 *
 * @param random numbers from 0 to 1
 */
record MadeUpWords(DoubleSupplier random) {
  /** The n-th is looked for 1/n as often as the first (Zipf's law). */
  static final List<String> KNOWN =
      List.of(
          "crime novels",
          "cookbooks",
          "travel guides",
          "fairy tales",
          "history of Rome",
          "gardening",
          "learn Spanish",
          "poems",
          "space travel",
          "chess openings",
          "first aid",
          "knitting",
          "whales",
          "statistics",
          "ghost stories",
          "bicycle repair",
          "vegan baking",
          "philosophy",
          "mountains",
          "music theory",
          "origami",
          "beekeeping",
          "old maps",
          "bread",
          "volcanoes",
          "sign language",
          "birds of Europe",
          "watercolours",
          "sailing",
          "family law",
          "comics",
          "migraine",
          "insomnia",
          "dinosaurs",
          "tax returns",
          "cathedrals",
          "mushrooms",
          "shorthand",
          "puppets",
          "clockmaking");

  private static final List<String> OWN =
      List.of(
          "letters of grandfather", "the house at number", "diary page", "invoice", "my thesis");

  private static final double OWN_SHARE = 0.1;

  /** In every place another word is the first. */
  private static final int APART = 3;

  private static final double SUM = sum();

  /**
   * The next one.
   *
   * @param place where it is looked for, from 0
   */
  String next(int place) {
    if (random.getAsDouble() < OWN_SHARE) {
      return OWN.get(below(OWN.size())) + " " + below(1_000_000);
    }
    double left = random.getAsDouble() * SUM;
    int rank = 0;
    while (rank < KNOWN.size() - 1 && left >= weight(rank)) {
      left -= weight(rank);
      rank++;
    }
    return KNOWN.get((rank + APART * place) % KNOWN.size());
  }

  private int below(int size) {
    return (int) (random.getAsDouble() * size);
  }

  private static double weight(int rank) {
    return 1.0 / (rank + 1);
  }

  private static double sum() {
    double sum = 0;
    for (int rank = 0; rank < KNOWN.size(); rank++) {
      sum += weight(rank);
    }
    return sum;
  }
}
