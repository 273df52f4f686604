// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the truth of a sum lies of running counts of one name, those of several subjects:
 * docs/theory/partition-selection.md, "Error bars of names", *Sums*. Everything is in records. Not
 * for several threads.
 */
public final class RunningNameSums {
  /** Of the 2.5% below: no estimate at its test is too large, none is too small, nor is the sum. */
  private static final double TOO_LARGE = 0.01;

  private static final double TOO_SMALL = 0.0025;
  private static final double TOGETHER = 0.0125;

  private static final double QUANTILE = quantile(0.025);

  /** Published counts are rounded to whole records. */
  private static final double ROUNDED = 0.5;

  /** So many are kept; then anew. */
  private static final int KEPT = 100_000;

  private final RunningDiscovery plan;
  private final RunningNameBars bars;
  private final Map<Long, Levels> levels = new HashMap<>();
  private final Map<Passed, Double> tooMuch = new HashMap<>();

  /** What {@link #tooMuch} hangs on: counts are whole, and many names have the same. */
  private record Passed(int test, long found, Levels levels) {}

  /** Of names that this plan finds. */
  public RunningNameSums(RunningDiscovery plan) {
    this.plan = plan;
    this.bars = new RunningNameBars(plan);
  }

  /** One subject's count, as it is published. */
  public sealed interface Count {
    /** The running count, rounded to a whole number. */
    long told();
  }

  /**
   * Of a name that was public when the block began.
   *
   * @param told the running count that was published, in steps of 2^-20
   * @param windows since then, at least 1
   */
  public record Known(long told, int windows) implements Count {}

  /**
   * Of a name that was found in the block.
   *
   * @param told the running count that was published, in steps of 2^-20
   * @param test at which it was, from 1
   * @param found what was told of it there
   * @param windows since then
   */
  public record Found(long told, int test, long found, int windows) implements Count {}

  /**
   * Of a name of which nobody knows any more how it came to its list.
   *
   * @param told the running count that was published, in steps of 2^-20
   * @param above how far the upper end of its own interval is above the count
   */
  public record Unknown(long told, double above) implements Count {}

  /** Half the width of a count's own interval, were it not known to have passed. */
  public double halfWidth(Count count) {
    return QUANTILE * deviation(count) + roundings(count);
  }

  private double deviation(Count count) {
    if (count instanceof Known known) {
      return bars.deviation(0, known.windows());
    }
    return count instanceof Found found
        ? bars.deviation(found.test(), found.windows())
        : ((Unknown) count).above() / QUANTILE;
  }

  private static double roundings(Count count) {
    if (count instanceof Known known) {
      return RunningNameBars.roundings(0, known.windows());
    }
    return count instanceof Found found
        ? RunningNameBars.roundings(found.test(), found.windows())
        : 0;
  }

  /**
   * The truth lies between the ends in 95 of 100 cases at least, given that those passed that were
   * found; whatever the others are, nobody has fewer records than none.
   *
   * @param counts of independent noises, at least one
   */
  public RunningNameBars.Interval of(List<Count> counts) {
    Levels assumed =
        levels.computeIfAbsent(counts.stream().filter(Found.class::isInstance).count(), Levels::of);
    double told = 0;
    double least = 0;
    double squares = 0;
    double squaresBelow = 0;
    for (Count count : counts) {
      double deviation = deviation(count);
      double off = ROUNDED + roundings(count);
      told += count.told() + off;
      squares += deviation * deviation;
      if (!(count instanceof Unknown)) {
        least += count.told() - off;
        squaresBelow += deviation * deviation;
      }
      if (count instanceof Found one) {
        if (tooMuch.size() >= KEPT) {
          tooMuch.clear();
        }
        least -=
            tooMuch.computeIfAbsent(new Passed(one.test(), one.found(), assumed), this::tooMuch);
      }
    }
    double low = least - assumed.together() * Math.sqrt(squaresBelow);
    double above = QUANTILE * Math.sqrt(squares);
    return counts.stream().allMatch(Known.class::isInstance)
        ? new RunningNameBars.Interval(low, told + above)
        : new RunningNameBars.Interval(Math.max(0, low), Math.max(0, told) + above);
  }

  /**
   * A - h: by how much the estimate A at which a name was found exceeds the least that the name had
   * there with the noise that it had. It falls as A rises, so that A is taken from the lower end of
   * what is rounded.
   */
  private double tooMuch(Passed name) {
    double deviation = bars.deviation(name.test(), 0);
    double threshold = plan.thresholds().get(name.test() - 1).least();
    double estimate = Math.max(threshold, name.found() - ROUNDED);
    double passed = (estimate - threshold) / deviation;
    double least = -name.levels().tooSmall() * deviation;
    if (passed > 0) {
      double depth = PassedTail.depth(name.levels().level(), passed);
      least =
          Math.max(least, bars.leastFound(name.test(), passed, depth, name.levels().tooLarge()));
    }
    return estimate - least;
  }

  /**
   * What is assumed of standard normal numbers, but for 2.5%.
   *
   * @param level with which one of them exceeds tooLarge
   * @param tooLarge c, exceeded by none of an estimate at its test
   * @param tooSmall c', of whose negative none is below
   * @param together z, of the whole sum
   */
  private record Levels(double level, double tooLarge, double tooSmall, double together) {
    static Levels of(long found) {
      return found == 0
          ? new Levels(0, 0, 0, QUANTILE)
          : new Levels(
              TOO_LARGE / found,
              quantile(TOO_LARGE / found),
              quantile(TOO_SMALL / found),
              quantile(TOGETHER));
    }
  }

  /** x with {@code Q(x) = above}; not below it by more than roundings. */
  private static double quantile(double above) {
    double ln = StrictMath.log(above);
    double low = 0;
    double high = 40;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (StandardNormal.lnPhi(-middle) > ln) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
