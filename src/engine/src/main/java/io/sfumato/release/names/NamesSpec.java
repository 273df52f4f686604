// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.NamesRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.Schema;

/**
 * Names that nobody listed, of every subject and closed window.
 *
 * @param head name, topic and share
 * @param noise on counts
 * @param most names of a subject that may be public, 1 to {@value #MOST}
 * @param forget after how many windows without passing a name is public no more
 * @param bounds what one user may add to a window
 * @param rest whether records of names that are not public are told together
 * @param running over which windows counts run, and when names are tested; nothing for the windows'
 *     own
 * @param perPeriod most records of a user in a whole period, where that is bounded
 */
public record NamesSpec(
    Head head,
    Noise noise,
    long most,
    Optional<Integer> forget,
    NameBounds bounds,
    UnlistedCount rest,
    Optional<TestSchedule> running,
    OptionalInt perPeriod)
    implements ReleaseSpec {
  /** Most names of a subject's list that any file may allow. */
  public static final long MOST = 1_000_000;

  /** Where a file does not say. */
  static final long USUAL = 100_000;

  /** On counts. */
  public enum Noise {
    /** Whichever finds more names. */
    BEST,
    /** Discrete Gaussian. */
    GAUSSIAN,
    /** Discrete Laplace. */
    LAPLACE
  }

  @Override
  public Schema schema() {
    return NamesRelease.getClassSchema();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    return (running.isPresent() ? PlannedRunningNames.of(this) : PlannedNames.of(this))
        .orElseThrow(() -> head.cannotAfford());
  }

  /** Which names are public follows from earlier lists. */
  @Override
  public boolean readsEarlierWindows() {
    return true;
  }

  @Override
  public int windowsCounted() {
    return running.map(TestSchedule::windows).orElse(1);
  }

  /** What is kept lies with the names. */
  @Override
  public boolean remembers() {
    return false;
  }

  @Override
  public boolean chargesRecords() {
    return perPeriod.isPresent();
  }

  @Override
  public List<String> conflicts(BudgetSpec budget, Optional<Population> population) {
    List<String> conflicts = new ArrayList<>();
    if (rest == UnlistedCount.COUNTED && running.isPresent()) {
      conflicts.add(
          "field 'input.categories.discover.other': found with 'running', allowed is one of them: the rest is told of windows' own counts");
    }
    if (noise == Noise.LAPLACE && running.isPresent()) {
      conflicts.add(
          "field 'input.categories.discover.noise': found 'laplace' with 'running', allowed is gaussian: rows of running counts have no other");
    }
    if (perPeriod.isPresent() && running.isEmpty()) {
      conflicts.add(
          "field 'contributions.per-period': found without 'running' in 'input.categories.discover', allowed is 'running' beside it: the windows' own counts cost by the window");
    }
    return conflicts;
  }

  /** What counts of a user over windows. */
  RunningBounds runningBounds() {
    return perPeriod.isPresent()
        ? new RunningBounds.PerPeriod(perPeriod.getAsInt(), bounds.perName())
        : new RunningBounds.PerWindow(bounds, (int) Math.min(Integer.MAX_VALUE, horizon()));
  }

  /** What the share must afford. */
  CalibrationTarget request() {
    return head.request();
  }
}
