// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.names;

import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.NameDrawer.Step;
import io.sfumato.pipeline.NameDrawer.Told;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.SkippedReleases;
import java.util.List;
import java.util.Optional;

/** Gives the draws of names their ids and their randomness, and publishes lists of them. */
final class NameDraws {
  private final Publisher.Output output;
  private final NameDrawer drawer;
  private final Publisher publisher;
  private final SkippedReleases skips;

  NameDraws(
      Publisher.Output output, NameDrawer drawer, Publisher publisher, SkippedReleases skips) {
    this.output = output;
    this.drawer = drawer;
    this.publisher = publisher;
    this.skips = skips;
  }

  /** Nothing of one that an operator skipped: nothing is kept of it, and it is not public. */
  Optional<Step> step(Key key, String name, NameRow row) {
    ReleaseId id = id(key, name, key.windowStart(), 0);
    if (skips.contains(id)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          drawer.step(
              new NameDrawer.Name(
                  key.windowStart(),
                  row.count(key.windowStart()),
                  row.isListed(key.windowStart()),
                  row.memory()),
              new NameDrawer.Noise() {
                @Override
                public <D, R> R draw(
                    long windowStart, int index, Mechanism<D, R> mechanism, D exact) {
                  ReleaseId draw = id(key, name, windowStart, index);
                  return drawn(draw, mechanism, exact, row.isListed(key.windowStart()));
                }
              }));
    } catch (RuntimeException | LinkageError e) {
      throw skips.failed(id, e);
    }
  }

  private <D, R> R drawn(ReleaseId id, Mechanism<D, R> mechanism, D exact, boolean listed) {
    Law<R> law = mechanism.law(exact);
    Framing input = new Framing();
    law.frame(input);
    publisher.show(new NamedDraw<>(id, mechanism, exact, listed), input);
    return law.draw(publisher.randomness(id, input));
  }

  /** Whether a name's draw failed, and waits for an operator. */
  boolean isHeld(Key key, String name) {
    return skips.isHeld(id(key, name, key.windowStart(), 0));
  }

  /** Every name has draws of its own: no output's name has a slash. */
  private ReleaseId id(Key key, String name, long windowStart, int index) {
    return publisher.id(output.name() + "/" + name, key.subject(), windowStart, index);
  }

  /** Publishes a window's list, in as many records as it takes. */
  void publish(Key key, List<Told> told, long listed, long timestamp) {
    List<List<Told>> parts = drawer.parts(told);
    for (int part = 0; part < parts.size(); part++) {
      ReleaseId id = publisher.id(output.name(), key.subject(), key.windowStart(), part);
      byte[] value =
          publisher.encode(
              drawer.write(
                  publisher.label(output, id), parts.get(part), listed, part, parts.size()));
      publisher.publish(output, id, value, timestamp);
    }
  }
}
