// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Drawer;
import io.sfumato.schema.RefusalCode;
import io.sfumato.topology.charge.Charger;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.DatasetStore.Dataset;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides, charges and draws one output of one closed dataset, in this order. Charge, output and
 * state changes are part of one Kafka transaction.
 */
public final class Releaser implements WindowOutput {
  private final Publisher.Output output;
  private final String name;
  private final Turn turn;
  private final Charger charging;
  private final Drawer drawer;
  private final Optional<DrawMemory> memory;
  private final List<DrawMemory> read;
  private final Publisher publisher;
  private final Optional<Refusals> refusals;
  private final SkippedReleases skips;
  private final PipelineMeters meters;

  /**
   * @param turn in which windows it is released
   * @param memory its own, if it has one
   * @param read of those outputs that the drawer reads, in the same order
   * @param refusals nothing where nobody may know that there was anything to refuse
   */
  public Releaser(
      Publisher.Output output,
      Turn turn,
      Charger charging,
      Drawer drawer,
      Optional<DrawMemory> memory,
      List<DrawMemory> read,
      Publisher publisher,
      Optional<Refusals> refusals,
      SkippedReleases skips,
      PipelineMeters meters) {
    this.output = output;
    this.name = output.name();
    this.turn = turn;
    this.charging = charging;
    this.drawer = drawer;
    this.memory = memory;
    this.read = List.copyOf(read);
    this.publisher = publisher;
    this.refusals = refusals;
    this.skips = skips;
    this.meters = meters;
  }

  @Override
  public void release(Dataset dataset, long timestamp) {
    if (!turn.isDue(dataset.key().windowStart())) {
      return;
    }
    List<byte[]> found =
        read.stream().flatMap(left -> left.get(dataset.key().subject()).stream()).toList();
    if (found.size() < read.size()) {
      // What was released before is public, and so is what it lacks: nothing is charged for it.
      refuse(dataset, RefusalCode.NO_BOUNDS, timestamp);
      return;
    }
    Drawer.Prepared<?> draws = null;
    for (int index = 0; index < drawer.draws(); index++) {
      ReleaseId id = id(dataset.key(), index);
      // The charge stands before the draw, both in this transaction.
      switch (charging.charge(id.subject(), id.windowStart())) {
        case CHARGED -> {
          if (skips.contains(id)) {
            refuse(dataset, RefusalCode.OPERATOR_SKIPPED, timestamp);
            continue;
          }
          List<Made> made;
          try {
            draws = draws == null ? prepared(dataset, found) : draws;
            made = drawn(draws, id);
          } catch (RuntimeException | LinkageError e) {
            // A library's kind may lack a class of its own: that too is this release's failure.
            throw skips.failed(id, e);
          }
          made.forEach(part -> publisher.publish(output, part.id(), part.value(), timestamp));
        }
        case EXHAUSTED -> {
          meters.silent(name);
          return;
        }
        case SPENT -> {
          if (turn.isOnce()) {
            // Its one draw of this period was before.
            return;
          }
          refusals.ifPresent(told -> told.spent(charging, name, dataset.key(), timestamp));
          return;
        }
      }
    }
  }

  private void refuse(Dataset dataset, RefusalCode code, long timestamp) {
    refusals.ifPresent(told -> told.refuse(name, dataset.key(), code, timestamp));
  }

  private Drawer.Prepared<?> prepared(Dataset dataset, List<byte[]> found) {
    Drawer.Prepared<?> draws =
        drawer
            .going(found)
            .prepare(
                dataset.key().windowStart(),
                dataset.contents(),
                memory.flatMap(kept -> kept.get(dataset.key().subject())));
    if (draws.law().failures() > 0) {
      meters.learnerFailed(name, draws.law().failures());
    }
    return draws;
  }

  /** The randomness of a draw follows from its id and its exact input. */
  private List<Made> drawn(Drawer.Prepared<?> draws, ReleaseId id) {
    Framing input = new Framing();
    draws.law().frame(input);
    publisher.show(draws.exact().apply(id), input);
    Drawer.Drawn drawn = draws.draw(publisher.label(output, id), publisher.randomness(id, input));
    drawn.memory().ifPresent(next -> memory.orElseThrow().put(id.subject(), next));
    List<Made> made = new ArrayList<>();
    for (Drawer.Part part : drawn.parts()) {
      // Behind all draws, each of which has the first record's.
      ReleaseId own =
          made.isEmpty()
              ? id
              : publisher.id(
                  name, id.subject(), id.windowStart(), drawer.draws() * made.size() + id.index());
      made.add(new Made(own, publisher.encode(part.on(publisher.label(output, own)))));
    }
    return made;
  }

  /** A record that is published. */
  private record Made(ReleaseId id, byte[] value) {}

  @Override
  public boolean isHeld(DatasetStore.Key dataset) {
    for (int index = 0; index < drawer.draws(); index++) {
      if (skips.isHeld(id(dataset, index))) {
        return true;
      }
    }
    return false;
  }

  private ReleaseId id(DatasetStore.Key dataset, int index) {
    return publisher.id(name, dataset.subject(), dataset.windowStart(), index);
  }
}
