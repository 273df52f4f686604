// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.journal.JournalPartitioner;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.SealState;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** How entries are written, where they go, and which of them a keeper is handed. */
class JournalEntriesTest {
  private static final Stamp STAMP = new Stamp(3, 12_345);
  private static final int ROOM = MessageLimit.ENTRY_BYTES - JournalCodec.HEADER_BYTES;

  private final MockProcessorContext<byte[], byte[]> writer = new MockProcessorContext<>();
  private final Journal journal = new Journal(writer, Names.ENTRIES, STAMP);

  private static Observation record(String subject) {
    return new Observation(subject, NOW, 0, List.of(), 0);
  }

  private List<? extends CapturedForward<? extends byte[], ? extends byte[]>> written() {
    return writer.forwarded();
  }

  /** How many records each entry has. */
  private List<Integer> sizes() {
    return written().stream()
        .map(f -> ((Observations) JournalCodec.decode(f.record().value())).records().size())
        .toList();
  }

  @Test
  void anEntryIsSignedAndGoesToItsSubjectOrToEverybody() {
    journal.append(5, "ann", record("ann"));
    journal.broadcast(6, new Seal());
    assertThat(written())
        .hasSize(2)
        .allSatisfy(
            forward -> {
              assertThat(forward.childName()).hasValue(Names.ENTRIES);
              assertThat(forward.record().headers()).isEmpty();
              assertThat(JournalCodec.stamp(forward.record().value())).hasValue(STAMP);
            });
    assertThat(written().get(0).record().key()).asString().isEqualTo("ann");
    assertThat(written().get(0).record().timestamp()).isEqualTo(5);
    assertThat(JournalCodec.decode(written().get(0).record().value())).isEqualTo(record("ann"));
    assertThat(written().get(1).record().key()).isEmpty();
    assertThat(written().get(1).record().timestamp()).isEqualTo(6);
    assertThat(JournalCodec.decode(written().get(1).record().value())).isEqualTo(new Seal());
  }

