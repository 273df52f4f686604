// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.SparseSums;

/**
 * In which cells a window's users are counted, and where each count stands. A cell is a subject, or
 * a category of a subject. Users are told apart by how many windows ago each was in the cell
 * before: 1 to n - 1; in the last place are those of n windows ago, or more, or never. Behind them
 * all stand users who have more records than count or are told as left out.
 *
 * @param bySubject whether users of a subject are counted
 * @param categories of a subject whose users are counted; 0 where nobody asks
 * @param last n, at least 1; 1 where users are counted by windows alone
 * @param beyond whether users with more records are counted
 */
public record CellPlaces(boolean bySubject, int categories, int last, boolean beyond) {
  /** Users with more records than count or are told as left out, and no others. */
  public static final CellPlaces OF_BEYOND = new CellPlaces(false, 0, 1, true);

  public CellPlaces {
    if (!bySubject && categories == 0 && !beyond || categories < 0 || last < 1) {
      throw new IllegalArgumentException("users are counted in at least 1 cell and window");
    }
  }

  /** Of users whatever the number of their records. */
  public CellPlaces(boolean bySubject, int categories, int last) {
    this(bySubject, categories, last, false);
  }

  /** What both ask for. */
  public CellPlaces with(CellPlaces other) {
    return new CellPlaces(
        bySubject || other.bySubject,
        Math.max(categories, other.categories),
        Math.max(last, other.last),
        beyond || other.beyond);
  }

  /** How many places there are. */
  public int size() {
    return Math.multiplyExact((bySubject ? 1 : 0) + categories, last) + (beyond ? 1 : 0);
  }

  /**
   * Of a user of the subject.
   *
   * @param ago windows since the user was there before, 1 to n
   */
  public int ofSubject(int ago) {
    return ago - 1;
  }

  /**
   * Of a user of a category.
   *
   * @param ago windows since the user was there before, 1 to n
   */
  public int ofCategory(int category, int ago) {
    return ((bySubject ? 1 : 0) + category) * last + ago - 1;
  }

  /** Of a user of the subject who has more records. */
  public int ofBeyond() {
    return size() - 1;
  }

  /** A window's users of the subject who have more records. */
  public long beyond(SparseSums users) {
    return users.dense(size())[ofBeyond()];
  }

  /**
   * A window's users of the subject, or of each category: by cell, and by windows since each was
   * there before.
   *
   * @param byCategory whether categories are asked for
   * @param over of how many last windows; those of as many windows ago, or more, are together
   */
  public long[][] arrived(SparseSums users, boolean byCategory, int over) {
    long[] all = users.dense(size());
    long[][] arrived = new long[byCategory ? categories : 1][over];
    for (int cell = 0; cell < arrived.length; cell++) {
      for (int ago = 1; ago <= last; ago++) {
        int place = byCategory ? ofCategory(cell, ago) : ofSubject(ago);
        arrived[cell][Math.min(ago, over) - 1] += all[place];
      }
    }
    return arrived;
  }

  /** A window's users of the subject, or of each category. */
  public long[] users(SparseSums users, boolean byCategory) {
    long[][] arrived = arrived(users, byCategory, 1);
    long[] counts = new long[arrived.length];
    for (int cell = 0; cell < counts.length; cell++) {
      counts[cell] = arrived[cell][0];
    }
    return counts;
  }
}
