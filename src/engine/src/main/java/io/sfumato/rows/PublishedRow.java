// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A row as files and topics have it. Its columns are those of {@link RowColumn}, and one for each
 * category field.
 *
 * @param row what the output says
 * @param released when its record was written: the record's Kafka timestamp
 */
public record PublishedRow(OutputRow row, Instant released) {
  /** Before the measure of a number about all windows since a first one. */
  public static final String RUNNING = "running ";

  /** Before the measure of a number about the last few windows. */
  public static final String LAST = "last ";

  private static final String OF = " of ";

  /**
   * All rows of one output. A sum over windows also has public rows that say which windows it
   * covers: {@code running windows}, {@code running since}, and the same of {@code last}.
   *
   * @param rows of the output's kind
   */
  public static List<PublishedRow> of(List<OutputRow> rows, Instant released) {
    List<PublishedRow> all = new ArrayList<>();
    Set<Stretch> said = new LinkedHashSet<>();
    for (OutputRow row : rows) {
      if (row.about().kind() != Stretch.Kind.OWN && said.add(row.about())) {
        covered(row).forEach(fact -> all.add(new PublishedRow(fact, released)));
      }
      all.add(new PublishedRow(row, released));
    }
    return all;
  }

  private static List<OutputRow> covered(OutputRow row) {
    List<OutputRow> facts = new ArrayList<>();
    if (row.about().windows() > 0) {
      facts.add(fact(row, "windows", row.about().windows()));
    }
    facts.add(fact(row, "since", row.about().since().getEpochSecond()));
    return facts;
  }

  private static OutputRow fact(OutputRow row, String measure, long value) {
    return new OutputRow(
        row.head(),
        row.about(),
        Group.ALL,
        Measure.of(measure),
        Quantity.of(value),
        false,
        NoiseScope.ROW);
  }

  /** The measure in one text, such as {@code running count} or {@code mean of amount}. */
  public String measure() {
    String about =
        switch (row.about().kind()) {
          case OWN -> "";
          case RUNNING -> RUNNING;
          case LAST -> LAST;
        };
    Measure measure = row.measure();
    return about + measure.name() + (measure.of().isEmpty() ? "" : OF + measure.of());
  }

  /** The distribution of its noise; empty for a public fact. */
  public String noise() {
    return row.drawn() ? NoiseText.distribution(row.head().noise()) : "";
  }

  /** The word of its {@link NoiseScope}; empty for a public fact. */
  public String noiseScope() {
    return row.drawn() ? row.scope().word() : "";
  }
}
