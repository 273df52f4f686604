// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.release.names.Origins;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.generic.IndexedRecord;

/** Subjects' lists of names, window by window, as they come from whichever partition. */
public final class ListsOfWindows {
  private final List<String> subjects;
  private final NavigableMap<Instant, SortedMap<String, Parts>> windows = new TreeMap<>();
  private final Map<Instant, Instant> ends = new TreeMap<>();
  private final Origins origins = new Origins();

  /**
   * @param subjects the file's list; where it has none, whoever had a list in the window before is
   *     waited for
   */
  public ListsOfWindows(List<String> subjects) {
    this.subjects = List.copyOf(subjects);
  }

  /** What has come of one subject's window, by the part's number. */
  private static final class Parts {
    private final SortedMap<Integer, NamesRelease> came = new TreeMap<>();

    Optional<NamesRelease> any() {
      return came.values().stream().findFirst();
    }

    boolean isWhole() {
      return came.size() == came.get(came.firstKey()).getParts();
    }

    NamesRelease together() {
      OutputView view = Releases.viewOf(came.get(0)).orElseThrow();
      return (NamesRelease) view.together(new ArrayList<IndexedRecord>(came.values()));
    }
  }

  /**
   * One window.
   *
   * @param lists those that are there, whole, by subject
   * @param missing subjects that are public and of which no whole list has come
   * @param origins of their names, as far as lists of earlier windows have come too
   */
  public record Window(
      Instant from,
      Instant to,
      SortedMap<String, NamesRelease> lists,
      SortedSet<String> missing,
      Origins origins) {
    /** Event time from which the first of the lists counts; nothing where none is there. */
    public Optional<Instant> since() {
      return lists.values().stream().map(NamesRelease::getSince).min(Comparator.naturalOrder());
    }

    public Window {
      lists = Collections.unmodifiableSortedMap(lists);
      missing = Collections.unmodifiableSortedSet(missing);
    }
  }

  /**
   * Takes a record.
   *
   * @return its window, if that has just become complete
   * @throws RefusedException if another list of the same subject and window came before
   */
  public Optional<Window> add(NamesRelease part) throws RefusedException {
    Instant from = part.getWindowStart();
    origins.add(part);
    ends.put(from, part.getWindowEnd());
    SortedMap<String, Parts> window = windows.computeIfAbsent(from, start -> new TreeMap<>());
    Parts parts = window.computeIfAbsent(part.getSubject(), subject -> new Parts());
    NamesRelease before = parts.came.getOrDefault(part.getPart(), parts.any().orElse(part));
    boolean known = parts.came.putIfAbsent(part.getPart(), part) != null;
    if (known ? !before.equals(part) : !draw(before).equals(draw(part))) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "two different lists of %s, window from %s: releases %s and %s"
              .formatted(part.getSubject(), from, before.getReleaseId(), part.getReleaseId()));
    }
    return !known && missing(from).isEmpty() ? Optional.of(of(from)) : Optional.empty();
  }

  /** What the ids of all records of one list have in common: all but their number. */
  private static String draw(NamesRelease part) {
    return part.getReleaseId().substring(0, part.getReleaseId().lastIndexOf('/') + 1);
  }

  /** All windows, the oldest first. */
  public List<Window> all() {
    return windows.keySet().stream().map(this::of).toList();
  }

  /** The first window that lacks a list. */
  public Optional<Window> incomplete() {
    return windows.keySet().stream()
        .filter(from -> !missing(from).isEmpty())
        .findFirst()
        .map(this::of);
  }

  private Window of(Instant from) {
    SortedMap<String, NamesRelease> lists = new TreeMap<>();
    windows
        .get(from)
        .forEach(
            (subject, parts) -> {
              if (parts.isWhole()) {
                lists.put(subject, parts.together());
              }
            });
    return new Window(from, ends.get(from), lists, missing(from), origins);
  }

  private SortedSet<String> missing(Instant from) {
    SortedMap<String, Parts> came = windows.get(from);
    SortedSet<String> missing = new TreeSet<>(expected(from));
    came.forEach(
        (subject, parts) -> {
          if (parts.isWhole()) {
            missing.remove(subject);
          } else {
            missing.add(subject);
          }
        });
    return missing;
  }

  private Collection<String> expected(Instant from) {
    var before = windows.lowerEntry(from);
    if (!subjects.isEmpty()) {
      return subjects;
    }
    return before == null ? List.of() : before.getValue().keySet();
  }
}
