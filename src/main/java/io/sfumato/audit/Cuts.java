package io.sfumato.audit;

import io.sfumato.topology.Slices;
import java.util.Random;

/**
 * Where one run's work is cut into slices, by decisions that anybody can repeat. In production a
 * clock decides, so that any cut may happen; outputs must not depend on it.
 */
final class Cuts implements Slices {
  /** At a wait between two entries the wall clock goes on so often, at most. */
  private static final int MOST_TURNS = 3;

  private final boolean whole;
  private final Random random;
  private boolean settling;

  private Cuts(boolean whole, long seed) {
    this.whole = whole;
    this.random = new Random(seed);
  }

  /** All that there is to do, at once. */
  static Cuts whole() {
    return new Cuts(true, 0);
  }

  /** One piece at a time, and often none, so that records overtake what is left. */
  static Cuts random(long seed) {
    return new Cuts(false, seed);
  }

  /** How often the wall clock goes on behind an entry. */
  int turns() {
    return whole ? 1 : random.nextInt(4) == 0 ? random.nextInt(MOST_TURNS + 1) : 0;
  }

  /** From now on nothing is put off. */
  void settle() {
    settling = true;
  }

  @Override
  public boolean begin() {
    return whole || settling || random.nextInt(3) == 0;
  }

  @Override
  public boolean goesOn() {
    return whole || settling || random.nextInt(3) != 0;
  }

  @Override
  public void end(boolean left) {}

  @Override
  public int step(int most) {
    return whole || settling ? most : 1;
  }
}
