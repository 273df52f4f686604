// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.estimate.additive.ShareInterval;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From a window's noisy counts and a subject's past to shares with their errors. Nothing private.
 */
public final class EmpiricalBayesHistogram {
  /** Deviations of the total's noise beyond which no count is looked for. */
  private static final double FAR = 9;

  private final NoisyHistogram mechanism;
  private final HistoryEstimator estimator;

  /**
   * @param mechanism that draws the noisy counts, and says what is made of them alone
   */
  public EmpiricalBayesHistogram(NoisyHistogram mechanism) {
    this.mechanism = mechanism;
    this.estimator = new HistoryEstimator(mechanism.noise());
  }

  /**
   * What was made of a window.
   *
   * @param shares to be published
   * @param errors half the widths of the intervals around them, one a category, at most 1
   * @param learned number of earlier releases that went into them
   * @param past for the next window
   */
  public record Made(Distribution shares, List<Double> errors, int learned, ReleaseHistory past) {
    public Made {
      errors = List.copyOf(errors);
    }
  }

  /**
   * One window's. Where N is not above 0, public or by the noisy counts, its shares are those that
   * the past expects of any record, its bars hold all shares, and it leaves the past as it was.
   *
   * @param window its number, counted from anywhere
   * @param noisy counts by category
   * @param records N where it is public; else it is not looked at
   */
  public Made made(ReleaseHistory past, long window, long[] noisy, long records) {
    boolean isPublic = mechanism.sizeIsPublic();
    long size = isPublic ? records : Math.max(0, Arrays.stream(noisy).sum());
    Distribution plain = mechanism.shares(noisy, size);
    ReleaseHistory before = past.at(window);
    if (size == 0) {
      // Shares of nobody teach nothing.
      return made(noisy, size, expected(before, plain), before.releases(), past);
    }
    long most = isPublic ? size : size + away(noisy.length);
    long[] each = new long[noisy.length];
    Arrays.fill(each, most);
    double[] counts = new double[noisy.length];
    Arrays.setAll(counts, i -> plain.share(i) * size);
    HistoryEstimator.Belief belief =
        estimator.belief(before, noisy, (model, i) -> model.ofShare(before, i, size), each, counts);
    double[] means = isPublic ? KnownTotal.means(belief.counts(), size) : means(belief.counts());
    Distribution shares = before.releases() == 0 ? plain : Distribution.normalised(means);
    double[] published = new double[noisy.length];
    Arrays.setAll(published, shares::share);
    return made(noisy, size, shares, before.releases(), before.plus(published, belief.seen()));
  }

  private Made made(
      long[] noisy, long size, Distribution shares, int learned, ReleaseHistory next) {
    return new Made(shares, errors(noisy, size, shares), learned, next);
  }

  /** Of a window that says nothing by itself. */
  private Distribution expected(ReleaseHistory before, Distribution plain) {
    if (before.releases() == 0) {
      return plain;
    }
    double[] shares = new double[before.categories()];
    Arrays.setAll(shares, i -> estimator.expected(before, i, plain.share(i)));
    return Distribution.normalised(shares);
  }

  private static double[] means(CountPosterior[] counts) {
    return Arrays.stream(counts).mapToDouble(CountPosterior::mean).toArray();
  }

  private List<Double> errors(long[] noisy, long size, Distribution shares) {
    return IntStream.range(0, noisy.length)
        .mapToObj(i -> range(noisy[i], size, noisy.length).from(shares.share(i)))
        .toList();
  }

  private long away(int categories) {
    return (long)
        Math.ceil(FAR * mechanism.noise().continuousDeviation() * Math.sqrt((double) categories));
  }

  /**
   * Where the truth lies in at least 95 of 100 releases, whatever was before: by the noisy count
   * alone. What the past adds moves the share within it, or out of it, and the bar reaches from the
   * share to its farther end.
   */
  private ShareInterval.Range range(long noisy, long size, int categories) {
    AdditiveNoise noise = mechanism.noise();
    if (size == 0) {
      return ShareInterval.Range.ALL;
    }
    if (!mechanism.sizeIsPublic()) {
      return ShareInterval.of(noise, categories).range(noisy, size);
    }
    double half = noise.halfWidth(1);
    double possible = Math.max(0, Math.min(size, noisy));
    return new ShareInterval.Range(
        Math.max(0, (possible - half) / size), Math.min(1, (possible + half) / size));
  }
}
