package io.sfumato.audit;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;

/**
 * Defects that the referee has found and that still stand. Who mends one turns it around here: then
 * {@link KnownDefectsTest} demands that it is gone, nothing is excused by it any more, and random
 * files have what it kept out of them.
 */
enum KnownDefects {
  /** {@code CountTree.perWindow}: L1 distances add up, losses of one noise do not. */
  RUNNING_LAPLACE_COUNTS_ARE_UNDERCHARGED(State.STANDS),
  /** It is passed on to a window that was never announced as open. */
  A_RECORD_BEFORE_THE_FIRST_TICK_STOPS_A_POPULATION(State.STANDS),
  /** The users' keeper hands enrolments on at once, and what counts in slices of time. */
  ROSTERS_OF_POPULATIONS_DEPEND_ON_SLICES(State.STANDS);

  private final State state;

  KnownDefects(State state) {
    this.state = state;
  }

  /** Whether it is mended. */
  enum State {
    STANDS,
    MENDED
  }

  boolean stands() {
    return state == State.STANDS;
  }

  /** Whether a violation is what a standing defect makes. */
  static boolean excuse(Pipeline pipeline, Violation violation) {
    if (pipeline.population().isEmpty()) {
      return false;
    }
    boolean early = violation.where().startsWith("a record of a window before the first tick");
    boolean roster = pipeline.subjects() == Subjects.ROSTER;
    return early && A_RECORD_BEFORE_THE_FIRST_TICK_STOPS_A_POPULATION.stands()
        || roster && ROSTERS_OF_POPULATIONS_DEPEND_ON_SLICES.stands();
  }
}
