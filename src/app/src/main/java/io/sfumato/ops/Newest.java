// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The few outputs of one topic that are shown. Of subjects that the file lists the newest of each
 * comes before older ones of any: a history that is read partition by partition would else show one
 * subject alone. Others come as they were read, the last first.
 */
final class Newest {
  static final int SHOWN = 6;
  private static final int MOST_SUBJECTS = 100;

  /** Places in the file. */
  private final Map<String, Integer> listed = new HashMap<>();

  /** Of listed subjects; who was heard of longest ago goes first. */
  private final Map<String, HeadedCard> bySubject =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, HeadedCard> eldest) {
          return size() > MOST_SUBJECTS;
        }
      };

  private final Deque<HeadedCard> others = new ArrayDeque<>();

  /**
   * @param listed PUBLIC names of the file's list; none where subjects are found in records or in a
   *     roster
   */
  Newest(List<String> listed) {
    listed.forEach(name -> this.listed.putIfAbsent(name, this.listed.size()));
  }

  void add(HeadedCard output) {
    Optional<String> subject = subject(output);
    HeadedCard newest = subject.map(bySubject::get).orElse(null);
    boolean isNewer = newest == null || !from(output).isBefore(from(newest));
    if (subject.isPresent() && isNewer) {
      bySubject.put(subject.get(), output);
      if (newest != null) {
        others.addFirst(newest);
      }
    } else {
      others.addFirst(output);
    }
    if (others.size() > SHOWN) {
      others.removeLast();
    }
  }

  /** Newest windows first, and of one window in the file's order; then what is older. */
  List<HeadedCard> shown() {
    List<HeadedCard> shown = new ArrayList<>(bySubject.values());
    shown.sort(
        Comparator.comparing(Newest::from)
            .reversed()
            .thenComparing(output -> listed.get(subject(output).orElseThrow())));
    shown.addAll(others);
    return List.copyOf(shown.subList(0, Math.min(SHOWN, shown.size())));
  }

  /** Listed subjects of which nothing is shown. */
  int more() {
    return listed.size()
        - (int) shown().stream().flatMap(output -> subject(output).stream()).distinct().count();
  }

  /** Its subject, if the file lists it. */
  private Optional<String> subject(HeadedCard output) {
    return Optional.of(output.head().subject()).filter(listed::containsKey);
  }

  private static Instant from(HeadedCard output) {
    return output.head().windowStart();
  }
}
