// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.genesis;
import static io.sfumato.topology.Entries.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.property.ForAll;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SpentShares;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.subjects.SubjectStateMachine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keeper alone, fed with a journal: what it does is a function of that journal. */
class SubjectStateMachineTest {
  private static final int SOURCES = 3;
  private static final String YAML = Fixture.YAML.replace("windows: 2", "windows: 30");

  @TempDir Path folder;

  /** Entries of one source partition in their order, each with Kafka's timestamp. */
  private record Entry(JournalEntry entry, long timestamp) {}

  /**
   * Three source partitions read at any speeds: the interleaving of their entries changes, the
   * outputs do not.
   */
  @Property(tries = 25)
  void shouldReleaseTheSameBytesHoweverFastEachSourceIsRead(
      @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    List<List<Entry>> sources = sources();
    List<String> inTurn = outputs(interleave(sources, new Random(1)));
    List<String> other = outputs(interleave(sources, new Random(seed)));
    assertThat(inTurn).hasSizeGreaterThan(20);
    assertThat(other).isEqualTo(inTurn);
    // One after the other: the last source holds all windows back until the end.
    List<Entry> sequential = new ArrayList<>();
    sources.forEach(sequential::addAll);
    assertThat(outputs(sequential)).isEqualTo(inTurn);
  }

  /** The same for a roster: where its windows begin must not depend on who is read first. */
  @Property(tries = 15)
  void shouldReleaseTheSameRosterHoweverFastEachSourceIsRead(
      @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    List<List<Entry>> sources = sources();
    // The last source begins three windows late.
    sources.get(2).set(1, new Entry(new Watermark(2, Fixture.NOW + 30_000), 2_000));
    sources
        .get(2)
        .removeIf(
            e ->
                e.entry() instanceof Observation o && o.windowStart() < Fixture.NOW + 30_000
                    || e.entry() instanceof Watermark b
                        && e.timestamp() > 2_000
                        && b.end() <= Fixture.NOW + 30_000);
    List<Entry> enrolments = new ArrayList<>();
    for (String subject : List.of("s0", "s1", "s9")) {
      enrolments.add(new Entry(new Enrolment(subject, 0), 1));
    }
    String roster = YAML + "subjects: roster\n";
    List<Entry> journal = new ArrayList<>(enrolments);
    journal.addAll(interleave(sources, new Random(seed)));
    List<Entry> sequential = new ArrayList<>(enrolments);
    sources.forEach(sequential::addAll);
    List<String> outputs = outputs(roster, journal);
    assertThat(outputs).as("eight windows of three subjects").hasSize(24);
    assertThat(outputs).isEqualTo(outputs(roster, sequential));
  }

  @Test
  void shouldStopWhenItsStateIsGoneButTheJournalGoesOn() {
    assertThatThrownBy(
            () ->
                outputs(
                    List.of(new Entry(new Observation("ann", Fixture.NOW, 0, List.of(), 0), 1))))
        .rootCause()
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("changelog was lost or reset");
  }

