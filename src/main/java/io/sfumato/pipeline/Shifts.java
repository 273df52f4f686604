// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  /** Windows whose counts move by more than one charge assumes, over all subjects. */
  public static <D> List<String> tooFar(
      List<Pair<D>> pairs, Claim claim, Function<Pair<D>, Shifts> shifts) {
    TreeMap<Long, Shifts> windows = new TreeMap<>();
    pairs.forEach(pair -> windows.merge(pair.windowStart(), shifts.apply(pair), Shifts::plus));
    List<String> far = new ArrayList<>();
    windows.forEach(
        (start, moved) -> {
          if (moved.l1() > claim.l1() || moved.squaredL2() > claim.squaredL2()) {
            far.add(
                "window %s: counts of all subjects move by %s in L1 and %s in squared L2; the charge assumes %s and %s"
                    .formatted(
                        Instant.ofEpochMilli(start),
                        moved.l1(),
                        moved.squaredL2(),
                        claim.l1(),
                        claim.squaredL2()));
          }
        });
    return far;
  }
}
