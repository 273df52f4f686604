// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The last plans of this process. A plan depends on its release's lines alone and takes up to
 * seconds; experiments, audits and versions of a file ask for the same ones again.
 */
final class PlansMade {
  private static final int KEPT = 64;

  /** In the order in which they were last asked for. */
  private final Map<ReleaseSpec, PlannedRelease> plans = new LinkedHashMap<>(KEPT, 0.75f, true);

  /** The plan of a release, made unless it is there; one that could not be made is not kept. */
  Optional<PlannedRelease> of(ReleaseSpec release, Supplier<Optional<PlannedRelease>> planner) {
    synchronized (plans) {
      PlannedRelease made = plans.get(release);
      if (made != null) {
        return Optional.of(made);
      }
    }
    Optional<PlannedRelease> planned = planner.get();
    planned.ifPresent(plan -> keep(release, plan));
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
