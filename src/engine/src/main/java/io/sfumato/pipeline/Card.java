// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An output on the operators' page, which draws those of every kind alike.
 *
 * @param to end of what it is about
 * @param records N, where it is public
 * @param exampleLeftOut what bounds leave out of the file's public example, 0 to 1
 * @param groups its parts, apart by the windows that they are about: at least one group, and the
 *     first is what is followed over windows
 * @param drawings tables that are more than rows; the first is shown until another is chosen
 */
public record Card(
    Instant to,
    OptionalLong records,
    OptionalDouble exampleLeftOut,
    List<Group> groups,
    List<Drawing> drawings) {
  public Card {
    groups = List.copyOf(groups);
    drawings = List.copyOf(drawings);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("a card has a group of rows or more");
    }
  }

  /** One without tables. */
  public Card(Instant to, OptionalLong records, OptionalDouble exampleLeftOut, List<Group> groups) {
    this(to, records, exampleLeftOut, groups, List.of());
  }

  /**
   * One about a single stretch of time.
   *
   * @param from start of what it is about
   */
  public Card(
      Instant from,
      Instant to,
      OptionalLong records,
      OptionalDouble exampleLeftOut,
      List<Row> rows) {
    this(to, records, exampleLeftOut, List.of(new Group(Stretch.own(from), rows)));
  }

  /** One that says no more than its rows. */
  public Card(Instant from, Instant to, List<Row> rows) {
    this(from, to, OptionalLong.empty(), OptionalDouble.empty(), rows);
  }

  /** Start of what its first group is about. */
  public Instant from() {
    return stretch().since();
  }

  /** Which windows its first group is about. */
  public Stretch stretch() {
    return groups.get(0).stretch();
  }

  /** Those of its first group. */
  public List<Row> rows() {
    return groups.get(0).rows();
  }

  /**
   * Parts of an output about the same windows.
   *
   * @param more parts that are no rows, each of them smaller than any row: of lists of names
   */
  public record Group(Stretch stretch, List<Row> rows, long more) {
    public Group {
      rows = List.copyOf(rows);
    }

    /** All its parts are rows. */
    public Group(Stretch stretch, List<Row> rows) {
      this(stretch, rows, 0);
    }
  }

  /**
   * Where a number lies on its course: in any measure, that of all windows.
   *
   * @param place of the number
   * @param low end of its 95% interval
   * @param high end of it
   */
  public record Spot(double place, double low, double high) {}

  /**
   * A part of an output.
   *
   * @param label what it is
   * @param value by which rows are sorted, the largest first
   * @param share 0 to 1, where a bar is drawn; noise may take it below
   * @param error half the width of the share's 95% interval
   * @param spot where a course is drawn
   * @param text the value as people read it
   */
  public record Row(
      String label,
      double value,
      OptionalDouble share,
      OptionalDouble error,
      Optional<Spot> spot,
      String text) {
    /** One whose course is that of its share. */
    public Row(
        String label, double value, OptionalDouble share, OptionalDouble error, String text) {
      this(
          label,
          value,
          share,
          error,
          share.stream().mapToObj(at -> spot(at, error.orElse(0))).findFirst(),
          text);
    }

    /** One without a bar. */
    public Row(String label, double value, String text) {
      this(label, value, OptionalDouble.empty(), OptionalDouble.empty(), text);
    }

    /** Whether its bar is no share: its scale is that of its group. */
    public boolean isOnItsOwnScale() {
      return share.isPresent() && spot.filter(on -> on.place() != share.getAsDouble()).isPresent();
    }

    private static Spot spot(double share, double error) {
      return new Spot(share, Math.max(0, share - error), Math.min(1, share + error));
    }
  }
}
