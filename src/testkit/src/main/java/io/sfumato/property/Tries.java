// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.opentest4j.TestAbortedException;

/**
 * So many runs of a property, each with arguments of its own.
 *
 * @param count runs that count; those that an assumption ends do not
 * @param seed from which every argument follows
 * @param generators one for each parameter
 */
record Tries(int count, long seed, List<Generator<?>> generators) {
  /** So many runs may be discarded for one that counts. */
  private static final int PATIENCE = 10;

  Tries {
    if (count < 1) {
      throw new IllegalArgumentException("tries: found " + count + ", allowed is 1 or more");
    }
    generators = List.copyOf(generators);
  }

  /** What is tried. */
  @FunctionalInterface
  interface Body {
    /** Fails, or returns, or is aborted by an assumption. */
    void run(Object[] arguments) throws Throwable;
  }

  /** Arguments of a run, the first being 0. */
  Object[] arguments(int run) {
    RandomGenerator random = new SplittableRandom(new SplittableRandom(seed + run).nextLong());
    // The second half of them is of every size.
    double size = Math.min(1, 2 * (run + 1.0) / count);
    List<Object> drawn = new ArrayList<>(generators.size());
    for (Generator<?> generator : generators) {
      drawn.add(generator.draw(random, size));
    }
    return drawn.toArray();
  }

  /**
   * Runs all of them, and stops at the first that fails.
   *
   * @throws AssertionError that names the arguments and the seed, with the failure as its cause
   */
  void run(Body body) {
    int held = 0;
    for (int run = 0; held < count; run++) {
      if (run >= (long) count * PATIENCE) {
        throw new AssertionError(
            "assumptions discarded all but " + held + " of " + run + " runs; seed " + seed);
      }
      Object[] arguments = arguments(run);
      try {
        body.run(arguments);
        held++;
      } catch (TestAbortedException e) {
        continue;
      } catch (Throwable e) {
        // Drawn again: the property may have changed its arrays.
        throw falsified(run, arguments(run), e);
      }
    }
  }

  private AssertionError falsified(int run, Object[] arguments, Throwable cause) {
    String shown = Arrays.deepToString(arguments);
    return new AssertionError(
        "does not hold for "
            + shown
            + "\nin run "
            + (run + 1)
            + " of "
            + count
            + "; the same again: -D"
            + PropertyExtension.SEED
            + "="
            + seed
            + " -Dproperty.tries="
            + count
            + "\n"
            + cause,
        cause);
  }
}
