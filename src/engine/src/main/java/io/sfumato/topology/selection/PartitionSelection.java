// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.selection;

import io.sfumato.gate.Memory;
import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.NameSampler.Figure;
import io.sfumato.pipeline.NameSampler.Step;
import io.sfumato.pipeline.NameSampler.Told;
import io.sfumato.pipeline.NameSampler.WindowList;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.DerivedOutputs;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.ReleaseSchedule;
import io.sfumato.topology.selection.NameRow.Listing;
import io.sfumato.topology.selection.NameStore.Found;
import io.sfumato.topology.window.Slice.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Decides which names of a subject's window are published, and publishes the list:
 * docs/theory/partition-selection.md, Theorem M. First those that are not public are drawn, in
 * their order, a slice at a time; then those that are, and all are published at once. Of what does
 * not pass nothing is left. Windows that draw nothing of those that are not public do not look at
 * them: what counts for them waits.
 */
public final class PartitionSelection {
  private static final int MANY = 1_000;

  private final WindowSpec window;
  private final ReleaseSchedule schedule;
  private final NameSampler sampler;
  private final NameStore names;
  private final NameDraws draws;

  private PartitionSelection(
      Plan plan, PlannedRelease release, NameSampler sampler, NameStore names, NameDraws draws) {
    this.window = plan.pipeline().window();
    this.schedule = new ReleaseSchedule(plan.pipeline(), release.spec());
    this.sampler = sampler;
    this.names = names;
    this.draws = draws;
  }

  /**
   * Those of a plan; nothing where it lists categories, or has none.
   *
   * @param names that are kept; asked only where they are
   */
  public static Optional<PartitionSelection> of(
      PartitionContext context, Supplier<NameStore> names) {
    Plan plan = context.plan();
    Publisher publisher = context.publisher();
    for (PlannedRelease release : plan.releases()) {
      Optional<NameSampler> sampler = release.names(plan.pipeline());
      if (sampler.isPresent()) {
        Publisher.Output output = publisher.outputOf(release);
        DerivedOutputs derived = DerivedOutputs.of(plan, output.name(), publisher);
        NameDraws draws =
            new NameDraws(context, output, release.plan().mechanism(), derived, sampler.get());
        return Optional.of(
            new PartitionSelection(plan, release, sampler.get(), names.get(), draws));
      }
    }
    return Optional.empty();
  }

  /** Adds a record; its subject's window is open. */
  public void add(Observation record) {
    if (!record.name().isEmpty()) {
      names.add(record.subject(), record.name(), record.windowStart());
    }
  }

  /**
   * Goes on with a closed window.
   *
   * @param timestamp Kafka timestamp of what is published
   * @param most names to look at, at least 1
   */
  public Outcome decide(Key key, long timestamp, int most) {
    ListState before = names.state(key.subject());
    if (before.isNew() && sampler.isWithinRun(key.windowStart())) {
      before = before.beginning(key.windowStart());
    }
    ListState state = before.in(key.windowStart());
    if (state.isDecided(key.windowStart())) {
      return Outcome.DECIDED;
    }
    boolean due = schedule.isDue(key.windowStart());
    if (due && state.hasListedAll() && sampler.defers(key.windowStart())) {
      names.write();
      return publish(key, state, true, timestamp);
    }
    state = state.looking(sampler.defers(window.endOf(key.windowStart())));
    List<Found> next = names.after(key.subject(), state.passed(), most);
    for (Found found : next) {
      if (!found.row().isListed(key.windowStart())) {
        if (due && draws.isHeld(key, found.name())) {
          names.put(key.subject(), state);
          return Outcome.HELD;
        }
        if (due) {
          state = hidden(key, found, state).with(found.row().count(key.windowStart()));
        } else {
          keep(key, found, found.row().after(key.windowStart(), Optional.empty(), Memory.NONE));
        }
      }
      state = state.at(state.listed(), found.name());
    }
    if (next.size() == most) {
      names.put(key.subject(), state);
      return Outcome.SLICED;
    }
    return publish(key, state, due, timestamp);
  }

