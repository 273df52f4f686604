// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Ledger;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.release.PipelineFile;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.CandidateReader;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.OpenDataset;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.ImportedLedger;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.SealState;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.VersionHandover;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Hostile bytes for everything that reads bytes: each is read or refused with the error that its
 * reader names, and none takes more memory than its size explains. A thousand inputs a reader in
 * every build, a million in all with the profile {@code chaos}.
 */
class FuzzTest {
  private static final String VALUES =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
      features: { bandwidth: 0.7, count: 20 }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - abc: { name: coin, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
      """;

  private static final EventReader JSON_EVENTS =
      new EventReader(Fixture.plan(VALUES).pipeline().input());

  private static final byte[][] JSON_CORPUS = {
    Fixture.json("ann", 1, "a"),
    text("{\"who\":\"bob\",\"at\":\"2026-06-01T00:00:00Z\",\"what\":true,\"x\":1.5,\"y\":\"2e3\"}"),
    text(
        "{\"who\":7,\"at\":1780272000000,\"what\":\"c\",\"x\":-1,\"y\":0,\"z\":{\"deep\":[1,[2]]}}"),
  };

  @Property(seed = "1")
  void shouldReadOrRejectJsonEvents(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(JSON_CORPUS, random.nextLong());
    HostileBytes.feed(
        value,
        bytes -> JSON_EVENTS.read(record(text("key"), bytes, Fixture.NOW)),
        RejectedRecordException.class);
  }

  private static final EventReader ITEMS =
      EventReader.of(
          Fixture.plan(
                  """
                  pipeline: test
                  input: { topic: in, user: who, subject: ward, time: at, category: "order.lines[].p", categories: [a, b, c] }
                  contributions: { per-window: 2, max-items: 4 }
                  subjects: [north, south]
                  window: { size: 10s, clock: ticks, begin: 2026-06-01 }
                  budget: { name: test, unit: user, epsilon: 2, delta: 1e-6, period: window }
                  releases:
                    - count: { name: n, share: { epsilon: 2, delta: 1e-6 } }
                  """)
              .pipeline(),
          SchemaSource.none());

  private static final byte[][] ITEMS_CORPUS = {
    text(
        "{\"who\":\"ann\",\"ward\":\"north\",\"at\":1780272000000,\"order\":{\"lines\":[{\"p\":\"a\"},{\"p\":\"b\"},{\"p\":\"c\"}]}}"),
    text(
        "{\"order\":{\"lines\":[{\"p\":\"a\"},{\"p\":null},7,[{\"p\":\"c\"}],{\"q\":1,\"p\":\"b\"}]},\"who\":\"bob\",\"ward\":\"south\",\"at\":1780272000000}"),
  };

  /** Whatever is read, the bound on a record holds, and no two items share a place. */
  @Property(seed = "13")
  void shouldReadOrRejectItemsOfJsonEvents(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(ITEMS_CORPUS, random.nextLong());
    HostileBytes.feed(
        value,
        bytes -> {
          List<Event.Item> items =
              ITEMS.read(record(null, bytes, Fixture.NOW)).orElseThrow().items();
          assertThat(items).hasSizeBetween(1, 4);
          assertThat(items.stream().map(Event.Item::place).distinct()).hasSize(items.size());
        },
        RejectedRecordException.class);
  }

  private static final EventReader AVRO_EVENTS =
      new EventReader(
          Fixture.plan(
                  VALUES
                      .replace(
                          "subject: who, time: at, category: what",
                          "format: avro, subject: subject, time: at, category: category")
                      .replace("values: [x, y]", "values: [values.0, values.1]"))
              .pipeline()
              .input());

  private static final byte[][] AVRO_CORPUS = {
    Outputs.encode(
        UserRecord.newBuilder()
            .setSubject("ann")
            .setAt(Instant.ofEpochMilli(Fixture.NOW))
            .setCategory("a")
            .setValues(List.of(1.0, 2.0))
            .build()),
  };

  @Property(seed = "2")
  void shouldReadOrRejectAvroEvents(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(AVRO_CORPUS, random.nextLong());
    HostileBytes.feed(
        value,
        bytes -> AVRO_EVENTS.read(record(null, bytes, Fixture.NOW)),
        RejectedRecordException.class);
  }

  private static final CandidateReader CANDIDATES =
      new CandidateReader(Fixture.plan(VALUES).pipeline());

  private static final byte[][] CANDIDATE_CORPUS = {
    Outputs.encode(
        AbcCandidate.newBuilder()
            .setOutput("coin")
            .setQueryId("q")
            .setCandidate(0)
            .setCandidates(4)
            .setSubject("ann")
            .setWindowStart(Instant.ofEpochMilli(Fixture.NOW))
            .setParameters(List.of(1.0))
            .setValues(List.of(List.of(1.0, 2.0), List.of(0.0, 1.0)))
            .build()),
  };

  @Property(seed = "3")
  void shouldReadOrRejectCandidates(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(CANDIDATE_CORPUS, random.nextLong());
    HostileBytes.feed(value, CANDIDATES::read, RejectedRecordException.class);
  }

  private static final byte[][] JOURNAL_CORPUS = {
    JournalCodec.encode(new JournalEntry.Observation("ann", 5, 2, List.of(), 0)),
    JournalCodec.encode(new JournalEntry.Observation("ann", 5, 2, List.of(1.0, 2.0), 9)),
    JournalCodec.encode(
        new JournalEntry.Observations(
            List.of(
                new JournalEntry.Observation("ann", 5, 2, List.of(), 0),
                new JournalEntry.Observation("bob", 6, 1, List.of(), 0)))),
    JournalCodec.encode(
        new JournalEntry.Contributions(
            List.of(
                new JournalEntry.Contribution("ann", 5, "west", 2, 9),
                new JournalEntry.Contribution("bob", 6, "west", 1, 8)))),
    JournalCodec.encode(
        new JournalEntry.Contributions(
            List.of(new JournalEntry.Contribution("ann", 5, "west", 0, 9, List.of(1.0, 2.0))))),
    JournalCodec.encode(
        new JournalEntry.Candidate("coin", "q", 0, 4, "ann", 5, List.of(1.0), List.of(0.5))),
    JournalCodec.encode(new JournalEntry.Genesis(1, new StateEpoch(3, 4))),
    JournalCodec.encode(new JournalEntry.Activation(2, 5, "00ff", "tag")),
    JournalCodec.encode(new JournalEntry.Skip("0123456789abcdef")),
    JournalCodec.encode(new Stamp(1, -7), new JournalEntry.Skip("0123456789abcdef")),
  };

  @Property(seed = "4")
  void shouldReadOrRefuseJournalEntries(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(JOURNAL_CORPUS, random.nextLong());
    HostileBytes.feed(value, JournalCodec::decode, CorruptBytesException.class);
  }

  private static final byte[][] OUTPUT_CORPUS = {
    Outputs.encode(
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.ACTIVATE)
            .setBudget("test")
            .setVersion(2)
            .setFrom(Instant.EPOCH)
            .setDigest("00")
            .setNoiseKey("tag")
            .build()),
    Outputs.encode(
        ControlEntry.newBuilder().setCommand(ControlCommand.FORGET).setSubject("ann").build()),
    Outputs.encode(
        DeadLetter.newBuilder().setTopic("in").setPartition(0).setOffset(7).setCode("X").build()),
    AVRO_CORPUS[0],
    CANDIDATE_CORPUS[0],
  };

  @Property(seed = "5")
  void shouldReadOrRefuseOutputsAndCommands(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(OUTPUT_CORPUS, random.nextLong());
    HostileBytes.feed(value, Outputs::decodeAny, CorruptBytesException.class);
    HostileBytes.feed(value, Outputs::decodeControl, CorruptBytesException.class);
  }

  private static final Contents.Layout LAYOUT =
      new Contents.Layout(Fixture.plan(VALUES).pipeline());

  private static final byte[][] STORE_CORPUS = storeCorpus();

  private static byte[][] storeCorpus() {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    counts.put(0, 3L);
    counts.put(2, 300L);
    BudgetTerms terms = BudgetTerms.of(Fixture.plan(VALUES));
    StateIdentity identity =
        new StateIdentity(
            new StateEpoch(1, 2),
            5,
            StateIdentity.Maker.of(Fixture.plan(VALUES), Fixture.sources(3), "tag"),
            terms);
    OpenDataset dataset = new OpenDataset(new DatasetStore.Key(5, "ann"), LAYOUT.empty(), LAYOUT);
    dataset.add(new JournalEntry.Observation("ann", 5, 2, List.of(1.0, 2.0), 9));
    return new byte[][] {
      ContentsCodec.encode(dataset.contents()),
      new LedgerStore.Entry(new Ledger(counts), LedgerStore.Status.OPEN).encode(),
      identity.encode(),
      new ImportedLedger("00", "old", 7, terms).encode(),
      new VersionHandover(2, 5, "00", "tag", true).encode(),
      new PartitionWatermark(7, 8, 9).encode(),
      new LedgerFloor(9).encode(),
    };
  }

  @Property(seed = "6")
  void shouldReadOrRefuseWhatStoresHold(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(STORE_CORPUS, random.nextLong());
    List<HostileBytes.Reader> readers =
        List.of(
            bytes -> ContentsCodec.decode(bytes, LAYOUT),
            LedgerStore.Entry::decode,
            StateIdentity::decode,
            ImportedLedger::decode,
            VersionHandover::decode,
            PartitionWatermark::decode,
            LedgerFloor::decode,
            bytes -> DatasetStore.Key.read(new ByteReader(bytes)),
            LedgerStore.Key::decode,
            SealState::of);
    for (HostileBytes.Reader reader : readers) {
      // Numbers out of range are refused by the records that hold them.
      HostileBytes.feed(value, reader, CorruptBytesException.class, IllegalArgumentException.class);
    }
  }

  private static final byte[][] FILE_CORPUS = {
    text(VALUES),
    text(Fixture.YAML),
    text(
        """
        pipeline: taste
        version: 3
        input: { topic: in, subject: $key, time: at, category: what, categories: [a, b], other: rest }
        window: { size: 7d, grace: 1d, clock: ticks, begin: 2026-01-05, ahead: 2d, max-jump: 5, origin: 2026-01-05 }
        subjects: roster
        budget: { name: test, unit: dataset, epsilon: 2, period: 30d, account: { name: all, epsilon: 9 } }
        releases:
          - mollifier: { name: taste, sampler: clipped, items: 2, share: { epsilon: 2, ledger: old }, windows: 3, reference: { categories: [1, 2, 3] } }
        kafka: { linger.ms: 5 }
        """),
  };

  @Property(seed = "7")
  void shouldReadOrRefusePipelineFiles(@ForAll Random random) throws Exception {
    byte[] value = Mutations.of(FILE_CORPUS, random.nextLong());
    HostileBytes.feed(
        value,
        bytes -> PipelineFile.parse("fuzz", new String(bytes, StandardCharsets.UTF_8)),
        PipelineFileException.class);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
