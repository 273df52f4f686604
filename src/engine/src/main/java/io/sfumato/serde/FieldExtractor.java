// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.record.TimeReading;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Finds the named fields in one format. */
interface FieldExtractor {
  /**
   * The fields of one record.
   *
   * @return nothing if the fields do not meet the conditions of the file
   * @throws RejectedRecordException if it is not of the format
   */
  Optional<RawFields> extract(byte[] value) throws RejectedRecordException, IOException;

  /**
   * The named fields as found, and never leave this package. What is absent is null, and what has
   * no name.
   *
   * @param user its canonical name
   * @param subject its canonical name
   * @param categories one for each field of the category, in order
   * @param id its canonical name
   * @param numbers null for one that is missing, NaN for what is no number
   * @param units the weight, which is the last number, rounded down by its exact digits
   */
  record RawFields(
      String user,
      String subject,
      TimeReading time,
      List<String> categories,
      FoundItems items,
      List<Double> numbers,
      Long units,
      String id) {}

  /** Where the items of one record are collected; null where a record has one category. */
  interface ItemSource {
    FoundItems begin();
  }
}
