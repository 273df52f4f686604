// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Draws names' own counts of windows. */
final class NamesSampler implements NameSampler {
  private final NamesSpec spec;
  private final DiscoveryMechanism mechanism;
  private final NamesWriter writer;

  NamesSampler(PlannedNames planned, Pipeline pipeline) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.writer = new NamesWriter(spec, pipeline);
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
  public Step step(Name name, Noise noise) {
    Optional<NoisyName> told =
        name.listed()
            ? Optional.of(noise.draw(name.windowStart(), 0, mechanism, name.count()))
            : noise.discover(name.windowStart(), 0, mechanism, name.count());
    return new Step(
        told.filter(noisy -> noisy.passes(mechanism.threshold())).isPresent(),
        told.map(noisy -> figure(noisy, name.listed())),
        Memory.NONE);
  }

  private Figure figure(NoisyName noisy, boolean listed) {
    CountInterval truth =
        listed
            ? CountInterval.of(mechanism.noise(), noisy)
            : CountInterval.ofPassed(mechanism.noise(), mechanism.threshold(), noisy);
    return new Figure(Math.round(noisy.count()), truth.low(), truth.high());
  }

  @Override
  public boolean tellsRest() {
    return spec.rest() == UnlistedCount.COUNTED;
  }

  @Override
  public Figure rest(long windowStart, Secret<NameCount> count, Noise noise) {
    return figure(noise.draw(windowStart, 0, mechanism, count), true);
  }

  @Override
  public List<List<Told>> parts(List<Told> names) {
    return writer.parts(names);
  }

  @Override
  public SpecificRecord write(OutputLabel label, WindowList list, int part) {
    return writer.write(label, list, part, label.id().windowStart(), mechanism.threshold().least());
  }
}
