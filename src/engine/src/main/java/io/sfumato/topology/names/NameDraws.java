// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.names;

import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.NameCount;
import io.sfumato.mechanism.discovery.NoisyName;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.NameDrawer.Figure;
import io.sfumato.pipeline.NameDrawer.Step;
import io.sfumato.pipeline.NameDrawer.WindowList;
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
  private final NameDrawer drawer;
  private final Publisher publisher;
  private final SkippedReleases skips;

  NameDraws(
      PartitionContext context,
      Publisher.Output output,
      Mechanism<?, ?> paid,
      DerivedOutputs derived,
      NameDrawer drawer) {
    this.output = output;
    this.paid = paid;
    this.derived = derived;
    this.drawer = drawer;
    this.publisher = context.publisher();
    this.skips = context.skips();
  }

  /**
   * Nothing of one that an operator skipped: it is not public.
   *
   * @param began as of {@link NameDrawer#firstIndex}
   */
  Optional<Step> step(Key key, String name, NameRow row, OptionalLong began) {
    ReleaseId id = id(key, name, key.windowStart(), 0);
    if (skips.contains(id)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          drawer.step(
              new NameDrawer.Name(
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
      if (drawer.defers(earlier.getKey())) {
        memory =
            drawer
                .step(
                    new NameDrawer.Name(
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

  private NameDrawer.Noise noise(Key key, String name, boolean listed, OptionalLong began) {
    int first = drawer.firstIndex(began, key.windowStart());
    return new NameDrawer.Noise() {
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
          drawer.rest(key.windowStart(), counted(count), noise(key, REST, true, began)));
    } catch (RuntimeException | LinkageError e) {
      throw skips.failed(id, e);
    }
  }

  /** Publishes a window's list, in as many records as it takes. */
  void publish(Key key, WindowList list, long timestamp) {
    List<SpecificRecord> written = new ArrayList<>();
    for (int part = 0; part < list.parts().size(); part++) {
      ReleaseId id = publisher.id(output.name(), key.subject(), key.windowStart(), part);
      SpecificRecord record = drawer.write(publisher.label(output, id), list, part);
      publisher.publish(output, id, publisher.encode(record), timestamp);
      written.add(record);
    }
    derived.publish(key.subject(), key.windowStart(), written, timestamp);
  }
}
