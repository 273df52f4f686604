// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.topology.context.Slices;
import java.util.Random;

/**
 * Where one run's work is cut into slices, by decisions that anybody can repeat. In production a
 * clock decides, so that any cut may happen; outputs must not depend on it.
 */
final class SliceSchedule implements Slices {
  /** At a wait between two entries the wall clock goes on so often, at most. */
  private static final int MOST_TURNS = 3;

  private final boolean whole;
  private final Random random;

  /** After one number of entries, and before another, nothing is done. */
  private final int restsFrom;

  private final int restsTo;

  private int entries;
  private boolean settling;

  private SliceSchedule(boolean whole, long seed, int restsFrom, int restsTo) {
    this.whole = whole;
    this.random = new Random(seed);
    this.restsFrom = restsFrom;
    this.restsTo = restsTo;
  }

  /** All that there is to do, at once. */
  static SliceSchedule whole() {
    return new SliceSchedule(true, 0, 0, 0);
  }

  /** All at once, but nothing after some entries of the log until others have come. */
  static SliceSchedule restingBetween(int from, int to) {
    return new SliceSchedule(true, 0, from, to);
  }

  /** One piece at a time, and often none, so that records overtake what is left. */
  static SliceSchedule random(long seed) {
    return new SliceSchedule(false, seed, 0, 0);
  }

  private boolean rests() {
    return !settling && entries >= restsFrom && entries < restsTo;
  }

  /** How often the wall clock goes on after an entry. */
  int turns() {
    entries++;
    return whole ? 1 : random.nextInt(4) == 0 ? random.nextInt(MOST_TURNS + 1) : 0;
  }

  /** From now on nothing is put off. */
  void settle() {
    settling = true;
  }

  /** Another program goes on: work is put off as before. */
  void resume() {
    settling = false;
  }

  @Override
  public boolean begin() {
    return !rests() && (whole || settling || random.nextInt(3) == 0);
  }

  @Override
  public boolean mayContinue() {
    return whole || settling || random.nextInt(3) != 0;
  }

  @Override
  public void end(boolean left) {}

  @Override
  public int step(int most) {
    return whole || settling ? most : 1;
  }
}
