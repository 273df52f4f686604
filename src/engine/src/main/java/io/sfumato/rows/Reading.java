// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Column.Style;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the rows of an output read best: hints of its kind. Rows that no column names are for exports
 * alone.
 *
 * @param words what is said beside numbers
 * @param columns measures of each group: the first is the main one
 * @param facts what is said of the output as a whole, behind all others
 * @param scale of bars on cards
 * @param hasCommonBound whether a list says once how far the intervals of all its numbers reach
 * @param most how much is shown
 * @param isFollowed whether its numbers are worth following over windows, rather than parts of a
 *     whole
 */
public record Reading(
    Words words,
    List<Column> columns,
    List<Column> facts,
    Scale scale,
    boolean hasCommonBound,
    Most most,
    boolean isFollowed) {
  /** Measure of which record of a list an output is, where the list is too long for one. */
  public static final String PART = "part";

  /** Measure of the public number of records. */
  public static final String RECORDS = "records";

  /** So many groups are shown in text unless a kind says otherwise. */
  private static final int ON_TERMINAL = 40;

  /**
   * Printable words.
   *
   * @param headline what text begins with; may be empty
   * @param title what a card calls all of the output's rows; empty where it takes the groups' names
   * @param none what is said where no number is; may be empty
   */
  public record Words(String headline, String title, String none) {}

  /**
   * How many groups are shown; how many are not is said beside.
   *
   * @param isLargestFirst whether those with the largest numbers are shown, rather than the first
   *     ones
   * @param terminal on a terminal
   * @param card on a card
   */
  public record Most(boolean isLargestFirst, int terminal, int card) {}

  public Reading {
    columns = List.copyOf(columns);
    facts = List.copyOf(facts);
  }

  /** Nothing but a headline. */
  public static Reading headline(String headline, Column... columns) {
    return of(columns).withWords(new Words(headline, "", ""));
  }

  /** These measures of each group, without bars. */
  public static Reading of(Column... columns) {
    return new Reading(
        new Words("", "", ""),
        List.of(columns),
        List.of(),
        Scale.NONE,
        false,
        new Most(false, ON_TERMINAL, Integer.MAX_VALUE),
        false);
  }

  /** With a headline, and what is said where no number is. */
  public Reading saying(String headline, String none) {
    return withWords(new Words(headline, words.title(), none));
  }

  /** With a name for all of its rows on a card. */
  public Reading titled(String title) {
    return withWords(new Words(words.headline(), title, words.none()));
  }

  private Reading withWords(Words others) {
    return new Reading(others, columns, facts, scale, hasCommonBound, most, isFollowed);
  }

  /** With what is said of the output as a whole. */
  public Reading withFacts(Column... said) {
    return new Reading(words, columns, List.of(said), scale, hasCommonBound, most, isFollowed);
  }

  /** With bars. */
  public Reading withBars(Scale bars) {
    return new Reading(words, columns, facts, bars, hasCommonBound, most, isFollowed);
  }

  /** With one bound beside a list of numbers. */
  public Reading withCommonBound() {
    return new Reading(words, columns, facts, scale, true, most, isFollowed);
  }

  /** Showing no more than so many groups. */
  public Reading atMost(int terminal, int card) {
    Most shown = new Most(false, terminal, card);
    return new Reading(words, columns, facts, scale, hasCommonBound, shown, isFollowed);
  }

  /** Showing the groups with the largest numbers. */
  public Reading largest(int terminal, int card) {
    Most shown = new Most(true, terminal, card);
    return new Reading(words, columns, facts, scale, hasCommonBound, shown, isFollowed);
  }

  /** Worth following over windows. */
  public Reading followed() {
    return new Reading(words, columns, facts, scale, hasCommonBound, most, true);
  }

  /** Numbers in text. */
  List<Column> inText() {
    return columns.stream().filter(column -> column.isNumber() && column.isInText()).toList();
  }

  /** Numbers in the rows of cards. */
  List<Column> onCard() {
    return columns.stream().filter(column -> column.isNumber() && column.isOnCard()).toList();
  }

  /** What is said behind a group's numbers. */
  List<Column> marks() {
    return of(Style.MARK).toList();
  }

  /** What stands before the name of a group. */
  List<Column> ranks() {
    return of(Style.RANK).toList();
  }

  private Stream<Column> of(Style style) {
    return columns.stream().filter(column -> column.style() == style);
  }
}
