// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/**
 * How one measure is read.
 *
 * @param measure name of it
 * @param label what it is called over a column and on a card; empty where the groups' names say
 *     enough
 * @param words what is said around the number ({@code %s}) in a line, such as {@code of %s records}
 * @param style how the number is written
 * @param place where it is read
 */
public record Column(String measure, String label, String words, Style style, Place place) {
  /** How a number and its error are written. */
  public enum Style {
    /** With both ends of its interval. */
    INTERVAL,
    /** The same, of whole bins: a number in the first or last one may lie beyond it. */
    BINS,
    /** With half the width of its interval. */
    AROUND,
    /** The same of a share, in percent. */
    SHARE,
    /** Before the name of its group, as its place in a list. */
    RANK,
    /** The words alone, behind another number: if it is 1. */
    MARK,
    /** The words alone, whatever it is. */
    WORDS
  }

  /** Where a measure is read. */
  public enum Place {
    /** In text and in the rows of cards. */
    BOTH,
    /** In text. */
    TEXT,
    /** In the rows of cards. */
    CARD,
    /** In text, and of all records together at the head of cards. */
    HEAD
  }

  /** A measure that is said by its number, and read everywhere. */
  public static Column of(String measure, String label, Style style) {
    return new Column(measure, label, "%s", style, Place.BOTH);
  }

  /** What is said behind other numbers of a group, if it holds. */
  public static Column mark(String measure) {
    return new Column(measure, measure, measure, Style.MARK, Place.BOTH);
  }

  /** With words around the number; of 1, the last word {@code records} stands in the singular. */
  public Column worded(String around) {
    return new Column(measure, label, around, style, place);
  }

  /** Read there. */
  public Column in(Place there) {
    return new Column(measure, label, words, style, there);
  }

  /** What it is called where no group has a name. */
  String name() {
    return label.isEmpty() ? "all" : label;
  }

  /** Whether it is a number of its own, rather than a remark on another one. */
  boolean isNumber() {
    return style != Style.RANK && style != Style.MARK;
  }

  boolean isInText() {
    return place != Place.CARD;
  }

  boolean isOnCard() {
    return place == Place.BOTH || place == Place.CARD;
  }

  /** The words with a number in them. */
  String around(String number, Quantity quantity) {
    String said = words.replace("%s", number);
    return quantity.number() == 1 && said.endsWith(" records")
        ? said.substring(0, said.length() - 1)
        : said;
  }
}
