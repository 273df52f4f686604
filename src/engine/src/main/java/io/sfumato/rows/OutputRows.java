// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;

/** Collects the rows of one output; at first they are about its own window. */
public final class OutputRows {
  private final OutputHead head;
  private final List<OutputRow> rows = new ArrayList<>();
  private Stretch about;
  private NoiseScope scope = NoiseScope.OUTPUT;

  private OutputRows(OutputHead head) {
    this.head = head;
    this.about = Stretch.own(head.windowStart());
  }

  /** Of a record that has the head of every output. */
  public static OutputRows of(IndexedRecord output) {
    return new OutputRows(OutputHead.of(output));
  }

  /** Which windows the rows that come next are about. */
  public OutputRows about(Stretch windows) {
    about = windows;
    return this;
  }

  /**
   * Which other rows can share the noise of the rows that come next. Unless a kind says otherwise,
   * all rows of its subject and output: then nobody adds up what is not independent.
   */
  public OutputRows sharing(NoiseScope noise) {
    scope = noise;
    return this;
  }

  /** The next row, which noise decides. */
  public OutputRows drawn(Group group, Measure measure, Quantity quantity) {
    boolean isOfOneWindow =
        about.kind() == Stretch.Kind.OWN && !NoiseText.isSharedByWindows(head.noise());
    NoiseScope shared = isOfOneWindow ? scope : scope.overWindows();
    rows.add(new OutputRow(head, about, group, measure, quantity, true, shared));
    return this;
  }

  /** The next row, which noise decides, of records and not of a number in them. */
  public OutputRows drawn(Group group, String measure, Quantity quantity) {
    return drawn(group, Measure.of(measure), quantity);
  }

  /** The next row: a public fact. */
  public OutputRows fact(Group group, Measure measure, Quantity quantity) {
    rows.add(new OutputRow(head, about, group, measure, quantity, false, NoiseScope.ROW));
    return this;
  }

  /** The next row: a public fact about records, not about a number in them. */
  public OutputRows fact(Group group, String measure, Quantity quantity) {
    return fact(group, Measure.of(measure), quantity);
  }

  /** The next row: a public fact about all records. */
  public OutputRows fact(String measure, Quantity quantity) {
    return fact(Group.ALL, Measure.of(measure), quantity);
  }

  /**
   * How many records there are, where that is public.
   *
   * @param records null where it is not: then there is no such row
   */
  public OutputRows records(Long records) {
    return records == null ? this : fact(Reading.RECORDS, Quantity.of((long) records));
  }

  /** All of them, in their order. */
  public List<OutputRow> all() {
    return Collections.unmodifiableList(rows);
  }
}
