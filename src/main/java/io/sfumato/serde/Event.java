// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.util.List;
import java.util.Optional;

/**
 * What a pipeline keeps of a record.
 *
 * @param user non-empty, where records have one beside their subject
 * @param subject non-empty
 * @param time event time, milliseconds since 1970
 * @param category place in the pipeline's list of categories; 0 where records have none
 * @param values the record's numbers, finite; none where records have none
 */
public record Event(
    Optional<String> user, String subject, long time, int category, List<Double> values) {
  public Event {
    values = List.copyOf(values);
  }
}
