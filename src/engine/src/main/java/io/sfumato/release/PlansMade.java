// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last plans of this process. A plan depends on its release's lines alone and takes up to
 * seconds; experiments, audits and versions of a file ask for the same ones again.
 */
final class PlansMade {
  private static final int KEPT = 64;

  /** In the order in which they were last asked for. */
  private final Map<ReleaseSpec, PlannedRelease> plans = new LinkedHashMap<>(KEPT, 0.75f, true);

  /**
   * The plan of a release, made unless it is there.
   *
   * @throws UnplannableException if it cannot be made; that is not kept
   */
  PlannedRelease of(ReleaseSpec release) throws UnplannableException {
    synchronized (plans) {
      PlannedRelease made = plans.get(release);
      if (made != null) {
        return made;
      }
    }
    PlannedRelease planned = release.plan();
    keep(release, planned);
    return planned;
  }

  private void keep(ReleaseSpec release, PlannedRelease plan) {
    synchronized (plans) {
      plans.put(release, plan);
      if (plans.size() > KEPT) {
        plans.remove(plans.keySet().iterator().next());
      }
    }
  }
}
