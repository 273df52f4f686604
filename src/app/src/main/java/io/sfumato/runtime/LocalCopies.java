// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.topology.context.LocalCopy;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.OutOfDateException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What this process holds of the changelogs, and how old it is. A process that stood still
 * (SIGSTOP, a closed lid) or was cut off from the cluster for too long goes on with nothing of it:
 * its standby copies would read on after deletions that are gone.
 *
 * <p>The wall clock counts, since others stop with the machine. A clock that went back makes a copy
 * seem younger than it is: by up to a quarter of what is allowed that is borne, by more the copy is
 * too old. All in all a copy is at most 5/8 of the changelogs' {@code delete.retention.ms} behind.
 */
final class LocalCopies implements LocalState {
  private final LongSupplier wallClock;
  private final Transactions transactions;
  private final Set<LocalCopy> open = ConcurrentHashMap.newKeySet();
  private volatile long oldest = DELETIONS_KEPT.toMillis() / 2;

  /**
   * @param transactions of this process
   * @param wallClock milliseconds since 1970, which may jump; not the steady ones of Kafka Streams
   */
  LocalCopies(Transactions transactions, LongSupplier wallClock) {
    this.transactions = transactions;
    this.wallClock = wallClock;
  }

  /** How long the changelogs keep deletions, at least. */
  void deletionsAreKept(Duration kept) {
    oldest = kept.toMillis() / 2;
  }

  @Override
  public Transaction transaction() {
    return transactions.current();
  }

  @Override
  public long now() {
    return wallClock.getAsLong();
  }

  @Override
  public boolean isTooOld(long upToDate) {
    long age = now() - upToDate;
    return age > oldest || age < -oldest / 4;
  }

  @Override
  public void opened(LocalCopy copy) {
    open.add(copy);
  }

  @Override
  public void closed(LocalCopy copy) {
    open.remove(copy);
  }

  @Override
  public void requireUpToDate() {
    if (isAnyTooOld()) {
      throw new OutOfDateException();
    }
  }

  /** Whether this process has to begin anew. */
  boolean isAnyTooOld() {
    return open.stream().anyMatch(copy -> isTooOld(copy.upToDate()));
  }

  /**
   * Where a copy is.
   *
   * @param next offset that it reads
   * @param end of its changelog
   */
  record Position(long next, long end) {}

  /** One partition of a store. */
  record Place(String store, int partition) {}

  /** Looks into changelogs. */
  interface Changelogs {
    /** Which of these hold no committed record between the two offsets. */
    Set<Place> withoutRecords(Map<Place, Position> places) throws RefusedException;
  }

  /**
   * Where copies are now. A copy that is too old stays so, however far it reads on.
   *
   * <p>A copy counts records only. What was aborted at the end of a changelog at rest it never
   * reaches, so that it would grow old with nothing to read: long before it is too old, its
   * changelog is asked. The answer counts as long as no copy is too old, for only then is every
   * deletion that it has to read still there.
   *
   * @param now before the ends were asked for
   * @throws RefusedException if a changelog cannot be read; copies stay as old as they are
   */
  void reached(long now, Map<Place, Position> positions, Changelogs changelogs)
      throws RefusedException {
    if (isAnyTooOld()) {
      return;
    }
    Map<Place, LocalCopy> behind = new HashMap<>();
    for (LocalCopy copy : open) {
      Place place = new Place(copy.store(), copy.partition());
      Position position = positions.get(place);
      if (position != null) {
        copy.reached(now, position.next(), position.end());
        if (now - copy.upToDate() > oldest / 4) {
          behind.put(place, copy);
        }
      }
    }
    if (behind.isEmpty()) {
      return;
    }
    Map<Place, Position> asked = new HashMap<>(positions);
    asked.keySet().retainAll(behind.keySet());
    Set<Place> nothingToRead = changelogs.withoutRecords(asked);
    // Asking takes a while, in which this process may have stood still.
    if (!isAnyTooOld()) {
      for (Place place : nothingToRead) {
        long end = positions.get(place).end();
        behind.get(place).reached(now, end, end);
      }
    }
  }
}