  @Test
  void shouldStopWhenASourceBeginsAnew() {
    List<Entry> journal = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      journal.add(new Entry(new Genesis(source, new StateEpoch(1, 1)), 1));
      journal.add(new Entry(new Watermark(source, Fixture.NOW), 1));
    }
    journal.add(new Entry(new Genesis(1, new StateEpoch(2, 2)), 2));
    assertThatThrownBy(() -> outputs(journal))
        .rootCause()
        .hasMessageContaining("restarted from an offset before its last watermark");
  }

  @Test
  void shouldStopWhenARecordArrivesForAClosedWindow() {
    List<Entry> journal = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      journal.add(new Entry(new Genesis(source, new StateEpoch(1, 1)), 1));
      journal.add(new Entry(new Watermark(source, Fixture.NOW + 10_000), 1));
    }
    journal.add(new Entry(new Observation("ann", Fixture.NOW, 0, List.of(), 0), 2));
    assertThatThrownBy(() -> outputs(journal))
        .rootCause()
        .hasMessageContaining("a window that is closed");
  }

  /** Releases carry the largest of the timestamps at which the sources passed the window's end. */
  @Test
  void shouldStampReleasesWithTheLargestBoundaryTimestamp() {
    List<Entry> journal = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      journal.add(new Entry(new Genesis(source, new StateEpoch(1, 1)), 1));
      journal.add(new Entry(new Watermark(source, Fixture.NOW), 1));
    }
    journal.add(new Entry(new Observation("ann", Fixture.NOW, 0, List.of(), 0), 5));
    journal.add(new Entry(new Watermark(2, Fixture.NOW + 10_000), 900));
    journal.add(new Entry(new Watermark(2, Fixture.NOW + 20_000), 5_000));
    journal.add(new Entry(new Watermark(0, Fixture.NOW + 10_000), 70));
    journal.add(new Entry(new Watermark(1, Fixture.NOW + 30_000), 80));
    assertThat(outputs(journal)).singleElement().asString().startsWith("900 ann");
  }

  /** What of a share is spent is counted while it is charged, and told behind the commit. */
  @Test
  void shouldReportHowMuchOfAShareIsSpent() {
    List<SpentShares> spent = new ArrayList<>();
    PipelineMeters meters =
        new PipelineMeters() {
          @Override
          public void spent(int partition, String share, SpentShares now) {
            spent.add(now);
          }
        };
    Deployment deployment = Fixture.deployment(1, meters);
    KeeperRun state = new KeeperRun();
    Plan plan = Fixture.plan(Fixture.YAML);
    state.run(plan, deployment, List.of(genesis(), record("ann", 0), end(0)));
    ProcessorRun<String> run = state.begun(plan, deployment);
    run.punctuate();
    run.commit();
    run.punctuate();
    assertThat(spent).isNotEmpty();
    SpentShares last = spent.get(spent.size() - 1);
    assertThat(last.subjects()).isEqualTo(1);
    assertThat(last.atLeast(0.5)).as("one of two windows").isEqualTo(1);
    assertThat(last.atLeast(1)).isZero();
  }

  private static List<List<Entry>> sources() {
    List<List<Entry>> sources = new ArrayList<>();
    for (int source = 0; source < SOURCES; source++) {
      Random random = new Random(source);
      List<Entry> entries = new ArrayList<>();
      long stamp = 1_000L * source;
      entries.add(new Entry(new Genesis(source, new StateEpoch(9, 9)), stamp));
      entries.add(new Entry(new Watermark(source, Fixture.NOW), stamp));
      for (int window = 0; window < 8; window++) {
        long start = Fixture.NOW + window * 10_000L;
        for (int i = 0; i < 6; i++) {
          String subject = "s" + random.nextInt(5);
          entries.add(
              new Entry(
                  new Observation(subject, start, random.nextInt(3), List.of(), 0), stamp += 7));
        }
        if (random.nextInt(3) > 0 || window == 7) { // some jump over two windows
          entries.add(new Entry(new Watermark(source, start + 10_000), stamp += 5));
        }
      }
      sources.add(entries);
    }
    return sources;
  }

  private static List<Entry> interleave(List<List<Entry>> sources, Random random) {
    List<Integer> turns = new ArrayList<>();
    for (int source = 0; source < sources.size(); source++) {
      turns.addAll(Collections.nCopies(sources.get(source).size(), source));
    }
    Collections.shuffle(turns, random);
    int[] next = new int[sources.size()];
    List<Entry> journal = new ArrayList<>();
    turns.forEach(source -> journal.add(sources.get(source).get(next[source]++)));
    return journal;
  }

  /** Timestamp, key and value of every output, in order. */
  private List<String> outputs(List<Entry> journal) {
    return outputs(YAML, journal);
  }

  private List<String> outputs(String yaml, List<Entry> journal) {
    Path state =
        (folder == null ? Path.of("target", "keeper-test") : folder)
            .resolve(Integer.toHexString(journal.hashCode()) + "-" + System.nanoTime());
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "keeper");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    List<String> outputs = new ArrayList<>();
    try (TopologyTestDriver driver = new TopologyTestDriver(keeper(yaml), config)) {
      var in =
          driver.createInputTopic("journal", new ByteArraySerializer(), new ByteArraySerializer());
      for (Entry entry : journal) {
        in.pipeInput(new byte[0], JournalCodec.encode(entry.entry()), entry.timestamp());
      }
      var out =
          driver.createOutputTopic("mix", new ByteArrayDeserializer(), new ByteArrayDeserializer());
      while (!out.isEmpty()) {
        var record = out.readRecord();
        outputs.add(
            "%d %s %s"
                .formatted(
                    record.timestamp(),
                    new String(record.key(), StandardCharsets.UTF_8),
                    HexFormat.of().formatHex(record.value())));
      }
    }
    assertThat(new TreeSet<>(outputs)).as("no output twice").hasSameSizeAs(outputs);
    return outputs;
  }

  private static Topology keeper(String yaml) {
    Plan plan = Fixture.plan(yaml);
    Deployment deployment = Fixture.deployment(SOURCES, PipelineMeters.none());
    Topology topology = new Topology();
    topology.addSource(
        "journal", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "journal");
    topology.addProcessor(
        "keeper", () -> SubjectStateMachine.processor(plan, deployment), "journal");
    for (String store :
        Arrays.asList(
            Names.DATASET_STORE, Names.SUBJECT_STORE, Names.LEDGER_STORE, Names.META_STORE)) {
      topology.addStateStore(
          Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(store), Serdes.Bytes(), Serdes.ByteArray()),
          "keeper");
    }
    topology.addStateStore(PreCommitHooks.builder(Names.KEEPER_COMMIT), "keeper");
    for (String topic : List.of("mix", Names.REFUSALS, Names.RELEASED)) {
      topology.addSink(
          topic, topic, Serdes.String().serializer(), new ByteArraySerializer(), "keeper");
    }
    return topology;
  }
}
