// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.store.StagedWrites;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** The memories of all outputs that have any: one store, and one view of what waits for it. */
public final class DrawMemories {
  private final Optional<StagedWrites> store;
  private final Map<String, DrawMemory> byOutput = new HashMap<>();

  /** By the name under which they lie: those that hold data of records. */
  private final Map<String, DrawMemory> ofData = new HashMap<>();

  private final Set<String> names = new HashSet<>();

  /**
   * @param stores by name; asked only if a release of the plan remembers
   */
  public DrawMemories(Plan plan, Function<String, StagedWrites> stores) {
    store =
        plan.pipeline().remembers()
            ? Optional.of(stores.apply(Names.RUNNING_STORE))
            : Optional.empty();
    store.ifPresent(found -> plan.releases().forEach(release -> add(plan, release, found)));
  }

  private void add(Plan plan, PlannedRelease release, StagedWrites found) {
    if (!release.spec().remembers()) {
      return;
    }
    boolean holdsData =
        release.sampler(plan.pipeline()).map(ReleaseSampler::remembersData).orElse(false);
    DrawMemory memory = new DrawMemory(found, release.spec().memory(), holdsData);
    names.add(release.spec().memory());
    byOutput.put(release.spec().name(), memory);
    if (holdsData) {
      ofData.put(release.spec().memory(), memory);
    }
  }

  /** That of an output; nothing where it remembers nothing. */
  Optional<DrawMemory> of(String output) {
    return Optional.ofNullable(byOutput.get(output));
  }

  /** Deletes what holds a subject's data; what follows from outputs alone stays. */
  public void deleteData(String subject) {
    ofData.values().forEach(memory -> memory.delete(subject));
  }

  /** Whether any output keeps data of earlier windows. */
  boolean holdData() {
    return !ofData.isEmpty();
  }

  /**
   * Whether anybody may read a memory again. What lies under a longer name than an output's own is
   * about something that outlives the output, and public: a later version may go on with it.
   *
   * @param released whether a subject has windows that are still to be released
   */
  boolean mayBeRead(DrawMemory.Key key, Predicate<String> released) {
    return names.contains(key.output())
        ? !ofData.containsKey(key.output()) || released.test(key.subject())
        : key.output().indexOf(' ') >= 0;
  }

  /** Where they lie; nothing where the plan has none. */
  Optional<StagedWrites> store() {
    return store;
  }
}
