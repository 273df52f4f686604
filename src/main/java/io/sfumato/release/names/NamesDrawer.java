// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.discovery.CountInterval;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.NameCount;
import io.sfumato.mechanism.discovery.NoisyName;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Draws names' own counts of windows. */
final class NamesDrawer implements NameDrawer {
  /** Most bytes of a record's names: four of them fit into what brokers take by default. */
  static final int PART_BYTES = 200_000;

  private final NamesSpec spec;
  private final DiscoveryMechanism mechanism;
  private final OutputBytes sizes;

  NamesDrawer(PlannedNames planned, Pipeline pipeline) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.sizes = new OutputBytes(pipeline.format(), "NamesRelease");
  }

  @Override
  public long most() {
    return spec.most();
  }

  @Override
  public Optional<Integer> forget() {
    return spec.forget();
  }

  @Override
  public Prepared<?> prepare(long count) {
    NameCount exact = new NameCount(count);
    return new Prepared<>(
        id -> Draw.of(id, mechanism, exact),
        mechanism.law(exact),
        noisy -> new Drawn(noisy.passes(mechanism.threshold()), noisy.steps()));
  }

  @Override
  public List<List<Told>> parts(List<Told> names) {
    List<List<Told>> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < names.size(); i++) {
      long next = bytes(names.get(i));
      if (bytes + next > PART_BYTES) {
        parts.add(names.subList(from, i));
        from = i;
        bytes = 0;
      }
      bytes += next;
    }
    parts.add(names.subList(from, names.size()));
    return parts;
  }

  private long bytes(Told told) {
    return sizes.ofText(told.name())
        + 4 * sizes.ofWhole()
        + sizes.ofFields("name", "count", "low", "high", "found");
  }

  @Override
  public SpecificRecord write(
      OutputLabel label, List<Told> names, long listed, int part, int parts) {
    NamesRelease release = label.on(new NamesRelease());
    release.setPart(part);
    release.setParts(parts);
    release.setNames(names.stream().map(this::written).toList());
    release.setThreshold(mechanism.threshold().least());
    release.setListed(listed);
    release.setMost(spec.most());
    return release;
  }

  private CountedName written(Told told) {
    NoisyName noisy = new NoisyName(told.steps(), mechanism.noise().digits());
    CountInterval truth =
        told.found()
            ? CountInterval.ofPassed(mechanism.noise(), mechanism.threshold(), noisy)
            : CountInterval.of(mechanism.noise(), noisy);
    return CountedName.newBuilder()
        .setName(told.name())
        .setCount(Math.round(noisy.count()))
        .setLow(truth.low())
        .setHigh(truth.high())
        .setFound(told.found())
        .build();
  }
}
