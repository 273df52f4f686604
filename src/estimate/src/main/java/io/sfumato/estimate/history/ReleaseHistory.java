// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;

/**
 * What a subject's releases of at most {@value #WINDOWS} windows come to. All of it follows from
 * what was published: the noisy counts, and the shares that were made of them. Immutable.
 *
 * <p>Windows lie in spans of {@value #SPAN}; the span of the last release is kept, and the one
 * before it. What is older is forgotten altogether.
 */
public final class ReleaseHistory {
  /** Windows that are remembered at most. */
  public static final int WINDOWS = 64;

  private static final int SPAN = WINDOWS / 2;
  private static final int FORMAT = 1;

  private final int categories;
  private final long window;
  private final FadedSums span;
  private final FadedSums former;

  private ReleaseHistory(int categories, long window, FadedSums span, FadedSums former) {
    this.categories = categories;
    this.window = window;
    this.span = span;
    this.former = former;
  }

  /**
   * Before the first release.
   *
   * @param categories at least 1
   */
  public static ReleaseHistory none(int categories) {
    FadedSums none = FadedSums.none(categories);
    return new ReleaseHistory(categories, Long.MIN_VALUE, none, none);
  }

  int categories() {
    return categories;
  }

  /** How many releases are remembered, up to {@value #WINDOWS}. */
  public int releases() {
    return span.releases() + former.releases();
  }

  double weight(int pace) {
    return span.weight(pace) + former.weight(pace);
  }

  double share(int pace, int category) {
    return span.share(pace, category) + former.share(pace, category);
  }

  double evidence(int model, int category) {
    return span.evidence(model, category) + former.evidence(model, category);
  }

  /**
   * As it is seen from a window: a skipped one before it fades what is remembered once more.
   *
   * @param next number of the window, counted from anywhere, later than those of all releases; from
   *     an earlier one nothing is seen
   */
  ReleaseHistory at(long next) {
    FadedSums none = FadedSums.none(categories);
    if (releases() == 0 || next <= window || next - window > WINDOWS) {
      return new ReleaseHistory(categories, next, none, none);
    }
    long passed = next - window;
    long spans = Math.floorDiv(next, SPAN) - Math.floorDiv(window, SPAN);
    if (spans > 1) {
      return new ReleaseHistory(categories, next, none, none);
    }
    return spans == 1
        ? new ReleaseHistory(categories, next, none, span.faded(passed))
        : new ReleaseHistory(categories, next, span.faded(passed), former.faded(passed));
  }

  /** And the release of the window from which it is seen. */
  ReleaseHistory plus(double[] published, double[][] seen) {
    return new ReleaseHistory(categories, window, span.plus(published, seen), former);
  }

  /**
   * Most bytes of {@link #encode}.
   *
   * @param categories at least 1
   */
  public static long bytes(int categories) {
    return 1 + 5 + 10 + 2 * FadedSums.bytes(categories);
  }

  /** As states keep it. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).unsigned(categories).signed(window);
    span.write(out);
    former.write(out);
    return out.toBytes();
  }

  /**
   * The counterpart of {@link #encode}.
   *
   * @param categories of the file: what was published of others before teaches nothing
   */
  public static ReleaseHistory decode(byte[] bytes, int categories) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a subject's earlier releases");
    if (in.unsigned() != categories) {
      return none(categories);
    }
    long window = in.signed();
    FadedSums span = FadedSums.read(in, categories);
    FadedSums former = FadedSums.read(in, categories);
    in.end();
    return new ReleaseHistory(categories, window, span, former);
  }
}
