// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/**
 * Everything that enters a pipeline, in order: made up. Immutable.
 *
 * @param entries of all topics
 * @param takeover where another version goes on, if one does
 */
record AuditLog(List<Entry> entries, Optional<Takeover> takeover) {
  AuditLog {
    entries = List.copyOf(entries);
  }

  /** Of one version. */
  AuditLog(List<Entry> entries) {
    this(entries, Optional.empty());
  }

  /**
   * A change of version.
   *
   * @param entry place of the first one that the next version reads
   * @param from start of its first window
   */
  record Takeover(int entry, long from) {}

  /** Where an entry is sent to. */
  enum Channel {
    RECORDS,
    CONTROL,
    CANDIDATES
  }

  /**
   * What somebody did, well or badly formed.
   *
   * @param who whose doing it is: the user, or the subject where subjects are users
   * @param subject that it names
   * @param windowStart of the window that its time lies in
   * @param time of the event
   * @param kind of its contents: category, numbers or both
   * @param valid whether its contents could be read
   */
  record Fact(String who, String subject, long windowStart, long time, int kind, boolean valid) {}

  /**
   * One record of a topic.
   *
   * @param key may be null
   * @param value may be null
   * @param tick event time of a tick; empty for all else
   * @param timestamp Kafka's
   * @param fact of a record of somebody
   */
  record Entry(
      Channel channel,
      byte[] key,
      byte[] value,
      OptionalLong tick,
      long timestamp,
      Optional<Fact> fact) {
    Entry withValue(byte[] other) {
      return new Entry(channel, key, other, tick, timestamp, fact);
    }
  }

  /** The log with some records without their values: all others keep their places and times. */
  AuditLog blanked(BiPredicate<Integer, Fact> which) {
    return changed(which, entry -> entry.withValue(null));
  }

  /** The log with some records of somebody changed in place. */
  AuditLog changed(BiPredicate<Integer, Fact> which, UnaryOperator<Entry> how) {
    List<Entry> changed = new ArrayList<>(entries);
    for (int i = 0; i < changed.size(); i++) {
      Entry entry = changed.get(i);
      if (entry.fact().isPresent() && which.test(i, entry.fact().get())) {
        changed.set(i, how.apply(entry));
      }
    }
    return new AuditLog(changed, takeover);
  }

  /** The facts of the log that have a value, by their places. */
  List<Integer> places(BiPredicate<Integer, Fact> which) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.value() != null && entry.fact().isPresent() && which.test(i, entry.fact().get())) {
        places.add(i);
      }
    }
    return places;
  }
}
