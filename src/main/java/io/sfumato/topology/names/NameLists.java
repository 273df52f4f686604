// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.names;

import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.NameDrawer.Drawn;
import io.sfumato.pipeline.NameDrawer.Told;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.names.NameRow.Listing;
import io.sfumato.topology.names.NameStore.Found;
import io.sfumato.topology.release.DerivedOutputs;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.release.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decides which names of a subject's window are published, and publishes the list: docs/privacy.md,
 * Theorem M. First those that are not public are drawn, in their order, a slice at a time; then
 * those that are, and all are published at once. Of what does not pass nothing is left.
 */
public final class NameLists {
  private static final int MANY = 1_000;

  private final WindowSpec window;
  private final Publisher.Output output;
  private final DerivedOutputs derived;
  private final Turn turn;
  private final NameDrawer drawer;
  private final NameStore names;
  private final Publisher publisher;
  private final SkippedReleases skips;

  private NameLists(
      Plan plan,
      PlannedRelease release,
      NameDrawer drawer,
      NameStore names,
      Publisher publisher,
      SkippedReleases skips) {
    this.window = plan.pipeline().window();
    this.output = publisher.outputOf(release);
    this.derived = DerivedOutputs.of(plan.pipeline(), output, publisher);
    this.turn = new Turn(plan.pipeline(), release.spec());
    this.drawer = drawer;
    this.names = names;
    this.publisher = publisher;
    this.skips = skips;
  }

  /**
   * Those of a plan; nothing where it lists categories, or has none.
   *
   * @param names that are kept; asked only where they are
   */
  public static Optional<NameLists> of(
      Plan plan, Supplier<NameStore> names, Publisher publisher, SkippedReleases skips) {
    for (PlannedRelease release : plan.releases()) {
      Optional<NameDrawer> drawer = release.names(plan.pipeline());
      if (drawer.isPresent()) {
        return Optional.of(
            new NameLists(plan, release, drawer.get(), names.get(), publisher, skips));
      }
    }
    return Optional.empty();
  }

  /** How far a subject's window came. */
  public enum Progress {
    /** It is decided, and published where it has its turn. */
    DECIDED,
    /** There is more to look at. */
    SLICED,
    /** It stands in front of a draw that failed. */
    HELD
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
  public Progress decide(Key key, long timestamp, int most) {
    ListState state = names.state(key.subject()).in(key.windowStart());
    if (state.isDecided(key.windowStart())) {
      return Progress.DECIDED;
    }
    boolean due = turn.isDue(key.windowStart());
    List<Found> next = names.after(key.subject(), state.passed(), most);
    for (Found found : next) {
      if (!found.row().isListed(key.windowStart())) {
        if (due && isHeld(key, found)) {
          names.put(key.subject(), state);
          return Progress.HELD;
        }
        state = due ? found(key, found, state) : passedOver(key, found, state);
      }
      state = state.at(state.listed(), found.name());
    }
    if (next.size() == most) {
      names.put(key.subject(), state);
      return Progress.SLICED;
    }
    return publish(key, state, due, timestamp);
  }

  private boolean isHeld(Key key, Found found) {
    return found.row().count(key.windowStart()) > 0 && skips.isHeld(id(key, found.name()));
  }

  private ListState passedOver(Key key, Found found, ListState state) {
    decided(key, found, Optional.empty());
    return state;
  }

  /** A name that is not public: drawn if anybody has it, and there is room in the list. */
  private ListState found(Key key, Found found, ListState state) {
    long count = found.row().count(key.windowStart());
    if (count == 0 || state.listed() >= drawer.most()) {
      return passedOver(key, found, state);
    }
    Optional<Drawn> drawn = draw(key, found.name(), count).filter(Drawn::passes);
    decided(
        key,
        found,
        drawn.map(
            told ->
                new Listing(
                    window.endOf(key.windowStart()),
                    key.windowStart(),
                    OptionalLong.of(told.steps()))));
    if (drawn.isEmpty()) {
      return state;
    }
    names.list(key.subject(), found.name());
    return state.at(state.listed() + 1, found.name());
  }

  private void decided(Key key, Found found, Optional<Listing> place) {
    NameRow left = found.row().decided(key.windowStart()).with(place);
    if (!left.equals(found.row())) {
      names.put(key.subject(), found.name(), left);
    }
  }

