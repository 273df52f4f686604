// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The binary tree of running counts (Chan, Shi and Song 2011; Dwork, Naor, Pitassi and Rothblum
 * 2010): a window's records are part of one node on each level, and a running count is the sum of
 * at most one node of each level.
 *
 * @param windows T, after which the running count begins anew, 1 to 2^20
 */
public record CountTree(int windows) {
  /** Most windows of a tree. */
  public static final int LARGEST = 1 << 20;

  /**
   * @throws IllegalArgumentException if there is no window, or there are too many
   */
  public CountTree {
    if (windows < 1 || windows > LARGEST) {
      throw new IllegalArgumentException("a tree has 1 to " + LARGEST + " windows, was " + windows);
    }
  }

  /** Levels: 1 + floor(log2 T). */
  public int levels() {
    return 32 - Integer.numberOfLeadingZeros(windows);
  }

  /** Noises in a running count, on average over its windows: binary ones of 1 to T. */
  public double meanDraws() {
    long ones = 0;
    for (int window = 1; window <= windows; window++) {
      ones += Integer.bitCount(window);
    }
    return ones / (double) windows;
  }

  /**
   * What one window of a user costs, where at most W of them ever count.
   *
   * <p>Let w_n be how many of a user's W windows lie in node n. On a level with nodes of 2^l
   * windows, the w_n add up to at most W and none is above m = min(W, 2^l). One noise for all of a
   * node's windows makes the loss R(w_n) grow faster than w_n, with its square to begin with; but
   * wherever R(w)/w does not fall, R(w_n) is at most w_n R(m)/m, and {@code sum over l of R(m)/m} a
   * window covers all nodes. With R(w) = w^2 that is the sum of m (docs/theory/running-sums.md,
   * Theorem E).
   *
   * @param window what one window's records move in single counts
   * @param most W, at least 1
   * @throws IllegalArgumentException if W is below 1
   */
  public Sensitivity perWindow(Sensitivity window, long most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least 1 window of a user counts, was " + most);
    }
    List<Shift> nodes =
        IntStream.range(0, levels())
            .mapToLong(level -> Math.min(most, 1L << level))
            .boxed()
            .flatMap(
                shared -> window.shifts().stream().map(count -> new Shift(count.each(), shared)))
            .toList();
    return new Sensitivity(word(window, most), window.unit(), nodes);
  }

  /**
   * What one record of a user costs, of whom records are bounded in a window and in a period. A
   * node of 2^l windows holds at most x = min(C m_l, P') of them, so on its level n records cost at
   * most n R(x)/x, wherever they lie (docs/theory/bounded-users.md, Theorem R).
   *
   * @param bounds C, P and W
   */
  public Sensitivity perRecord(PeriodBounds bounds) {
    List<Shift> nodes =
        IntStream.range(0, levels())
            .mapToObj(level -> new Shift(1, bounds.inOne(1L << level)))
            .toList();
    return new Sensitivity(
        " add-or-remove-%d by-record tree-%d-%d"
            .formatted(bounds.records(), windows, bounds.total()),
        PrivacyUnit.USER,
        nodes);
  }

  /** Names the sensitivity in charges: part of their identity. */
  String word(Sensitivity window, long most) {
    return String.format(Locale.ROOT, "%s tree-%d-%d", window.word(), windows, most);
  }
}
