// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.contributions.ContributionStore.UserWindow;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.window.ClosedWindows;
import io.sfumato.topology.window.Slice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Closed windows of users: what counts of each is passed on, window by window. A user's window that
 * was passed on is deleted, so the store itself says what is left.
 */
final class ClosedContributions implements ClosedWindows {
  private final WindowSpec window;
  private final Watermarks watermarks;
  private final ContributionStore users;
  private final MetaStore meta;
  private final Function<UserWindow, List<Observation>> bounding;
  private final Announcement announcement;
  private final EntryBuffer<Observation> counted;

  /** Window end up to which everything is passed on. */
  private OptionalLong through;

  /** The last that was passed on since this task began: spares reading what was deleted. */
  private Optional<Key> last = Optional.empty();

  /**
   * @param bounding charges a user's window, and says what of it counts
   * @param counted takes what is passed on
   * @throws PipelineStopException if the file's windows begin behind some that are not passed on
   */
  ClosedContributions(
      WindowSpec window,
      Watermarks watermarks,
      ContributionStore users,
      MetaStore meta,
      Function<UserWindow, List<Observation>> bounding,
      Announcement announcement,
      EntryBuffer<Observation> counted) {
    this.window = window;
    this.watermarks = watermarks;
    this.users = users;
    this.meta = meta;
    this.bounding = bounding;
    this.announcement = announcement;
    this.counted = counted;
    this.through = meta.passedOn();
    if (through.isPresent() && window.isBeforeBegin(through.getAsLong())) {
      throw PipelineStopException.beginsTooLate(through.getAsLong());
    }
  }

  /** Tells that nothing follows of windows that end by then. */
  interface Announcement {
    /** Tells it. */
    void of(long end, long timestamp);
  }

  /** The window end up to which everything is charged and passed on, if anything is. */
  OptionalLong through() {
    return through;
  }

  @Override
  public OptionalLong overBefore(OptionalLong done) {
    return through;
  }

  /** What came before anybody knew where windows begin belongs to none, and costs nobody. */
  @Override
  public int prepare(int most) {
    OptionalLong closed = watermarks.closedThrough();
    if (through.isPresent() || closed.isEmpty()) {
      return 0;
    }
    long begin = watermarks.begin(window).orElseThrow();
    if (begin > closed.getAsLong()) {
      return 0;
    }
    List<UserWindow> early = users.after(last, begin, most);
    for (UserWindow before : early) {
      delete(before.key());
    }
    if (early.size() < most) {
      passed(begin);
    }
    return Math.max(1, early.size());
  }

  @Override
  public boolean isBehind(long closed) {
    return through.isPresent() && window.endOf(through.getAsLong()) <= closed;
  }

  @Override
  public int step(long closed, int most, Slice slice) {
    long end = window.endOf(through.orElseThrow());
    long timestamp = watermarks.timestampOf(end);
    List<UserWindow> next = users.after(last, end, most);
    for (UserWindow closing : next) {
      if (!slice.decides(() -> passOn(closing, timestamp))) {
        return next.size();
      }
    }
    if (next.size() < most) {
      counted.flush();
      passed(end);
    }
    return Math.max(1, next.size());
  }

  private Slice.Outcome passOn(UserWindow closing, long timestamp) {
    bounding.apply(closing).forEach(record -> counted.add(timestamp, record));
    delete(closing.key());
    return Slice.Outcome.DECIDED;
  }

  private void delete(Key key) {
    users.delete(key);
    last = Optional.of(key);
  }

  private void passed(long end) {
    announcement.of(end, watermarks.timestampOf(end));
    through = OptionalLong.of(end);
    meta.putPassedOn(end);
    users.emptied(end);
    // What ends now is needed no more.
    watermarks.forgetThrough(end);
  }
}
