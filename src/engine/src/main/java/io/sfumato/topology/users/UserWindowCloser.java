// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.setting.PipelineStopException;
import io.sfumato.topology.users.ContributionStore.UserWindow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Passes closed windows of users on, window by window, a slice at a time. A user's window that was
 * passed on is deleted, so the store itself says what is left.
 */
public final class UserWindowCloser {
  private final WindowSpec window;
  private final Boundaries boundaries;
  private final ContributionStore users;
  private final MetaStore meta;
  private final Function<UserWindow, List<Observation>> decision;
  private final Announcement announcement;
  private final EntryBuffer<Observation> counted;

  /** Window end up to which everything is passed on. */
  private OptionalLong through;

  /** The last that was passed on since this task began: spares reading what was deleted. */
  private Optional<Key> last = Optional.empty();

  private boolean pending = true;

  public UserWindowCloser(
      WindowSpec window,
      Boundaries boundaries,
      ContributionStore users,
      MetaStore meta,
      Function<UserWindow, List<Observation>> decision,
      Announcement announcement,
      EntryBuffer<Observation> counted) {
    this.window = window;
    this.boundaries = boundaries;
    this.users = users;
    this.meta = meta;
    this.decision = decision;
    this.announcement = announcement;
    this.counted = counted;
    this.through = meta.passedOn();
    if (through.isPresent() && window.isBeforeBegin(through.getAsLong())) {
      throw PipelineStopException.beginsTooLate(through.getAsLong());
    }
  }

  /** Tells that nothing follows of windows that end by then. */
  public interface Announcement {
    /** Tells it. */
    void of(long end, long timestamp);
  }

  /** A boundary has moved: there may be something to pass on. */
  public void wake() {
    pending = true;
  }

  /** The window end up to which everything is charged and passed on, if anything is. */
  public OptionalLong through() {
    return through;
  }

  boolean isPending() {
    return pending;
  }

  /**
   * Passes up to {@code most} users on, and at least one.
   *
   * @param mayContinue asked before each further user: whether there is time for it
   * @return work done, at least 1 while something is left
   */
  public int slice(int most, BooleanSupplier mayContinue) {
    OptionalLong closed = boundaries.closedThrough();
    if (closed.isEmpty()) {
      pending = false;
      return 0;
    }
    if (through.isEmpty()) {
      long begin = boundaries.begin(window).orElseThrow();
      if (begin <= closed.getAsLong()) {
        return begun(begin, most);
      }
      pending = false;
      return 0;
    }
    long end = through.getAsLong() + window.size().toMillis();
    if (end > closed.getAsLong()) {
      pending = false;
      return 0;
    }
    List<UserWindow> next = users.after(last, end, most);
    long timestamp = boundaries.timestampOf(end);
    int done = 0;
    for (UserWindow closing : next) {
      if (done > 0 && !mayContinue.getAsBoolean()) {
        return done;
      }
      done++;
      decision.apply(closing).forEach(record -> counted.add(timestamp, record));
      users.delete(closing.key());
      last = Optional.of(closing.key());
    }
    if (next.size() < most) {
      counted.flush();
      passed(end);
    }
    return Math.max(1, next.size());
  }

  /** What came before anybody knew where windows begin belongs to none, and costs nobody. */
  private int begun(long begin, int most) {
    List<UserWindow> early = users.after(last, begin, most);
    for (UserWindow before : early) {
      users.delete(before.key());
      last = Optional.of(before.key());
    }
    if (early.size() < most) {
      passed(begin);
    }
    return Math.max(1, early.size());
  }

  private void passed(long end) {
    announcement.of(end, boundaries.timestampOf(end));
    through = OptionalLong.of(end);
    meta.putPassedOn(end);
    users.emptied(end);
    // What ends now is needed no more.
    boundaries.forgetThrough(end);
  }
}
