// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one user may add to the counts of names in one window.
 *
 * @param names S: most names, 1 to C
 * @param records C: most records, over all names
 * @param perName k: most records for one name, 1 to C; where it is 1 users are counted
 */
public record NameBounds(int names, int records, int perName) {
  /** Most records of a user. */
  public static final int MOST = 1_000_000;

  /**
   * @throws IllegalArgumentException if a bound is below 1 or too large
   */
  public NameBounds {
    require("records", records, MOST);
    require("names", names, records);
    require("records for one name", perName, records);
  }

  private static void require(String what, int found, int most) {
    if (found < 1 || found > most) {
      throw new IllegalArgumentException(
          "%s of a user are 1 to %d, were %d".formatted(what, most, found));
    }
  }

  /**
   * A user's records by name.
   *
   * @param full names with k records
   * @param rest records for one more name, below k; 0 for none
   * @param single names with one record, beside these
   */
  public record Split(int full, int rest, int single) {}

  /** Most records that count. */
  public int counted() {
    return (int) Math.min(records, (long) names * perName);
  }

  /** Squared Euclidean norm of the counts: names as full as they may be. */
  public long squaredNorm() {
    long full = counted() / perName;
    long rest = counted() % perName;
    return full * perName * perName + rest * rest;
  }

  /**
   * Those among which a sum over names of a convex, rising function of their records is largest:
   * all names are as full as they may be, but for one, or have one record; and of these at most
   * four numbers of names (docs/theory/partition-selection.md, Theorem M).
   */
  public Stream<Split> corners() {
    int fewest = (int) Math.min(names, ((long) records - 1) / perName + 1);
    if (perName == 1) {
      return Stream.of(corner(fewest));
    }
    // With so many names more, a full name has become names of one record.
    int each = perName - 1;
    int first = fewest + Math.floorMod(records - fewest, each);
    int last = names - Math.floorMod(names - records, each);
    return IntStream.of(fewest, first, last, names)
        .filter(number -> number >= fewest && number <= names)
        .distinct()
        .mapToObj(this::corner);
  }

  private Split corner(int number) {
    if (perName == 1) {
      return new Split(number, 0, 0);
    }
    long more = Math.min(records - number, (long) number * (perName - 1));
    int full = (int) (more / (perName - 1));
    int rest = (int) (more % (perName - 1));
    return rest == 0
        ? new Split(full, 0, number - full)
        : new Split(full, rest + 1, number - full - 1);
  }

  /** How far a user moves the counts, which are whole. */
  public GridSensitivity sensitivity() {
    boolean even = counted() % perName == 0;
    return new GridSensitivity(
        "add-or-remove-%d of %d names, %d each".formatted(records, names, perName),
        PrivacyUnit.USER,
        even ? counted() / perName : 1,
        even ? perName : counted(),
        Math.nextUp(Math.sqrt(squaredNorm())));
  }
}
