// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names of one user alone, which one of two neighbouring runs draws and the other does not: they
 * pass with the chance that the threshold leaves at most, all of a window's together.
 */
public final class SingletonKeys {
  private static final double ROUNDING = 1 + 1e-9;

  private final DiscoveryMechanism mechanism;
  private final double chance;
  private final String what;

  /** By window: ln of the probability that none passes. */
  private final TreeMap<Long, Double> none = new TreeMap<>();

  /** Windows in which one is drawn that nobody has: there may be any number of these. */
  private final TreeSet<Long> ofNobody = new TreeSet<>();

  /**
   * @param mechanism that draws them
   * @param chance d: with which any of them may pass in one window
   * @param what they are, as a plural
   */
  public SingletonKeys(DiscoveryMechanism mechanism, double chance, String what) {
    this.mechanism = mechanism;
    this.chance = chance;
    this.what = what;
  }

  /**
   * Adds one.
   *
   * @param count exact, below the threshold
   */
  public void add(long windowStart, long count) {
    if (count < 1) {
      ofNobody.add(windowStart);
    }
    none.merge(windowStart, StrictMath.log1p(-passing(count)), Double::sum);
  }

  /** P[count + Z >= tau]. */
  private double passing(long count) {
    GridNoise noise = mechanism.noise();
    double steps = Math.scalb((double) mechanism.threshold().least() - count, noise.digits());
    return noise.tail(Math.max(0, steps - 1), 1) / 2;
  }

  /** What is wrong with all of them, in words. */
  public List<String> wrong(ChargeAssumptions assumed) {
    List<String> wrong = new ArrayList<>();
    none.forEach(
        (start, missing) -> {
          double passing = -StrictMath.expm1(missing);
          if (passing > chance * ROUNDING) {
            wrong.add(
                "window %s: %s of one user alone pass with probability %.6g; the threshold's part of delta allows %.6g"
                    .formatted(Instant.ofEpochMilli(start), what, passing, chance));
          }
        });
    ofNobody.forEach(
        start ->
            wrong.add(
                "window %s: %s that nobody has are drawn"
                    .formatted(Instant.ofEpochMilli(start), what)));
    if (none.size() > assumed.charges()) {
      wrong.add(
          "%s of one user alone are drawn in %d windows; the ledger has %d charges"
              .formatted(what, none.size(), assumed.charges()));
    }
    return wrong;
  }
}
