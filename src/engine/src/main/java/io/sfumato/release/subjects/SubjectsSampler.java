// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.pipeline.LastPass;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.SubjectRelease;
import java.util.Optional;

/**
 * Draws the number of a subject's users. Of one that is not public nothing leaves but that it
 * passed.
 */
record SubjectsSampler(DiscoveryMechanism mechanism, Standing standing) implements ReleaseSampler {
  /** Whether a subject is public when a window begins. */
  enum Standing {
    PUBLIC,
    HIDDEN
  }

  @Override
  public boolean remembers() {
    return true;
  }

  /** When a subject passed last is what was published. */
  @Override
  public boolean remembersData() {
    return false;
  }

  @Override
  public Optional<ReleaseSampler> ofHidden() {
    return Optional.of(new SubjectsSampler(mechanism, Standing.HIDDEN));
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    Measured<NameCount, NoisyName> measured =
        Measured.of(
            mechanism,
            data.map(own -> new NameCount(own.users().orElseThrow())),
            (id, exact) -> new NamedDraw<>(id, mechanism, exact, standing == Standing.PUBLIC));
    return switch (standing) {
      case PUBLIC -> Prepared.of(measured, this::published);
      case HIDDEN -> Prepared.ofHidden(measured, this::published);
    };
  }

  private Drawn published(OutputLabel label, NoisyName noisy) {
    return new Drawn(
        write(label, noisy),
        noisy.passes(mechanism.threshold())
            ? Optional.of(Memory.ofOutputs(new LastPass(label.id().windowStart()).encode()))
            : Optional.empty());
  }

  private SubjectRelease write(OutputLabel label, NoisyName noisy) {
    CountInterval interval =
        switch (standing) {
          case PUBLIC -> CountInterval.of(mechanism.noise(), noisy);
          case HIDDEN -> CountInterval.ofPassed(mechanism.noise(), mechanism.threshold(), noisy);
        };
    SubjectRelease release = label.on(new SubjectRelease());
    release.setUsers(noisy.count());
    release.setLow(interval.low());
    release.setHigh(interval.high());
    release.setThreshold(mechanism.threshold().least());
    release.setFound(standing == Standing.HIDDEN);
    return release;
  }
}
