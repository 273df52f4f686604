// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Many users feed one subject: what of them counts is bounded for each user and window, before
 * subjects are looked at.
 *
 * @param user field that names the user; {@link InputSpec#RECORD_KEY} for the record's key
 * @param records C: most records of one user that count in a window, over all subjects, 1 to
 *     {@value #MOST}
 * @param subjects S: most subjects to which one user's records of a window count, 1 to C
 * @param leftOut D: most records of one user and window that are told as left out, over all
 *     subjects, 1 to {@value #MOST}; empty where nobody counts them
 * @param example of users, public, from which it is told what C leaves out
 * @param items most that one record counts as, at least C + D: items of its array, or units of its
 *     weight; empty where a record counts as one
 * @param oneName k: most records of one user that count for one name, in a window, or in a period
 *     where that is bounded; where it is 1, users are counted. Empty where categories are listed,
 *     or there are none
 * @param perPeriod P: most records of one user that count in a whole period of the budget; empty
 *     where that follows from the windows
 * @param cells G: most categories, over all subjects, in which one user of a window is counted as a
 *     distinct user; empty where the file leaves that to the other bounds
 */
public record Population(
    String user,
    int records,
    int subjects,
    OptionalInt leftOut,
    Optional<ExampleUsers> example,
    OptionalInt items,
    OptionalInt oneName,
    OptionalInt perPeriod,
    OptionalInt cells) {
  /** Most records of a user that can count in one window. */
  public static final int MOST = 1000;

  /** Most records of a user that can count in one period, where a file bounds these. */
  public static final int MOST_IN_PERIOD = 100_000;

  /** Most records of a user that are held while a window is open: C for each of S subjects. */
  public static final int MOST_HELD = 10_000;

  public Population(String user, int records, int subjects) {
    this(user, records, subjects, OptionalInt.empty(), Optional.empty());
  }

  /** Of records that have one category. */
  public Population(
      String user, int records, int subjects, OptionalInt leftOut, Optional<ExampleUsers> example) {
    this(
        user,
        records,
        subjects,
        leftOut,
        example,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  /** The same with an example. */
  public Population with(ExampleUsers users) {
    return new Population(
        user, records, subjects, leftOut, Optional.of(users), items, oneName, perPeriod, cells);
  }

  /** The same with users named elsewhere in records. */
  public Population withUser(String part) {
    return new Population(
        part, records, subjects, leftOut, example, items, oneName, perPeriod, cells);
  }

  /** The same with what an output says of its own users, in place of these bounds. */
  public Population bounded(
      int most, int mostSubjects, OptionalInt mostInPeriod, OptionalInt mostCells) {
    return new Population(
        user,
        most,
        mostSubjects,
        OptionalInt.empty(),
        example,
        items,
        OptionalInt.empty(),
        mostInPeriod,
        mostCells);
  }

  /** The same bounds, of other records: an example of all records says nothing of these. */
  public Population ofOtherRecords() {
    return new Population(
        user,
        records,
        subjects,
        OptionalInt.empty(),
        Optional.empty(),
        items,
        OptionalInt.empty(),
        perPeriod,
        cells);
  }

  /** Whether both let the same records count, and charge them alike. */
  public boolean boundsAs(Population other) {
    return records == other.records
        && subjects == other.subjects
        && oneName.equals(other.oneName)
        && perPeriod.equals(other.perPeriod)
        && cells.equals(other.cells);
  }

  /** Bounds of the same users, that nothing is left of but what others add. */
  Population ofNothing() {
    return bounded(1, 1, OptionalInt.empty(), OptionalInt.empty()).ofOtherRecords();
  }

  /** The same, but wide enough for all that may count under other bounds. */
  Population including(Population other) {
    return new Population(
        user,
        Math.max(records, other.records),
        Math.max(subjects, other.subjects),
        leftOut,
        example,
        items,
        oneName,
        perPeriod,
        cells);
  }

  /** Bounded alike in a period, where its records are charged, and in windows by another C. */
  public Population withRecords(int most) {
    OptionalInt period = chargesRecords() ? perPeriod : OptionalInt.empty();
    return new Population(
        user,
        Math.min(most, period.orElse(most)),
        1,
        OptionalInt.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        period,
        OptionalInt.empty());
  }

  /** The bounds of a whole period, where a file has them; no more windows than P records fill. */
  public Optional<PeriodBounds> period() {
    return perPeriod.stream().mapToObj(most -> PeriodBounds.of(records, most)).findFirst();
  }

  /**
   * What one charge pays for: a window's records, or one of them.
   *
   * @param window how far C records of a window move its numbers, over all subjects
   */
  public GridSensitivity charged(GridSensitivity window) {
    return chargesRecords() ? window.ofOneRecord(records) : window;
  }

  /**
   * Whether users are charged for every record that counts: where a period bounds records, whatever
   * their names are. Of names what a period bounds is theirs.
   */
  public boolean chargesRecords() {
    return perPeriod.isPresent() && oneName.isEmpty();
  }

  /**
   * G: in how many categories, over all subjects, one user of a window counts at most as a distinct
   * user.
   *
   * @param categories of each subject
   */
  public int mostCells(int categories) {
    long all = Math.multiplyExact((long) subjects, categories);
    return (int) Math.min(cells.orElse(records), all);
  }

  /** Most records of a user and window that count for one name of a category, or for any. */
  public int perName() {
    return oneName.orElse(records);
  }

  /**
   * What must hold of users beside their numbers of records, which an example does not tell, so
   * that C alone leaves anything out: to be put behind a figure; empty where nothing must.
   */
  public String exampleAssumes() {
    List<String> assumed = new ArrayList<>();
    if (subjects < records) {
      assumed.add("has records of more than " + Plurals.of(subjects, "subject") + " in a window");
    }
    if (perName() < records) {
      assumed.add("more than %,d of one name".formatted(perName()));
    }
    if (chargesRecords()) {
      assumed.add("has more than %,d in a period".formatted(perPeriod.getAsInt()));
    }
    return assumed.isEmpty() ? "" : ", if no user " + String.join(", or ", assumed);
  }

  /**
   * Share of the example's records that C leaves out; {@link #exampleAssumes other bounds} may
   * more.
   */
  public OptionalDouble exampleLeftOut() {
    return example
        .map(users -> OptionalDouble.of(users.leftOut(records)))
        .orElse(OptionalDouble.empty());
  }
}