  /** A name that is not public: drawn if anybody has it, or had. */
  private ListState hidden(Key key, Found found, ListState state) {
    NameRow row = found.row();
    if (!row.countsBy(key.windowStart()) && row.memory().isEmpty()) {
      return state;
    }
    Optional<Step> step = draws.step(key, found.name(), row, state.began());
    // Whether there is room is public: what passes without it is published as soon as there is.
    Optional<Figure> told =
        step.filter(Step::passes)
            .filter(passed -> state.listed() < sampler.most())
            .flatMap(Step::figure);
    keep(
        key,
        found,
        row.after(
            key.windowStart(),
            told.map(
                figure -> new Listing(window.endOf(key.windowStart()), key.windowStart(), told)),
            step.map(Step::memory).orElseGet(() -> sampler.skipped(key.windowStart()))));
    if (told.isEmpty()) {
      return step.map(Step::passes).orElse(false) ? state.withWaiting() : state;
    }
    names.list(key.subject(), found.name());
    return state.at(state.listed() + 1, found.name());
  }

  private void keep(Key key, Found found, NameRow next) {
    if (!Arrays.equals(next.encode(), found.row().encode())) {
      names.put(key.subject(), found.name(), next);
    }
  }

  /** All that are public, with those that were just found, in one transaction. */
  private Outcome publish(Key key, ListState state, boolean due, long timestamp) {
    List<String> listed = names.listed(key.subject());
    if (due
        && (listed.stream().anyMatch(name -> draws.isHeld(key, name))
            || draws.isHeld(key, NameDraws.REST))) {
      names.put(key.subject(), state);
      return Outcome.HELD;
    }
    List<Told> told = new ArrayList<>();
    long left = 0;
    for (String name : listed) {
      Found found = new Found(name, names.get(key.subject(), name));
      left += stays(key, found, due, state.began(), told) ? 1 : 0;
    }
    if (due) {
      Optional<Figure> rest =
          sampler.tellsRest() ? draws.rest(key, state.rest(), state.began()) : Optional.empty();
      draws.publish(key, new WindowList(sampler.parts(told), rest, left, state.began()), timestamp);
    }
    names.put(key.subject(), state.published(left));
    return Outcome.DECIDED;
  }

  /** Says what is told of a name that is public, or was just found, and whether it stays so. */
  private boolean stays(Key key, Found found, boolean due, OptionalLong began, List<Told> told) {
    NameRow row = found.row();
    Listing place = row.listing().orElseThrow();
    if (!place.covers(key.windowStart())) {
      told.add(new Told(found.name(), place.told().orElseThrow(), true));
      keep(
          key,
          found,
          row.after(
              key.windowStart(), Optional.of(place.after(place.passed(), true)), row.memory()));
      return true;
    }
    Optional<Step> step = due ? draws.step(key, found.name(), row, began) : Optional.empty();
    step.flatMap(Step::figure).ifPresent(figure -> told.add(new Told(found.name(), figure, false)));
    Listing next =
        due ? place.after(key.windowStart(), step.map(Step::passes).orElse(false)) : place;
    boolean stays = (!due || step.isPresent()) && !isForgotten(next, key.windowStart());
    keep(
        key,
        found,
        row.after(
            key.windowStart(),
            stays ? Optional.of(next) : Optional.empty(),
            stays ? step.map(Step::memory).orElse(Memory.NONE) : left(key, due, step)));
    if (!stays) {
      names.unlist(key.subject(), found.name());
    }
    return stays;
  }

  /** Of a name that is public no more. */
  private Memory left(Key key, boolean due, Optional<Step> step) {
    return due && step.isEmpty() ? sampler.skipped(key.windowStart()) : Memory.NONE;
  }

  private boolean isForgotten(Listing place, long windowStart) {
    return sampler.mayForget(windowStart)
        && sampler
            .forget()
            .map(windows -> window.between(place.passed(), windowStart) >= windows)
            .orElse(false);
  }

  /** A subject is not released in a window: what is kept of it goes, and its list. */
  public void leave(Key key) {
    forEach(
        key,
        found ->
            keep(key, found, found.row().after(key.windowStart(), Optional.empty(), Memory.NONE)));
    names.listed(key.subject()).forEach(name -> names.unlist(key.subject(), name));
    names.deleteState(key.subject());
  }

  /**
   * Drops what is kept of a window that is not released, and of those before it; not of those that
   * were decided, and wait.
   */
  public void drop(Key key) {
    long decided = names.state(key.subject()).decidedThrough();
    forEach(key, found -> keep(key, found, found.row().without(decided, key.windowStart())));
  }

  private void forEach(Key key, Consumer<Found> work) {
    String last = "";
    List<Found> next;
    do {
      next = names.after(key.subject(), last, MANY);
      for (Found found : next) {
        work.accept(found);
        last = found.name();
      }
    } while (next.size() == MANY);
  }
}
