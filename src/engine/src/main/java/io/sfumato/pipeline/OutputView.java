// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.inference.Likelihood;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** The records of one public schema: what in them is drawn, and how they are shown. */
public interface OutputView {
  /** Of the records; its class is generated. */
  Schema schema();

  /** Names of the fields that noise decides; whatever else an output says is a public fact. */
  Set<String> drawn();

  /**
   * What was drawn, in one line for people, or in lines that a terminal of 80 columns has room for:
   * printable whatever stands in the record.
   */
  String row(IndexedRecord output);

  /** The same with nothing left out, however wide: for files and other programs. */
  default String whole(IndexedRecord output) {
    return row(output);
  }

  /**
   * What the operators' page shows of one, without its subject.
   *
   * @param release of the plan that publishes to the topic it was read from, or whose records that
   *     output is made of
   */
  Card card(IndexedRecord output, PlannedRelease release);

  /** Of how many records the list is that this one is of, at least 1: one where it is whole. */
  default int parts(IndexedRecord output) {
    return 1;
  }

  /** Which of these it is, from 0: to be said wherever a list may be of several. */
  default int part(IndexedRecord output) {
    return 0;
  }

  /**
   * A whole list.
   *
   * @param parts all its records, in their order
   */
  default IndexedRecord together(List<IndexedRecord> parts) {
    return parts.get(0);
  }

  /**
   * As much of a whole list as its card shows, which the operators' page keeps; it is published
   * nowhere.
   */
  default IndexedRecord brief(IndexedRecord whole) {
    return whole;
  }

  /**
   * Whether the rows of a card's first group are worth following over windows, each at its spot,
   * rather than parts of a whole.
   */
  default boolean hasCourse() {
    return false;
  }

  /**
   * How likely one output is under pseudo-data; nothing where no density is known.
   *
   * @param release of the plan that published it
   * @throws IllegalArgumentException if a field of it is none that the plan publishes; says which
   */
  default Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease release) {
    return Optional.empty();
  }
}
