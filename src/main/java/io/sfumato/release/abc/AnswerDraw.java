// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Draw;

/**
 * An answer to a candidate.
 *
 * @param sensitivity D, for which the answers' noise was made
 * @param candidates T, of the query
 * @param distance exact, not clipped
 */
public record AnswerDraw(
    ReleaseId id, QueryNoise answering, double sensitivity, int candidates, double distance)
    implements Draw {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
