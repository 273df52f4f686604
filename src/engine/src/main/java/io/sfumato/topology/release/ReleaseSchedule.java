// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Schedule;

/**
 * In which windows an output is due.
 *
 * @param pipeline whose calendar counts
 * @param release the output
 */
public record ReleaseSchedule(Pipeline pipeline, ReleaseSpec release) {
  /** Whether it may be drawn of a window: users are charged for it in these windows alone. */
  public boolean isDue(long windowStart) {
    return pipeline.isDue(release, windowStart);
  }

  /** Whether it has one draw a period, after which there is nothing to refuse. */
  public boolean isOnce() {
    return release.schedule() == Schedule.ONCE_A_PERIOD;
  }
}
