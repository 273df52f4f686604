// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.Slices;
import io.sfumato.topology.contributions.ContributionStore;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;

/** The users' keeper of one partition, over stores that outlive it, a step at a time. */
final class UsersRun {
  static final long NOW = Fixture.NOW;
  static final long SIZE = 10_000;

  final WornStore meta = new WornStore(Names.META_STORE);
  final WornStore ledgers = new WornStore(Names.LEDGER_STORE);
  final WornStore contributions = new WornStore(Names.CONTRIBUTION_STORE);
  final WornStore periods = new WornStore(Names.PERIOD_STORE);

  private final String yaml;
  private final int sources;
  private ProcessorRun<byte[]> keeper;
  private int steps;

  /** Users that a step may take. */
  int atOnce = 1;

  /** What was told to whoever watches. */
  final List<String> metered = new ArrayList<>();

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void observed(int records) {
          metered.add("observed " + records);
        }

        @Override
        public void heldBackBy(int partition, int source) {
          metered.add("held back by " + source);
        }

        @Override
        public void forgot(int partition, int subjects) {
          metered.add("forgot " + subjects);
        }

        @Override
        public void announcedTooLate(int partition, int version, long from) {
          metered.add("version %d is too late for %d".formatted(version, (from - NOW) / SIZE));
        }

        @Override
        public void left(int partition) {
          metered.add("left");
        }
      };

  private long offset;

  /** One journal partition of so many sources, none of which has begun. */
  UsersRun(String yaml, int sources) {
    this.yaml = yaml;
    this.sources = sources;
    restart(yaml);
  }

  /** One source, which has begun, and passed the beginning of the first window. */
  static UsersRun begun(String yaml) {
    UsersRun run = new UsersRun(yaml, 1);
    run.take(new Genesis(0, new StateEpoch(7, 7)));
    run.take(new Watermark(0, NOW));
    run.settle();
    run.forwarded();
    return run;
  }

  /** Another process goes on with what is committed. */
  void restart() {
    restart(yaml);
  }

  /** The same, with another file. */
  void restart(String other) {
    keeper =
        ProcessorRun.users(
            Fixture.plan(other),
            Fixture.deployment(sources, meters).watchedBy((draw, input) -> {}, Steps::new),
            List.of(meta, ledgers, contributions, periods));
  }

  /** One user a step, as many steps as were given. */
  private final class Steps implements Slices {
    @Override
    public boolean begin() {
      return steps > 0;
    }

    @Override
    public boolean mayContinue() {
      return steps-- > 0;
    }

    @Override
    public void end(boolean left) {
      metered.add(left ? "left over" : "done");
    }

    @Override
    public int step(int most) {
      return Math.min(most, atOnce);
    }
  }

  void take(JournalEntry entry) {
    take(entry, NOW);
  }

  void take(JournalEntry entry, long timestamp) {
    keeper.take(offset++, JournalCodec.encode(entry), timestamp);
  }

  /** A record of a user in a window. */
  void record(String user, int window) {
    take(new Contributions(List.of(new Contribution(user, NOW + window * SIZE, "west", 0, 1))));
  }

  /** What a state kept before files said where windows begin: the next process finds it. */
  void kept(String user, int window) {
    StagedWrites staged = new StagedWrites(contributions);
    new ContributionStore(
            staged, Fixture.plan(yaml).pipeline(), Fixture.deployment(1, meters).noiseKey())
        .add(List.of(new Contribution(user, NOW + window * SIZE, "west", 0, 1)));
    staged.flush();
  }

  /** A record with a number. */
  void number(String user, int window, double number) {
    take(
        new Contributions(
            List.of(new Contribution(user, NOW + window * SIZE, "west", 0, 1, List.of(number)))));
  }

  /** Records of a user in a window, each of a name in a subject. */
  void records(String user, int window, String... subjects) {
    List<Contribution> records = new ArrayList<>();
    for (String subject : subjects) {
      records.add(new Contribution(user, NOW + window * SIZE, subject, 0, records.size()));
    }
    take(new Contributions(records));
  }

  void close() {
    keeper.close();
  }

  /** So many steps, then a commit. */
  void steps(int most) {
    steps = most;
    punctuate();
    steps = 0;
    commit();
  }

  /** Lets so many steps be done by whatever comes next. */
  void give(int most) {
    steps = most;
  }

  /** Everything that is to be done. */
  void settle() {
    for (int turn = 0; turn < 5; turn++) {
      steps(100);
    }
  }

  void punctuate() {
    keeper.punctuate();
  }

  void commit() {
    keeper.commit();
  }

  /** What went to the subjects' keepers since it was last asked, with its time. */
  List<Told> told() {
    return keeper.forwarded().stream()
        .map(forward -> new Told(forward.timestamp(), forward.entry()))
        .toList();
  }

  /** An entry of the subjects' journal, and its Kafka timestamp. */
  record Told(long timestamp, JournalEntry entry) {}

  /** The same, without its times. */
  List<JournalEntry> forwarded() {
    return told().stream().map(Told::entry).toList();
  }

  /** How many records of a told list count. */
  static int counted(List<JournalEntry> told) {
    return (int)
        told.stream()
            .filter(Observations.class::isInstance)
            .flatMap(entry -> ((Observations) entry).records().stream())
            .filter(Observation.class::isInstance)
            .count();
  }

  /** Window ends that a told list has passed, in its order, as numbers of windows. */
  static List<Long> ends(List<JournalEntry> told) {
    return told.stream()
        .filter(Watermark.class::isInstance)
        .map(entry -> (((Watermark) entry).end() - NOW) / SIZE)
        .toList();
  }
}
