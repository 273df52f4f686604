// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.selection;

import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.NameSampler.Figure;
import io.sfumato.pipeline.NameSampler.Step;
import io.sfumato.pipeline.NameSampler.WindowList;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.DerivedOutputs;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.SkippedReleases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;

/** Gives the draws of names their ids and their randomness, and publishes lists of them. */
final class NameDraws {
  /** In the place of a name: no name is empty. */
  static final String REST = "";

  private final Publisher.Output output;
  private final Mechanism<?, ?> paid;
  private final DerivedOutputs derived;
  private final NameSampler sampler;
  private final Publisher publisher;
  private final SkippedReleases skips;

  NameDraws(
      PartitionContext context,
      Publisher.Output output,
      Mechanism<?, ?> paid,
      DerivedOutputs derived,
      NameSampler sampler) {
    this.output = output;
    this.paid = paid;
    this.derived = derived;
    this.sampler = sampler;
    this.publisher = context.publisher();
    this.skips = context.skips();
  }

  /**
   * Nothing of one that an operator skipped: it is not public.
   *
   * @param began as of {@link NameSampler#firstIndex}
   */
  Optional<Step> step(Key key, String name, NameRow row, OptionalLong began) {
    ReleaseId id = id(key, name, key.windowStart(), 0);
    if (skips.contains(id)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          sampler.step(
              new NameSampler.Name(
                  key.windowStart(),
                  counted(row.count(key.windowStart())),
                  row.isListed(key.windowStart()),
                  waited(key, name, row, began)),
              noise(key, name, row.isListed(key.windowStart()), began)));
    } catch (RuntimeException | LinkageError e) {
      throw skips.failed(id, e);
    }
  }

  /** What earlier windows leave, with those that were put off. */
  private Memory waited(Key key, String name, NameRow row, OptionalLong began) {
    Memory memory = row.memory();
    for (var earlier : row.counts().headMap(key.windowStart()).entrySet()) {
      if (sampler.defers(earlier.getKey())) {
        memory =
            sampler
                .step(
                    new NameSampler.Name(
                        earlier.getKey(), counted(earlier.getValue()), false, memory),
                    noise(key, name, false, began))
                .memory();
      }
    }
    return memory;
  }

  private static Secret<NameCount> counted(long users) {
    return Secret.of(new NameCount(users));
  }

  private NameSampler.Noise noise(Key key, String name, boolean listed, OptionalLong began) {
    int first = sampler.firstIndex(began, key.windowStart());
    return new NameSampler.Noise() {
      @Override
      public <D extends ExactData, R extends ReleasedData> R draw(
          long windowStart, int index, Mechanism<D, R> mechanism, Secret<D> exact) {
        ReleaseId id = id(key, name, windowStart, first + index);
        return publisher.gate().release(permit(id), id, measured(mechanism, exact, listed));
      }

      @Override
      public Optional<NoisyName> discover(
          long windowStart, int index, DiscoveryMechanism mechanism, Secret<NameCount> exact) {
        ReleaseId id = id(key, name, windowStart, first + index);
        return publisher.gate().discover(permit(id), id, measured(mechanism, exact, listed));
      }
    };
  }

  private Permit permit(ReleaseId id) {
    return Permit.coveredByContributors(id, paid);
  }

  private static <D extends ExactData, R extends ReleasedData> Measured<D, R> measured(
      Mechanism<D, R> mechanism, Secret<D> exact, boolean listed) {
    return Measured.of(
        mechanism, exact, (id, input) -> new NamedDraw<>(id, mechanism, input, listed));
  }

  /** Whether a name's draw failed, and waits for an operator. */
  boolean isHeld(Key key, String name) {
    return skips.isHeld(id(key, name, key.windowStart(), 0));
  }

  /** Every name has draws of its own: no output's name has a slash. */
  private ReleaseId id(Key key, String name, long windowStart, int index) {
    return publisher.id(output.name() + "/" + name, key.subject(), windowStart, index);
  }

  /** Records of names that are not public; nothing where an operator skipped them. */
  Optional<Figure> rest(Key key, long count, OptionalLong began) {
    ReleaseId id = id(key, REST, key.windowStart(), 0);
    if (skips.contains(id)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          sampler.rest(key.windowStart(), counted(count), noise(key, REST, true, began)));
    } catch (RuntimeException | LinkageError e) {
      throw skips.failed(id, e);
    }
  }

  /** Publishes a window's list, in as many records as it takes. */
  void publish(Key key, WindowList list, long timestamp) {
    List<SpecificRecord> written = new ArrayList<>();
    for (int part = 0; part < list.parts().size(); part++) {
      ReleaseId id = publisher.id(output.name(), key.subject(), key.windowStart(), part);
      SpecificRecord record = sampler.write(publisher.label(output, id), list, part);
      publisher.publish(output, id, record, publisher.encode(record), timestamp);
      written.add(record);
    }
    derived.publish(key.subject(), key.windowStart(), written, timestamp);
  }
}
