// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.noise.ReleaseId;
import io.sfumato.schema.Guarantee;
import java.time.Instant;

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
}
