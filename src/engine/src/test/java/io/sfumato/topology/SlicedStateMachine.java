// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.Slices;
import io.sfumato.topology.version.StateIdentity;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One keeper partition whose slices are done when a test says so, on stores that count. It may be
 * given up at any time, and begun again on the same stores.
 */
final class SlicedStateMachine {
  /** More than any turn has. */
  private static final int MOST_PIECES = 20_000;

  /** More than any test needs. */
  private static final int MOST_TURNS = 500;

  private final Map<String, WornStore> stores = new TreeMap<>();
  private final List<Output> outputs = new ArrayList<>();
  private final Deployment deployment;
  private ProcessorRun<String> keeper;
  private long offset;
  private boolean slicing;

  SlicedStateMachine(Plan plan, int sources) {
    this(plan, sources, PipelineMeters.none());
  }

  /** One whose meters somebody reads. */
  SlicedStateMachine(Plan plan, int sources, PipelineMeters meters) {
    this.deployment =
        Fixture.deployment(sources, meters).watchedBy((draw, input) -> {}, () -> new Cut());
    for (String name :
        List.of(
            Names.DATASET_STORE,
            Names.SUBJECT_STORE,
            Names.LEDGER_STORE,
            Names.META_STORE,
            Names.SUBJECTS_META_STORE,
            Names.NAME_STORE,
            Names.QUERY_STORE,
            Names.RUNNING_STORE)) {
      stores.put(name, new WornStore(name));
    }
    begin(plan);
  }

  /** One whose only source has started, and has passed the beginning of the first window. */
  static SlicedStateMachine begun(Plan plan) {
    return begun(plan, 1, PipelineMeters.none());
  }

  /** The same of several sources. */
  static SlicedStateMachine begun(Plan plan, int sources, PipelineMeters meters) {
    SlicedStateMachine keeper = new SlicedStateMachine(plan, sources, meters);
    for (int source = 0; source < sources; source++) {
      keeper.take(new Genesis(source, new StateEpoch(7, 7)), new Watermark(source, Fixture.NOW));
    }
    keeper.settle();
    return keeper;
  }

  /** What left, in words that tell outputs of one dataset apart. */
  record Output(String topic, String key, long timestamp, byte[] value) {
    Refusal refusal() {
      return Outputs.decodeRefusal(value);
    }

    @Override
    public String toString() {
      return topic + " " + key + " " + timestamp + " " + HexFormat.of().formatHex(value);
    }
  }

  /** Slices of a test: none, or one piece at a time until the test says otherwise. */
  private final class Cut implements Slices {
    @Override
    public boolean begin() {
      return slicing;
    }

    @Override
    public boolean mayContinue() {
      return pieces-- > 0;
    }

    @Override
    public boolean hasTime() {
      return !hurried;
    }

    @Override
    public void end(boolean left) {
      SlicedStateMachine.this.left = left;
    }

    @Override
    public int step(int most) {
      return Math.min(most, step);
    }
  }

  private int pieces;
  private int step;
  private boolean left;
  private boolean hurried;

  private void begin(Plan plan) {
    keeper = ProcessorRun.subjects(plan, deployment, stores.values());
  }

  /** Commits and goes on with another program, or with nothing in memory. */
  void restart(Plan plan) {
    commit();
    begin(plan);
  }

  void commit() {
    keeper.commit();
  }

  /** From now on no step has time for a second subject or output. */
  void hurry() {
    hurried = true;
  }

  /** Takes entries in, with no slice. */
  void take(JournalEntry... entries) {
    for (JournalEntry entry : entries) {
      take(entry, Fixture.NOW);
    }
  }

  /** The same, at a Kafka timestamp. */
  void take(JournalEntry entry, long timestamp) {
    take(JournalCodec.encode(entry), timestamp);
  }

  /** The same, of an author that signs. */
  void take(JournalEntry entry, long timestamp, Plan author) {
    Stamp stamp = StateIdentity.Maker.of(author, deployment).stamp();
    take(JournalCodec.encode(stamp, entry), timestamp);
  }

  private void take(byte[] entry, long timestamp) {
    keeper.take(offset++, entry, timestamp);
    collect();
  }

  /**
   * Does some of what is left.
   *
   * @return whether something is left still
   */
  boolean slice(int pieces, int step) {
    this.pieces = pieces;
    this.step = step;
    slicing = true;
    left = false;
    keeper.punctuate();
    slicing = false;
    collect();
    return left;
  }

  /**
   * Does all that is left, in turns as long as production has them at most; fails where that has no
   * end.
   */
  void settle() {
    for (int turn = 0; slice(MOST_PIECES, Integer.MAX_VALUE); turn++) {
      assertThat(turn).as("turns that leave something to do").isLessThan(MOST_TURNS);
      commit();
    }
    commit();
  }

  void close() {
    keeper.close();
  }

  /** Where all programs on these stores run. */
  Deployment deployment() {
    return deployment;
  }

  private void collect() {
    for (var forward : keeper.forwarded()) {
      outputs.add(
          new Output(
              forward.child(), (String) forward.key(), forward.timestamp(), forward.value()));
    }
  }

  List<Output> outputs() {
    return outputs;
  }

  WornStore store(String name) {
    return stores.get(name);
  }

  /** Of all stores. */
  long operations() {
    return stores.values().stream().mapToLong(WornStore::operations).sum();
  }
}
