// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The whole noisy counts that shares can have been made of, searched by their total and made sure
 * of by the post-processing itself.
 */
final class NoisyCounts {
  /** Noise beyond so many deviations does not happen. */
  private static final double REACH = 40;

  private static final long MOST_TOTAL = 1L << 24;
  private static final long MOST_SOLVED = 1L << 19;

  /** Multiples of a small total are pre-images too; large ones are unlikely. */
  private static final int MOST_FOUND = 4096;

  private final Distribution shares;
  private final double deviation;
  private final int largest;

  NoisyCounts(Distribution shares, double deviation) {
    this.shares = shares;
    this.deviation = deviation;
    int place = 0;
    for (int i = 1; i < shares.categories(); i++) {
      place = shares.share(i) > shares.share(place) ? i : place;
    }
    this.largest = place;
  }

  /**
   * One pre-image.
   *
   * @param counts with noise; of a floored one the largest that it can have been
   * @param floored whether a count is known to be no larger than that, and no more
   */
  record Found(List<Long> counts, List<Boolean> floored) {
    long count(int category) {
      return counts.get(category);
    }

    boolean isFloored(int category) {
      return floored.get(category);
    }

    /** What is known of the total, at least 1. */
    long total() {
      return Math.max(
          1,
          IntStream.range(0, counts.size())
              .filter(i -> !isFloored(i))
              .mapToLong(this::count)
              .sum());
    }
  }

  /** Of N public records. */
  List<Found> ofFloor(long records) {
    double reach = REACH * deviation * Math.sqrt(shares.categories());
    double low = REACH * deviation * shares.categories();
    return ofFloor(
        Math.max(1, (long) (records - reach - low)), (long) Math.ceil(records + reach + low));
  }

  /** Of any number. */
  List<Found> ofFloor() {
    return ofFloor(1, MOST_TOTAL);
  }

  private List<Found> ofFloor(long from, long to) {
    List<Found> found = new ArrayList<>();
    boolean[] none = new boolean[shares.categories()];
    search(none, from, to, found);
    boolean[] low = new boolean[shares.categories()];
    double least = IntStream.range(0, low.length).mapToDouble(shares::share).min().orElseThrow();
    int floored = 0;
    for (int i = 0; i < low.length; i++) {
      low[i] = shares.share(i) - least <= tolerance(i, 1);
      floored += low[i] ? 1 : 0;
    }
    // A floor is half a deviation: its share says what the total is, as well as 40 digits can.
    double total = deviation / 2 / least;
    double away = total * tolerance(largest, 1) / least + 1;
    double rest = total - floored * deviation / 2;
    search(
        low,
        Math.max(floored == low.length ? 0 : 1, (long) (rest - away)),
        (long) Math.ceil(rest + away),
        found);
    return found;
  }

  /** How far a share may lie from what was rounded to it, times a total. */
  private double tolerance(int category, double total) {
    double rest = 1 + shares.categories() / 2.0;
    // The largest takes what rounding leaves, and is no longer the largest if another was as large.
    double behind = (shares.share(largest) - shares.share(category)) * Distribution.STEPS;
    double steps = behind <= rest ? rest : 1;
    return total * (steps / Distribution.STEPS + 1e-15);
  }

  /** All pre-images with these on the floor whose others add up to a number of the range. */
  private void search(boolean[] floored, long from, long to, List<Found> found) {
    int low = 0;
    int first = largest;
    for (int i = 0; i < floored.length; i++) {
      low += floored[i] ? 1 : 0;
      first = !floored[i] && i != largest ? i : first;
    }
    for (long sum = from; sum <= to && found.size() < MOST_FOUND; sum++) {
      double total = sum + low * deviation / 2;
      if (floored[first] || isWhole(first, total)) {
        made(floored, sum, total, found);
      }
    }
  }

  private boolean isWhole(int category, double total) {
    double count = shares.share(category) * total;
    return Math.abs(count - Math.rint(count)) <= tolerance(category, total);
  }

  private void made(boolean[] floored, long sum, double total, List<Found> found) {
    double[] noisy = new double[floored.length];
    List<Long> counts = new ArrayList<>();
    List<Boolean> low = new ArrayList<>();
    long left = sum;
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = floored[i] ? Math.floor(deviation / 2) : Math.rint(shares.share(i) * total);
      if (!floored[i] && (!isWhole(i, total) || noisy[i] <= deviation / 2)) {
        return;
      }
      left -= floored[i] ? 0 : (long) noisy[i];
      counts.add((long) noisy[i]);
      low.add(floored[i]);
    }
    if (left == 0 && isMade(PostProcessing.FLOOR, noisy, 0)) {
      found.add(new Found(counts, low));
    }
  }

  /** Whether the post-processing gives these very shares, but for a last step. */
  private boolean isMade(PostProcessing how, double[] noisy, long size) {
    Distribution again = how.apply(noisy, size, deviation);
    return IntStream.range(0, noisy.length)
        .allMatch(i -> Math.abs(again.share(i) - shares.share(i)) <= tolerance(i, 2));
  }

  /**
   * By posterior mean, where the number of records is what the noisy counts add up to.
   *
   * @param planned the plan's N
   */
  List<Found> ofPosteriorMean(long planned) {
    int[] order =
        IntStream.range(0, shares.categories())
            .boxed()
            .sorted((i, k) -> Double.compare(shares.share(k), shares.share(i)))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Found> found = new ArrayList<>();
    long to = Math.min(MOST_SOLVED, Math.max(1 << 16, 64 * Math.min(planned, MOST_SOLVED)));
    for (long total = 1; total <= to; total++) {
      double[] seen = new double[order.length];
      boolean fits = true;
      for (int k = 0; k < order.length && fits; k++) {
        seen[order[k]] = PostProcessing.seen(total * shares.share(order[k]), deviation);
        double contrast = seen[order[k]] - seen[order[0]];
        fits = Math.abs(contrast - Math.rint(contrast)) <= 1e-4; // isMade has the last word
      }
      if (fits) {
        double shift = (total - Arrays.stream(seen).sum()) / seen.length;
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < seen.length; i++) {
          seen[i] = Math.rint(seen[i] + shift);
          counts.add((long) seen[i]);
        }
        if (counts.stream().mapToLong(Long::longValue).sum() == total
            && isMade(PostProcessing.POSTERIOR_MEAN, seen, total)) {
          found.add(new Found(counts, counts.stream().map(count -> false).toList()));
        }
      }
    }
    return found;
  }
}
