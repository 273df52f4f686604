// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.release.Plan;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Outputs that others are made of together, and these behind them: all in one turn, so that nothing
 * need be remembered of the first ones. Where one of them is refused, nothing is made of it.
 */
final class DerivedFromSeveral implements WindowOutput {
  private final List<Releaser> sources;
  private final List<Made> made;

  private record Made(List<String> sources, DerivedOutputs output) {}

  /**
   * @param sources all releasers that something is made of
   * @param derived from several of them each
   */
  DerivedFromSeveral(
      Plan plan, List<Releaser> sources, List<DerivedSpec> derived, Publisher publisher) {
    this.sources = List.copyOf(sources);
    this.made =
        derived.stream()
            .map(
                spec -> new Made(spec.sources(), DerivedOutputs.of(plan, List.of(spec), publisher)))
            .toList();
  }

  @Override
  public void release(Dataset dataset, long timestamp) {
    Map<String, List<SpecificRecord>> published = new HashMap<>();
    for (Releaser source : sources) {
      published.put(source.name(), source.released(dataset, timestamp));
    }
    DatasetStore.Key key = dataset.key();
    for (Made each : made) {
      List<SpecificRecord> records = new ArrayList<>();
      each.sources().forEach(name -> records.addAll(published.get(name)));
      if (each.sources().stream().noneMatch(name -> published.get(name).isEmpty())) {
        each.output().publish(key.subject(), key.windowStart(), records, timestamp);
      }
    }
  }

  @Override
  public boolean isHeld(DatasetStore.Key dataset) {
    return sources.stream().anyMatch(source -> source.isHeld(dataset));
  }
}
