// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** How the records of one public schema are shown. Names in them are others' choice. */
public interface OutputView {
  /** Of the records; its class is generated. */
  Schema schema();

  /** One line for people: printable whatever stands in the record. */
  String row(IndexedRecord output);

  /**
   * What the operators' page shows of one, without its subject.
   *
   * @param release of the plan that publishes to the topic it was read from
   */
  Card card(IndexedRecord output, PlannedRelease release);
}
