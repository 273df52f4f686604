// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.release.Discovery;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.roster.Roster.Member;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.roster.SubjectStore.Enrolled;
import io.sfumato.topology.window.Slice;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Every public subject of a window, records or none, and those with records that are not public: of
 * these the output that finds subjects is drawn and nothing else, and nothing is told of one that
 * does not pass. Who passes is public from the next window on. All of it goes by windows and
 * subjects in order, so that where slices are cut changes nothing; what decides is outputs alone.
 */
final class DiscoveredSubjects implements SubjectWalk {
  private final WindowSpec window;
  private final Contents.Layout layout;
  private final DatasetStore datasets;
  private final SubjectStore roster;
  private final WindowReleases releases;
  private final Watermarks watermarks;
  private final Discovery discovery;

  /** Subjects that are public in the window after the one that is decided. */
  private int members;

  DiscoveredSubjects(
      WindowSpec window, Contents.Layout layout, PartitionState state, WindowReleases releases) {
    this.window = window;
    this.layout = layout;
    this.datasets = state.datasets();
    this.roster = (SubjectStore) state.roster();
    this.releases = releases;
    this.watermarks = state.watermarks();
    this.discovery = releases.discovery().orElseThrow();
    this.members = roster.staying();
  }

  /** A subject of the window: a member, a dataset, or both. */
  private record Found(Optional<Enrolled> member, Optional<Dataset> dataset) {
    Found and(Found other) {
      return new Found(member.or(other::member), dataset.or(other::dataset));
    }
  }

  @Override
  public Step step(Optional<Key> cursor, long through, int most, Slice slice) {
    Key from = cursor.orElseThrow();
    long start = from.windowStart();
    TreeMap<String, Found> next = next(from, most);
    Key at = from;
    int looked = 0;
    for (var found : next.entrySet()) {
      if (looked == most) {
        return new Step(at, looked);
      }
      Key key = new Key(start, found.getKey());
      if (!decide(key, found.getValue(), slice)) {
        return new Step(at, Math.max(1, looked));
      }
      at = key;
      looked++;
    }
    if (looked == most) {
      return new Step(at, looked);
    }
    long end = window.endOf(start);
    if (discovery.isFull(members)) {
      // By the list alone: whether anybody was there to be found stays unsaid.
      discovery.full(start, watermarks.timestampOf(end));
    }
    return new Step(new Key(end, ""), looked + 1);
  }

  /** Members and datasets in order; the first {@code most} of both have the first of all. */
  private TreeMap<String, Found> next(Key from, int most) {
    TreeMap<String, Found> next = new TreeMap<>(Comparator.comparing(SubjectStore::key));
    for (Member member : roster.after(from.subject(), most)) {
      put(next, member.subject(), new Found(Optional.of((Enrolled) member), Optional.empty()));
    }
    long end = window.endOf(from.windowStart());
    for (Dataset dataset : datasets.after(Optional.of(from), end, most)) {
      put(next, dataset.key().subject(), new Found(Optional.empty(), Optional.of(dataset)));
    }
    return next;
  }

  private static void put(TreeMap<String, Found> next, String subject, Found found) {
    next.merge(subject, found, Found::and);
  }

  /** False where a release is held. */
  private boolean decide(Key key, Found found, Slice slice) {
    Optional<Enrolled> member = found.member();
    if (member.isPresent() && member.get().covers(key.windowStart())) {
      Dataset dataset = found.dataset().orElseGet(() -> new Dataset(key, layout.empty()));
      if (!releases.release(dataset, slice)) {
        return false;
      }
      stays(key, member.get());
      return true;
    }
    member.ifPresent(
        former -> {
          releases.leave(key);
          roster.forgetBefore(former, key.windowStart());
        });
    return found.dataset().isEmpty() || hidden(found.dataset().get(), slice);
  }

  /** A public subject that has not passed for too long leaves. */
  private void stays(Key key, Enrolled member) {
    long since = window.plus(member.since(key.windowStart()), -1);
    if (discovery.leaves(key.subject(), key.windowStart(), since, window)) {
      roster.leave(key.subject(), window.endOf(key.windowStart()));
      discovery.forget(key.subject());
      members--;
    }
  }

  private boolean hidden(Dataset dataset, Slice slice) {
    Key key = dataset.key();
    // A user's records that do not count may lie in any number of subjects: nobody has those.
    if (dataset.isOfNobody() || discovery.isFull(members)) {
      releases.drop(key);
      datasets.delete(key);
      return true;
    }
    if (!releases.releaseHidden(dataset, slice)) {
      return false;
    }
    if (discovery.lastPass(key.subject()).equals(OptionalLong.of(key.windowStart()))) {
      roster.enrol(key.subject(), window.endOf(key.windowStart()));
      members++;
    }
    return true;
  }
}
