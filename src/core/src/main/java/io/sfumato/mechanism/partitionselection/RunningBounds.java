// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.continual.Coefficients;

/** What counts of one user where names are counted over several windows. */
public sealed interface RunningBounds {
  /** What a share's charges are counted in: windows of a user, or records. */
  long horizon();

  /** In how many windows of one block a user's records may lie, as far as noise is planned. */
  int windowsOf(TestSchedule tests);

  /**
   * How often names that this user alone has may pass.
   *
   * @param names what the user may give to pairs of a name and a block
   * @param times how many such gifts there are, each independent of the others given what was
   *     published; at least 1
   */
  record Exposed(NameBounds names, long times) {}

  /** What names of this user alone hold. */
  Exposed exposed(TestSchedule tests);

  /** How far a user moves all rows. */
  TwoSequences moves(TestSchedule tests, Coefficients coarse, Coefficients fine);

  /**
   * Windows are bounded, and their number.
   *
   * @param window of one window
   * @param windows W, in how many a user counts at most, 1 to 1,000,000
   */
  record PerWindow(NameBounds window, int windows) implements RunningBounds {
    /**
     * @throws IllegalArgumentException if there is no window, or a user has more than {@link
     *     NameBounds#MOST} records in all
     */
    public PerWindow {
      if (windows < 1 || windows > NameBounds.MOST / window.records()) {
        throw new IllegalArgumentException(
            "a user counts with at most %d records in all, were %d windows of %d"
                .formatted(NameBounds.MOST, windows, window.records()));
      }
    }

    @Override
    public long horizon() {
      return windows;
    }

    @Override
    public int windowsOf(TestSchedule tests) {
      return Math.min(windows, tests.windows());
    }

    @Override
    public Exposed exposed(TestSchedule tests) {
      if (tests.windows() == 1) {
        return new Exposed(window, windows);
      }
      int inBlock = windowsOf(tests);
      return new Exposed(
          new NameBounds(
              window.names() * windows, window.records() * windows, window.perName() * inBlock),
          1);
    }

    @Override
    public TwoSequences moves(TestSchedule tests, Coefficients coarse, Coefficients fine) {
      return TwoSequences.perWindow(this, tests, coarse, fine);
    }
  }

  /**
   * All windows of a period together are bounded, however many blocks lie in it.
   *
   * @param records C: most records of a user in the period, 1 to 1,000,000
   * @param perName k: most of them for one name, 1 to C
   */
  record PerPeriod(int records, int perName) implements RunningBounds {
    public PerPeriod {
      // Refuses what is out of range.
      new NameBounds(records, records, perName);
    }

    @Override
    public long horizon() {
      return records;
    }

    @Override
    public int windowsOf(TestSchedule tests) {
      return 1;
    }

    @Override
    public Exposed exposed(TestSchedule tests) {
      return new Exposed(new NameBounds(records, records, perName), 1);
    }

    @Override
    public TwoSequences moves(TestSchedule tests, Coefficients coarse, Coefficients fine) {
      return TwoSequences.perRecord(this, coarse, fine);
    }
  }
}
