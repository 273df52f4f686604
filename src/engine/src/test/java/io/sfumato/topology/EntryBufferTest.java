// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.SizeBound.Kind;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import io.sfumato.release.Plan;
import io.sfumato.release.WorstCase;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster takes entries of so many bytes, whatever the number of their records. */
class EntryBufferTest {
  private static final int VALUES = 300;

  /** The longest that there is. */
  private static final Stamp STAMP = new Stamp(Integer.MAX_VALUE, -1);

  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [%s] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """
          .formatted(
              IntStream.range(0, VALUES).mapToObj(i -> "v" + i).collect(Collectors.joining(", ")));

  private static List<byte[]> forwarded(MockProcessorContext<byte[], byte[]> context) {
    List<byte[]> entries = new ArrayList<>();
    for (MockProcessorContext.CapturedForward<? extends byte[], ? extends byte[]> forward :
        context.forwarded()) {
      if (forward.childName().orElseThrow().equals(Names.ENTRIES)) {
        entries.add(forward.record().value());
      }
    }
    return entries;
  }

  private static byte[] json(int record) {
    return IntStream.range(0, VALUES)
        .mapToObj(i -> "\"v" + i + "\":" + (record + i / 7.0))
        .collect(
            Collectors.joining(
                ",",
                "{\"who\":\"s" + record % 3 + "\",\"what\":\"b\",\"at\":" + Fixture.NOW + ",",
                "}"))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** 500 records of 300 numbers made one entry of 1,207,007 bytes, which no topic takes. */
  @Test
  void shouldSplitABatchOfLargeRecords() {
    Plan plan = Fixture.plan(YAML);
    ProcessorRun<byte[]> intake =
        ProcessorRun.intake(
            plan,
            Fixture.deployment(1, new Fixture.Counts()),
            MemoryStores.named(Names.SOURCE_STORE));
    for (int i = 0; i < 500; i++) {
      intake.take(i, new Record<>(null, json(i), Fixture.NOW));
    }
    intake.commit();
    List<byte[]> entries = intake.entries();
    List<Observation> records = new ArrayList<>();
    for (byte[] entry : entries) {
      assertThat(entry.length).isLessThanOrEqualTo(MessageLimit.ENTRY_BYTES);
      if (JournalCodec.decode(entry) instanceof Observations batch) {
        records.addAll(batch.records());
      }
    }
    assertThat(records).extracting(record -> record.values().get(0)).hasSize(500).isSorted();
    assertThat(entries).hasSizeLessThan(20);
  }

  /**
   * Long names fill an entry as numbers do; one record that is larger than any entry goes alone.
   */
  @ParameterizedTest
  @MethodSource("io.sfumato.topology.RowSizesTest#plans")
  void shouldNeverExceedWhatThePlanSays(Plan plan) {
    MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    Journal journal = new Journal(context, Names.ENTRIES, STAMP);
    List<Double> values = Collections.nCopies(plan.pipeline().input().values().size(), 1.0);
    EntryBuffer<Observation> subjects =
        new EntryBuffer<>(
            journal, 1, Observation::subject, Observations::new, JournalCodec::bytesAtMost);
    EntryBuffer<Contribution> users =
        new EntryBuffer<>(
            journal, 1, Contribution::user, Contributions::new, JournalCodec::bytesAtMost);
    for (int i = 0; i < 1100; i++) {
      long start = i % 2 == 0 ? Long.MAX_VALUE / 4 : Long.MIN_VALUE / 4;
      subjects.add(0, new Observation(LargeFiles.SUBJECT, start, 9_999, values, Long.MAX_VALUE));
      if (plan.pipeline().population().isPresent()) {
        users.add(
            0,
            new Contribution(
                LargeFiles.SUBJECT, start, LargeFiles.SUBJECT, 9_999, Long.MAX_VALUE, values));
      }
    }
    subjects.flush();
    users.flush();
    long most = WorstCase.of(plan).largest(Kind.ENTRY).bytes();
    assertThat(forwarded(context))
        .hasSizeGreaterThan(2)
        .allSatisfy(entry -> assertThat(256L + entry.length).isLessThanOrEqualTo(most));
  }

  @Test
  void shouldSendARecordAloneThatIsLargerThanAnEntry() {
    MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    EntryBuffer<Observation> buffer =
        new EntryBuffer<>(
            new Journal(context, Names.ENTRIES, STAMP),
            1,
            Observation::subject,
            Observations::new,
            JournalCodec::bytesAtMost);
    for (int values : new int[] {1, 40_000, 1, 1}) {
      buffer.add(0, new Observation("ann", 0, 0, Collections.nCopies(values, 1.0), 1));
    }
    buffer.flush();
    assertThat(forwarded(context))
        .extracting(entry -> ((Observations) JournalCodec.decode(entry)).records().size())
        .containsExactly(1, 1, 2);
  }

  /** The bound is counted without encoding anything: it must never be below the truth. */
  @Property(tries = 500)
  void aRecordTakesNoMoreThanItsBound(
      @ForAll @Size(min = 1, max = 5) List<String> names,
      @ForAll @Size(max = 20) List<Double> values,
      @ForAll long start,
      @ForAll @IntRange int category,
      @ForAll long rank) {
    List<Observation> observations =
        names.stream().map(n -> new Observation(n, start, category, values, rank)).toList();
    List<Contribution> contributions =
        names.stream().map(n -> new Contribution(n, start, n + n, category, rank, values)).toList();
    assertBound(
        new Observations(observations),
        observations.stream().mapToInt(JournalCodec::bytesAtMost).sum());
    assertBound(
        new Contributions(contributions),
        contributions.stream().mapToInt(JournalCodec::bytesAtMost).sum());
  }

  private static void assertBound(JournalEntry entry, int bound) {
    assertThat(JournalCodec.encode(STAMP, entry).length)
        .isLessThanOrEqualTo(JournalCodec.HEADER_BYTES + bound);
  }
}
