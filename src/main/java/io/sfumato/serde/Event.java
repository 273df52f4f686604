package io.sfumato.serde;

import java.util.List;

/**
 * What a pipeline keeps of a record.
 *
 * @param subject non-empty
 * @param time event time, milliseconds since 1970
 * @param category place in the pipeline's list of categories; 0 where records have none
 * @param values the record's numbers, finite; none where records have none
 */
public record Event(String subject, long time, int category, List<Double> values) {
  public Event {
    values = List.copyOf(values);
  }
}