  @Test
  void equalSubjectsComeTogetherAndAnEmptyKeyEverywhere() {
    JournalPartitioner partitioner = new JournalPartitioner();
    Set<Integer> seen = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      byte[] subject = ("s" + i).getBytes(StandardCharsets.UTF_8);
      int place = JournalPartitioner.partitionOf(subject, 7);
      assertThat(partitioner.partitions("journal", subject, new byte[0], 7))
          .hasValue(Set.of(place));
      seen.add(place);
    }
    assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(partitioner.partitions("journal", JournalPartitioner.BROADCAST, new byte[0], 3))
        .hasValue(Set.of(0, 1, 2));
  }

  private EntryBuffer<Observation> buffer(int partitions, ToIntFunction<Observation> bound) {
    return new EntryBuffer<>(journal, partitions, Observation::subject, Observations::new, bound);
  }

  @Test
  void anEntryHasAtMostSoManyRecords() {
    EntryBuffer<Observation> buffer = buffer(1, record -> 1);
    for (int i = 0; i < MessageLimit.ENTRY_RECORDS; i++) {
      buffer.add(i, record("s" + i));
    }
    assertThat(written()).as("it has room for all").isEmpty();
    buffer.add(999, record("last"));
    assertThat(sizes()).containsExactly(MessageLimit.ENTRY_RECORDS);
    buffer.flush();
    assertThat(sizes()).containsExactly(MessageLimit.ENTRY_RECORDS, 1);
    assertThat(written().get(1).record().timestamp()).isEqualTo(999);
    buffer.flush();
    assertThat(sizes()).as("each once").hasSize(2);
  }

  /** To the byte; an entry that was sent takes no room from the next. */
  @Test
  void anEntryHasAtMostSoManyBytes() {
    int third = ROOM / 3;
    EntryBuffer<Observation> buffer =
        buffer(1, record -> record.subject().equals("rest") ? ROOM - 2 * third : third);
    for (int entry = 0; entry < 2; entry++) {
      buffer.add(0, record("one"));
      buffer.add(0, record("two"));
      buffer.add(0, record("rest"));
    }
    buffer.flush();
    assertThat(sizes()).containsExactly(3, 3);
    EntryBuffer<Observation> over =
        buffer(1, record -> record.subject().equals("rest") ? ROOM - 2 * third + 1 : third);
    over.add(0, record("one"));
    over.add(0, record("two"));
    over.add(0, record("rest"));
    over.flush();
    assertThat(sizes()).containsExactly(3, 3, 2, 1);
  }

  @Test
  void eachPartitionHasItsOwnEntry() {
    EntryBuffer<Observation> buffer = buffer(3, record -> 1);
    for (int i = 0; i < 60; i++) {
      buffer.add(0, record("s" + i));
    }
    buffer.flush();
    assertThat(written()).hasSize(3);
    for (var forward : written()) {
      int place = JournalPartitioner.partitionOf(forward.record().key(), 3);
      assertThat(((Observations) JournalCodec.decode(forward.record().value())).records())
          .isNotEmpty()
          .allMatch(
              record ->
                  JournalPartitioner.partitionOf(
                          record.subject().getBytes(StandardCharsets.UTF_8), 3)
                      == place);
    }
  }

  private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final Plan plan = Fixture.plan(Fixture.YAML);
  private final StagedWrites store = new StagedWrites(new WornStore("meta"));
  private final List<JournalEntry> handed = new ArrayList<>();
  private JournalReader reader =
      new JournalReader(plan, deployment, deployment.sources(), store, context);
  private long offset;

  private void read(JournalEntry entry) {
    JournalEntry.Visitor keeper =
        (JournalEntry.Visitor)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {JournalEntry.Visitor.class},
                (proxy, method, arguments) ->
                    handed.add((JournalEntry) arguments[0]) ? null : null);
    context.setRecordMetadata("journal", 0, offset++);
    reader.read(new Record<>(new byte[0], JournalCodec.encode(entry), 40 + offset), keeper);
  }

  @Test
  void eachEntryIsHandedOverOnceInItsOrder() {
    assertThat(reader.timestamp()).isZero();
    Genesis genesis = new Genesis(0, new StateEpoch(7, 7));
    read(genesis);
    assertThat(reader.begins()).as("it names the incarnation").isTrue();
    assertThat(reader.timestamp()).isEqualTo(41);
    read(record("ann"));
    assertThat(reader.begins()).isFalse();
    assertThat(reader.timestamp()).isEqualTo(42);
    assertThat(handed).containsExactly(genesis, record("ann"));
    offset = 1;
    assertThatThrownBy(() -> read(record("ann"))).isInstanceOf(PipelineStopException.class);
    reader = new JournalReader(plan, deployment, deployment.sources(), store, context);
    offset = 1;
    assertThatThrownBy(() -> read(record("ann")))
        .as("nor after a new beginning")
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("read up to offset 1");
    read(record("bob"));
    assertThat(handed).hasSize(3);
    assertThat(reader.lineage().epoch()).isEqualTo(new StateEpoch(7, 7));
  }

  /** What a file wrote that this one does not follow on means something else there. */
  @Test
  void anotherFilesEntriesAreNotTakenIn() {
    read(new Genesis(0, new StateEpoch(7, 7)));
    byte[] foreign = JournalCodec.encode(new Stamp(9, 1), record("ann"));
    context.setRecordMetadata("journal", 0, offset);
    assertThatThrownBy(() -> reader.read(new Record<>(new byte[0], foreign, 50), null))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("version 9 of the file has taken over");
  }

  /** One row a source, however far it goes. */
  @Test
  void ofASourceItsLastBoundaryIsKept() {
    WornStore rows = new WornStore("boundaries");
    StagedWrites staged = new StagedWrites(rows);
    Watermarks two = new Watermarks(Fixture.sources(2), new MetaStore(staged));
    for (int window = 1; window < 20; window++) {
      two.pass(0, window * 10, window);
      two.pass(1, window * 10, window);
      two.forgetThrough(window * 10);
    }
    staged.flush();
    assertThat(rows.alive()).hasSize(2);
    Watermarks again = new Watermarks(Fixture.sources(2), new MetaStore(new StagedWrites(rows)));
    assertThat(again.closedThrough()).hasValue(190);
  }

  @Test
  void aJournalThatDoesNotBeginIsNobodys() {
    assertThatThrownBy(() -> read(record("ann")))
        .hasMessageContaining("changelog was lost or reset");
    assertThat(handed).isEmpty();
  }

  /** An operator's skip is still heard: it may be what the sealing waits for. */
  @Test
  void behindASealSkipsAloneAreHeard() {
    read(new Genesis(0, new StateEpoch(7, 7)));
    reader.put(SealState.SEALING);
    assertThat(reader.seal()).isEqualTo(SealState.SEALING);
    read(record("ann"));
    read(new Seal());
    read(new Skip("00"));
    assertThat(handed).hasSize(2).last().isEqualTo(new Skip("00"));
    reader.put(SealState.DRAINED);
    read(record("ann"));
    assertThat(handed).hasSize(2);
    assertThatThrownBy(() -> read(new Seal())).hasMessageContaining("is sealed");
    reader = new JournalReader(plan, deployment, deployment.sources(), store, context);
    assertThat(reader.seal()).as("it is written down").isEqualTo(SealState.DRAINED);
    read(record("ann"));
    assertThat(handed).as("a drained partition idles after a restart").hasSize(2);
    assertThatThrownBy(() -> read(new Seal())).hasMessageContaining("is sealed");
  }

  @Test
  void sourcesGoForwardAndAreThoseOfTheTopic() {
    MetaStore meta = new MetaStore(store);
    Watermarks two = new Watermarks(Fixture.sources(2), meta);
    two.requireNew(1);
    two.pass(1, 0, 5);
    for (long end : new long[] {0, -10}) {
      assertThatThrownBy(() -> two.pass(1, end, 6))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("announced watermark " + end + " after 0");
    }
    assertThatThrownBy(() -> two.requireNew(1))
        .hasMessageContaining("restarted from an offset before");
    for (int source : new int[] {2, 3}) {
      assertThatThrownBy(() -> two.pass(source, 10, 6))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("the topic has only 2 partitions");
    }
    assertThatThrownBy(() -> new Watermarks(Fixture.sources(1), meta))
        .as("nor may the topic have fewer than before")
        .isInstanceOf(PipelineStopException.class);
  }

  @Test
  void aWindowIsOpenUntilTheLastSourceHasPassedIt() {
    Watermarks two = new Watermarks(Fixture.sources(2), new MetaStore(store));
    assertThat(two.firstOpen(7)).isEqualTo(7);
    assertThat(two.foremost()).isEmpty();
    assertThat(two.slowest()).as("none is behind").isEqualTo(-1);
    assertThat(two.pass(0, 20, 5)).as("the other has not begun").isFalse();
    assertThat(two.foremost()).hasValue(20);
    assertThat(two.slowest()).isEqualTo(1);
    two.refuseClosed(0);
    assertThat(two.pass(1, 10, 6)).isTrue();
    assertThat(two.closedThrough()).hasValue(10);
    assertThat(two.firstOpen(7)).isEqualTo(10);
    assertThat(two.firstOpen(11)).isEqualTo(11);
    two.refuseClosed(11);
    assertThatThrownBy(() -> two.refuseClosed(10)).hasMessageContaining("window that is closed");
    assertThat(two.pass(0, 30, 7)).as("it was ahead already").isFalse();
    assertThat(two.pass(1, 30, 8)).isTrue();
    assertThat(two.slowest()).isEqualTo(-1);
    WindowSpec window = plan.pipeline().window();
    assertThat(two.begin(window)).as("where the first source began").hasValue(10);
    assertThat(
            new Watermarks(Fixture.sources(3), new MetaStore(new StagedWrites(new WornStore("m"))))
                .begin(window))
        .isEmpty();
  }
}
