// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PlannedCounts;
import io.sfumato.pipeline.PlannedHistogram;
import io.sfumato.pipeline.PlannedItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Makes what is published of every closed window. */
final class WindowOutputs {
  private final Plan plan;
  private final Deployment deployment;
  private final Publisher publisher;
  private final Refusals refusals;
  private final Skips skips;

  WindowOutputs(
      Plan plan, Deployment deployment, Publisher publisher, Refusals refusals, Skips skips) {
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
  List<WindowOutput> of(
      Function<PlannedRelease, Charging> charging, BiFunction<String, String, StagedStore> stores) {
    List<WindowOutput> outputs = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      drawer(release, stores)
          .ifPresent(
              drawer ->
                  outputs.add(
                      new Releaser(
                          release.spec().name(),
                          charging.apply(release),
                          drawer,
                          publisher,
                          refusals,
                          skips,
                          deployment.meters())));
    }
    return outputs;
  }

  /** Queries are drawn when they are asked, not when windows close. */
  private Optional<Drawer> drawer(
      PlannedRelease release, BiFunction<String, String, StagedStore> stores) {
    if (release instanceof PlannedHistogram histogram) {
      return Optional.of(new HistogramDrawer(plan.pipeline(), histogram, publisher));
    }
    if (release instanceof PlannedItems items) {
      return Optional.of(new ItemDrawer(plan.pipeline(), items, publisher, deployment.meters()));
    }
    if (release instanceof PlannedCounts counts) {
      return Optional.of(
          counts.spec().running().isPresent()
              ? new RunningCountDrawer(
                  plan.pipeline(), counts, running(counts.spec().name(), stores), publisher)
              : new CountDrawer(plan.pipeline(), counts, publisher));
    }
    return Optional.empty();
  }

  private static RunningStore running(
      String release, BiFunction<String, String, StagedStore> stores) {
    String key = Names.RUNNING_STORE + "/" + release;
    return new RunningStore(stores.apply(Names.RUNNING_STORE, key), release);
  }
}