  /** Nothing for one that an operator skipped. */
  private Optional<Drawn> draw(Key key, String name, long count) {
    ReleaseId id = id(key, name);
    if (skips.contains(id)) {
      return Optional.empty();
    }
    try {
      NameDrawer.Prepared<?> prepared = drawer.prepare(count);
      Framing input = new Framing();
      prepared.law().frame(input);
      publisher.show(prepared.exact().apply(id), input);
      return Optional.of(prepared.draw(publisher.randomness(id, input)));
    } catch (RuntimeException | LinkageError e) {
      throw skips.failed(id, e);
    }
  }

  /** Every name has draws of its own: no output's name has a slash. */
  private ReleaseId id(Key key, String name) {
    return publisher.id(output.name() + "/" + name, key.subject(), key.windowStart(), 0);
  }

  /** All that are public, with those that were just found, in one transaction. */
  private Progress publish(Key key, ListState state, boolean due, long timestamp) {
    List<String> listed = names.listed(key.subject());
    if (due && listed.stream().anyMatch(name -> skips.isHeld(id(key, name)))) {
      names.put(key.subject(), state);
      return Progress.HELD;
    }
    List<Told> told = new ArrayList<>();
    long left = 0;
    for (String name : listed) {
      NameRow row = names.get(key.subject(), name);
      Listing place = row.listing().orElseThrow();
      if (!place.covers(key.windowStart())) {
        told.add(new Told(name, place.told().orElseThrow(), true));
        names.put(key.subject(), name, row.with(Optional.of(place.after(place.passed(), true))));
        left++;
      } else if (republished(key, name, row, due, told)) {
        left++;
      }
    }
    if (due) {
      publish(key, told, left, timestamp);
    }
    names.put(key.subject(), state.published(left));
    return Progress.DECIDED;
  }

  /** Draws a name that is public; says whether it stays so. */
  private boolean republished(Key key, String name, NameRow row, boolean due, List<Told> told) {
    Listing place = row.listing().orElseThrow();
    if (due) {
      Optional<Drawn> drawn = draw(key, name, row.count(key.windowStart()));
      drawn.ifPresent(found -> told.add(new Told(name, found.steps(), false)));
      place = place.after(key.windowStart(), drawn.map(Drawn::passes).orElse(false));
    }
    boolean stays = !isForgotten(place, key.windowStart());
    NameRow next =
        row.decided(key.windowStart()).with(stays ? Optional.of(place) : Optional.empty());
    if (!next.equals(row)) {
      names.put(key.subject(), name, next);
    }
    if (!stays) {
      names.unlist(key.subject(), name);
    }
    return stays;
  }

  private boolean isForgotten(Listing place, long windowStart) {
    return drawer
        .forget()
        .map(windows -> windowStart - place.passed() >= windows * window.size().toMillis())
        .orElse(false);
  }

  private void publish(Key key, List<Told> told, long listed, long timestamp) {
    List<List<Told>> parts = drawer.parts(told);
    List<SpecificRecord> written = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      ReleaseId id = publisher.id(output.name(), key.subject(), key.windowStart(), part);
      SpecificRecord record =
          drawer.write(publisher.label(output, id), parts.get(part), listed, part, parts.size());
      publisher.publish(output, id, publisher.encode(record), timestamp);
      written.add(record);
    }
    derived.publish(key.subject(), key.windowStart(), written, timestamp);
  }

  /** A subject is not released in a window: what is kept of it goes, and its list. */
  public void leave(Key key) {
    drop(key);
    names.listed(key.subject()).forEach(name -> unlist(key.subject(), name));
    names.deleteState(key.subject());
  }

  private void unlist(String subject, String name) {
    names.put(subject, name, names.get(subject, name).with(Optional.empty()));
    names.unlist(subject, name);
  }

  /** Drops what is kept of a window that is not released, and of those before it. */
  public void drop(Key key) {
    String last = "";
    List<Found> next;
    do {
      next = names.after(key.subject(), last, MANY);
      for (Found found : next) {
        decided(key, found, found.row().listing());
        last = found.name();
      }
    } while (next.size() == MANY);
  }
}
