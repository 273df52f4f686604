// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.ReleaseId;
import io.sfumato.schema.Guarantee;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;

/**
 * What every output says of itself.
 *
 * @param id of the release
 * @param pipeline that publishes it
 * @param output its name
 * @param guarantee what it promises
 * @param exampleLeftOut what bounds leave out of the file's public example, 0 to 1; null without
 *     one
 */
public record OutputLabel(
    ReleaseId id, Pipeline pipeline, String output, Guarantee guarantee, Double exampleLeftOut) {
  /** Start of the window. */
  public Instant from() {
    return Instant.ofEpochMilli(id.windowStart());
  }

  /** End of the window, exclusive. */
  public Instant to() {
    return Instant.ofEpochMilli(pipeline.window().endOf(id.windowStart()));
  }

  /** Writes it into an output, whose schema has these fields as every kind's has. */
  public <T extends SpecificRecord> T on(T output) {
    put(output, "release_id", id.text());
    put(output, "pipeline", pipeline.name());
    put(output, "output", output());
    put(output, "subject", id.subject());
    put(output, "window_start", from());
    put(output, "window_end", to());
    put(output, "guarantee", guarantee);
    return output;
  }

  private static void put(SpecificRecord output, String field, Object value) {
    output.put(output.getSchema().getField(field).pos(), value);
  }
}
