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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
   * All that the plan has, those that others go by before them.
   *
   * @param stores by name, and by a key of whoever writes to it: two may share a store
   */
  public List<WindowOutput> of(
      Function<PlannedRelease, Charger> charging, BiFunction<String, String, StagedStore> stores) {
    Map<String, DrawMemory> memories = memories(stores);
    List<WindowOutput> first = new ArrayList<>();
    List<WindowOutput> second = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      release
          .drawer(plan.pipeline())
          .ifPresent(
              drawer ->
                  (drawer.reads().isEmpty() ? first : second)
                      .add(releaser(release, drawer, charging.apply(release), memories)));
    }
    first.addAll(second);
    return first;
  }

  private Releaser releaser(
      PlannedRelease release, Drawer drawer, Charger charging, Map<String, DrawMemory> memories) {
    return new Releaser(
        publisher.outputOf(release),
        new Turn(plan.pipeline(), release.spec()),
        charging,
        drawer,
        Optional.ofNullable(memories.get(release.spec().name())),
        drawer.reads().stream().map(memories::get).toList(),
        publisher,
        refusals,
        skips,
        deployment.meters());
  }

  /** One an output that has any: whoever reads it sees what the same transaction put there. */
  private Map<String, DrawMemory> memories(BiFunction<String, String, StagedStore> stores) {
    Map<String, DrawMemory> memories = new HashMap<>();
    for (PlannedRelease release : plan.releases()) {
      String name = release.spec().name();
      if (release.spec().remembers()) {
        String key = Names.RUNNING_STORE + "/" + name;
        memories.put(
            name, new DrawMemory(stores.apply(Names.RUNNING_STORE, key), release.spec().memory()));
      }
    }
    return memories;
  }
}
