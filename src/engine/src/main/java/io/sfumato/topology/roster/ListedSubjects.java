// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.roster;

import io.sfumato.topology.journal.JournalPartitioner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The subjects of a pipeline file's list that belong to one partition of the journal. */
public final class ListedSubjects implements Roster {
  private final NavigableSet<String> subjects;

  private ListedSubjects(NavigableSet<String> subjects) {
    this.subjects = subjects;
  }

  /** Those of a list that belong to one of {@code partitions} partitions. */
  public static ListedSubjects of(List<String> listed, int partitions, int partition) {
    // As the roster's store has them: by their bytes.
    NavigableSet<String> mine =
        new TreeSet<>((x, y) -> SubjectStore.key(x).compareTo(SubjectStore.key(y)));
    for (String subject : listed) {
      byte[] key = subject.getBytes(StandardCharsets.UTF_8);
      if (JournalPartitioner.partitionOf(key, partitions) == partition) {
        mine.add(subject);
      }
    }
    return new ListedSubjects(mine);
  }

  /** Of every window. */
  private record Listed(String subject) implements Member {
    @Override
    public boolean covers(long windowStart) {
      return true;
    }
  }

  @Override
  public boolean covers(String subject, long windowStart) {
    return contains(subject);
  }

  @Override
  public boolean contains(String subject) {
    return subjects.contains(subject);
  }

  @Override
  public List<Member> after(String subject, int most) {
    return subjects.tailSet(subject, false).stream().limit(most).<Member>map(Listed::new).toList();
  }

  @Override
  public void forgetBefore(Member member, long windowStart) {
    throw new IllegalStateException("who is listed stays");
  }
}
