// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.ExactData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How far counts move.
 *
 * @param l1 sum of the differences
 * @param squaredL2 sum of their squares
 */
public record Shifts(double l1, double squaredL2) {
  /** Nothing moves. */
  public static final Shifts NONE = new Shifts(0, 0);

  /** Between counts of the same groups. */
  public static Shifts of(long[] first, long[] second) {
    Shifts all = NONE;
    for (int i = 0; i < first.length; i++) {
      double moved = Math.abs(first[i] - second[i]);
      all = all.plus(new Shifts(moved, moved * moved));
    }
    return all;
  }

  /** Together. */
  public Shifts plus(Shifts other) {
    return new Shifts(l1 + other.l1, squaredL2 + other.squaredL2);
  }

  /**
   * Windows whose counts move by more than one charge assumes, over all subjects.
   *
   * @param shifts of one subject's
   * @param excess what a charge assumes, where a window's counts move by more; nothing where not
   */
  public static <D extends ExactData> List<String> tooFar(
      List<Pair<D>> pairs,
      Function<Pair<D>, Shifts> shifts,
      Function<Shifts, Optional<String>> excess) {
    TreeMap<Long, Shifts> windows = new TreeMap<>();
    pairs.forEach(pair -> windows.merge(pair.windowStart(), shifts.apply(pair), Shifts::plus));
    List<String> far = new ArrayList<>();
    windows.forEach(
        (start, moved) ->
            excess
                .apply(moved)
                .map(words -> "window %s: %s".formatted(Instant.ofEpochMilli(start), words))
                .ifPresent(far::add));
    return far;
  }
}
