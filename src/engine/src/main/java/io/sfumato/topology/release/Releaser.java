// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.schema.RefusalCode;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decides, charges and draws one output of one closed dataset, in this order. Charge, output and
 * state changes are part of one Kafka transaction.
 */
public final class Releaser implements WindowOutput {
  private final PartitionContext context;
  private final Publisher publisher;
  private final Publisher.Output output;
  private final String name;
  private final ReleaseSchedule schedule;
  private final Charger charging;
  private final ReleaseSampler sampler;
  private final Memories memories;
  private final Optional<Refusals> refusals;

  /**
   * What earlier draws left.
   *
   * @param own its own, if it has one
   * @param read of those outputs that the sampler reads, in the same order
   */
  public record Memories(Optional<DrawMemory> own, List<DrawMemory> read) {
    public Memories {
      read = List.copyOf(read);
    }
  }

  /**
   * @param schedule in which windows it is released
   * @param refusals nothing where nobody may know that there was anything to refuse
   */
  public Releaser(
      PartitionContext context,
      Publisher.Output output,
      ReleaseSchedule schedule,
      Charger charging,
      ReleaseSampler sampler,
      Memories memories,
      Optional<Refusals> refusals) {
    this.context = context;
    this.publisher = context.publisher();
    this.output = output;
    this.name = output.name();
    this.schedule = schedule;
    this.charging = charging;
    this.sampler = sampler;
    this.memories = memories;
    this.refusals = refusals;
  }

  /** Name of its output. */
  String name() {
    return name;
  }

  @Override
  public void release(Dataset dataset, long timestamp) {
    released(dataset, timestamp);
  }

  /**
   * Publishes, or refuses.
   *
   * @param timestamp Kafka timestamp of what is published
   * @return what was published, in its order
   */
  List<SpecificRecord> released(Dataset dataset, long timestamp) {
    if (!schedule.isDue(dataset.key().windowStart())) {
      return List.of();
    }
    if (dataset.hasTooManyEvents()) {
      // Public, since the unit is a record's contents: nothing is charged for it.
      refuse(dataset, RefusalCode.TOO_MANY_EVENTS, timestamp);
      return List.of();
    }
    List<Memory> found =
        memories.read().stream()
            .map(left -> left.get(dataset.key().subject()))
            .filter(left -> !left.isEmpty())
            .toList();
    if (found.size() < memories.read().size()) {
      // What was released before is public, and so is what it lacks: nothing is charged for it.
      refuse(dataset, RefusalCode.NO_BOUNDS, timestamp);
      return List.of();
    }
    return charged(dataset, found, timestamp);
  }

  private List<SpecificRecord> charged(Dataset dataset, List<Memory> found, long timestamp) {
    List<SpecificRecord> published = new ArrayList<>();
    ReleaseSampler.Prepared draws = null;
    for (int index = 0; index < sampler.draws(); index++) {
      ReleaseId id = id(dataset.key(), index);
      // The charge stands before the draw, both in this transaction.
      Charger.Outcome outcome = charging.charge(id);
      switch (outcome.verdict()) {
        case CHARGED -> {
          if (context.skips().contains(id)) {
            refuse(dataset, RefusalCode.OPERATOR_SKIPPED, timestamp);
            continue;
          }
          List<Made> made;
          try {
            draws = draws == null ? prepared(dataset, found) : draws;
            made = drawn(draws, id, outcome.permit().orElseThrow());
          } catch (RuntimeException | LinkageError e) {
            // A library's kind may lack a class of its own: that too is this release's failure.
            throw context.skips().failed(id, e);
          }
          for (Made part : made) {
            publisher.publish(output, part.id(), part.record(), part.value(), timestamp);
            published.add(part.record());
          }
        }
        case EXHAUSTED -> {
          context.meters().silent(name);
          return published;
        }
        case SPENT -> {
          if (schedule.isOnce()) {
            // Its one draw of this period was before.
            return published;
          }
          refusals.ifPresent(told -> told.spent(charging, name, dataset.key(), timestamp));
          return published;
        }
      }
    }
    return published;
  }

  private void refuse(Dataset dataset, RefusalCode code, long timestamp) {
    refusals.ifPresent(told -> told.refuse(name, dataset.key(), code, timestamp));
  }

  private ReleaseSampler.Prepared prepared(Dataset dataset, List<Memory> found) {
    ReleaseSampler.Prepared draws =
        sampler
            .going(found)
            .prepare(
                startOf(dataset.key()),
                dataset.contents(output.question()),
                memories.own().map(kept -> kept.get(dataset.key().subject())).orElse(Memory.NONE));
    if (draws.failures() > 0) {
      context.meters().learnerFailed(name, draws.failures());
    }
    return draws;
  }

  private List<Made> drawn(ReleaseSampler.Prepared draws, ReleaseId id, Permit permit) {
    ReleaseSampler.Drawn drawn = draws.draw(publisher.label(output, id), publisher.gate(), permit);
    drawn.memory().ifPresent(next -> memories.own().orElseThrow().put(id.subject(), next));
    List<Made> made = new ArrayList<>();
    for (ReleaseSampler.Part part : drawn.parts()) {
      // Behind all draws, each of which has the first record's.
      ReleaseId own =
          made.isEmpty()
              ? id
              : publisher.id(
                  name, id.subject(), id.windowStart(), sampler.draws() * made.size() + id.index());
      SpecificRecord record = part.on(publisher.label(output, own));
      made.add(new Made(own, record, publisher.encode(record)));
    }
    return made;
  }

  /** A record that is published. */
  private record Made(ReleaseId id, SpecificRecord record, byte[] value) {}

  @Override
  public boolean isHeld(DatasetStore.Key dataset) {
    for (int index = 0; index < sampler.draws(); index++) {
      if (context.skips().isHeld(id(dataset, index))) {
        return true;
      }
    }
    return false;
  }

  /** Start of the output's own window, which a dataset's window may be the last part of. */
  private long startOf(DatasetStore.Key dataset) {
    return output.question() == 0
        ? dataset.windowStart()
        : output.part().window().startOf(dataset.windowStart());
  }

  private ReleaseId id(DatasetStore.Key dataset, int index) {
    return publisher.id(name, dataset.subject(), startOf(dataset), index);
  }
}
