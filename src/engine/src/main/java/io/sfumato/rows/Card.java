// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

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
 * @param leftOut what limits leave out of the file's public example, 0 to 1
 * @param facts what else is said of all of it, in words
 * @param sections its parts, apart by the windows that they are about: at least one, and the first
 *     is what is followed over windows
 * @param drawings tables that are more than rows; the first is shown until another is chosen
 * @param scale of its bars
 * @param isFollowed whether its first section is worth following over windows
 */
public record Card(
    Instant to,
    OptionalLong records,
    OptionalDouble leftOut,
    List<String> facts,
    List<Section> sections,
    List<Drawing> drawings,
    Scale scale,
    boolean isFollowed) {
  public Card {
    facts = List.copyOf(facts);
    sections = List.copyOf(sections);
    drawings = List.copyOf(drawings);
    if (sections.isEmpty()) {
      throw new IllegalArgumentException("a card has a section of rows or more");
    }
  }

  /** Start of what its first section is about. */
  public Instant from() {
    return stretch().since();
  }

  /** Which windows its first section is about. */
  public Stretch stretch() {
    return sections.get(0).stretch();
  }

  /** Those of its first section. */
  public List<Row> rows() {
    return sections.get(0).rows();
  }

  /**
   * Parts of an output about the same windows.
   *
   * @param caption what all rows measure, where their labels do not say it; may be empty
   * @param more groups that are no rows, none of them larger than any row
   */
  public record Section(Stretch stretch, String caption, List<Row> rows, long more) {
    public Section {
      rows = List.copyOf(rows);
    }
  }

  /**
   * A number and its interval.
   *
   * @param at the number
   * @param low end of its 95% interval
   * @param high end of it
   */
  public record Spot(double at, double low, double high) {}

  /**
   * A part of an output.
   *
   * @param label what it is
   * @param value by which rows are sorted, the largest first
   * @param bar where on the card's scale it lies, which goes from 0 to 1; noise may take it beyond
   * @param spot where on its course it lies: in any measure, that of all windows
   * @param text the value as people read it
   */
  public record Row(
      String label, double value, Optional<Spot> bar, Optional<Spot> spot, String text) {}
}
