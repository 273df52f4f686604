// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.schema.Guarantee;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * What all rows of one output have in common: public facts.
 *
 * @param subject whose records it is about
 * @param windowStart event time at which its window begins
 * @param windowEnd event time at which it ends, exclusive
 * @param output name of the output in the pipeline file
 * @param leftOut part of the file's public example that the limits of contributions drop, 0 to 1;
 *     empty without an example
 * @param version of the pipeline file
 * @param noise the mechanism, with its full parameters
 */
public record OutputHead(
    String subject,
    Instant windowStart,
    Instant windowEnd,
    String output,
    OptionalDouble leftOut,
    int version,
    String noise) {
  /** Fields that every output has, with their types. */
  public static final Map<String, String> FIELDS =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.of(
                  "release_id", "string",
                  "pipeline", "string",
                  "output", "string",
                  "subject", "string",
                  "window_start", "long of timestamp-millis",
                  "window_end", "long of timestamp-millis",
                  "guarantee", Guarantee.getClassSchema().getFullName())));

  /** Of any record that has the head of every output. */
  public static OutputHead of(IndexedRecord output) {
    Guarantee guarantee = (Guarantee) field(output, "guarantee");
    Schema.Field leftOut = output.getSchema().getField("example_left_out");
    Double share = leftOut == null ? null : (Double) output.get(leftOut.pos());
    return new OutputHead(
        (String) field(output, "subject"),
        (Instant) field(output, "window_start"),
        (Instant) field(output, "window_end"),
        (String) field(output, "output"),
        share == null ? OptionalDouble.empty() : OptionalDouble.of(share),
        guarantee.getPipelineVersion(),
        guarantee.getMechanism());
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }
}
