// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.topology.charge.Charger;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.StagedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Makes what is published of every closed window. */
public final class WindowOutputs {
  private final Plan plan;
  private final Deployment deployment;
  private final Publisher publisher;
  private final Refusals refusals;
  private final SkippedReleases skips;

  public WindowOutputs(
      Plan plan,
      Deployment deployment,
      Publisher publisher,
      Refusals refusals,
      SkippedReleases skips) {
    this.plan = plan;
    this.deployment = deployment;
    this.publisher = publisher;
    this.refusals = refusals;
    this.skips = skips;
  }

  /**
   * All that the plan has.
   *
   * @param stores by name, and by a key of whoever writes to it: two may share a store
   */
  public List<WindowOutput> of(
      Function<PlannedRelease, Charger> charging, BiFunction<String, String, StagedStore> stores) {
    List<WindowOutput> outputs = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      release
          .drawer(plan.pipeline())
          .ifPresent(
              drawer ->
                  outputs.add(
                      new Releaser(
                          publisher.outputOf(release),
                          charging.apply(release),
                          drawer,
                          memory(release, drawer, stores),
                          publisher,
                          refusals,
                          skips,
                          deployment.meters())));
    }
    return outputs;
  }

  private static Optional<DrawMemory> memory(
      PlannedRelease release, Drawer drawer, BiFunction<String, String, StagedStore> stores) {
    if (!drawer.remembers()) {
      return Optional.empty();
    }
    String name = release.spec().name();
    String key = Names.RUNNING_STORE + "/" + name;
    return Optional.of(new DrawMemory(stores.apply(Names.RUNNING_STORE, key), name));
  }
}
