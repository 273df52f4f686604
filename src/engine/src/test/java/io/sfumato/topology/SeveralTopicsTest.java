// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.windows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.context.SourceTopics.Topic;
import io.sfumato.topology.journal.JournalPartitioner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Topics with different numbers of partitions: each partition has a clock of its own, and windows
 * close by the slowest of all. Intake and keepers of every partition, whose state goes from one
 * version of the file to the next.
 */
class SeveralTopicsTest {
  private static final String ONE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 9 }
      """;

  private static final String TWO = ONE.replace("topic: in", "topic: [eu, us]");
  private static final Topic EU = new Topic("eu", "id-eu", 2);
  private static final Topic US = new Topic("us", "id-us", 1);

  private static final TopicPartition EU_0 = new TopicPartition("eu", 0);
  private static final TopicPartition EU_1 = new TopicPartition("eu", 1);
  private static final TopicPartition US_0 = new TopicPartition("us", 0);

  private final TickHeader ticks = Fixture.ticks("test");
  private final State state = new State();

  /** What outlives the programs: stores of every partition, and where each topic goes on. */
  private static final class State {
    private final List<KeyValueStore<Bytes, byte[]>> sources =
        List.of(MemoryStores.named(Names.SOURCE_STORE), MemoryStores.named(Names.SOURCE_STORE));
    private final List<KeeperRun> keepers = List.of(new KeeperRun(), new KeeperRun());
    private final Map<TopicPartition, Long> offsets = new HashMap<>();

    /** As a start of a program finds it. */
    StateReader read() {
      StateReader reader = new StateReader();
      for (int i = 0; i < keepers.size(); i++) {
        int partition = i;
        try (var rows = keepers.get(i).store(Names.META_STORE).all()) {
          rows.forEachRemaining(row -> reader.meta(partition, row.key.get(), row.value));
        }
      }
      return reader;
    }
  }

  /** A program with a file that reads some topics. */
  private final class Program {
    private final Fixture.Counts counts = new Fixture.Counts();
    private final Plan plan;
    private final Deployment deployment;

    Program(String yaml, List<Topic> topics, OperatorOrders orders) {
      plan = Fixture.plan(yaml);
      deployment =
          Fixture.deployment(
                  new SourceTopics(topics), counts, NoiseSecret.parse(Fixture.KEY).derive())
              .under(() -> orders);
    }

    Program(String yaml, Topic... topics) {
      this(yaml, List.of(topics), OperatorOrders.none());
    }

    List<Output> event(TopicPartition place, String who, long second) {
      return reads(place, new Record<>(null, Fixture.json(who, second, "a"), NOW));
    }

    List<Output> tick(TopicPartition place, long second) {
      return tick(place, ticks.of(place.topic(), place.partition(), NOW + second * 1000));
    }

    List<Output> tick(TopicPartition place, byte[] header) {
      RecordHeaders headers = new RecordHeaders();
      headers.add(Names.TICK_HEADER, header);
      return reads(place, new Record<>(null, null, NOW, headers));
    }

    List<Output> tickAll(long second) {
      List<Output> outputs = new ArrayList<>();
      deployment.sources().places().forEach(place -> outputs.addAll(tick(place, second)));
      return outputs;
    }

    /** One record through intake, journal and keepers. */
    private List<Output> reads(TopicPartition place, Record<byte[], byte[]> record) {
      ProcessorRun<byte[]> intake =
          ProcessorRun.intake(plan, deployment, state.sources.get(place.partition()));
      intake.take(place, state.offsets.merge(place, 1L, Long::sum) - 1, record);
      intake.commit();
      List<Map<JournalEntry, byte[]>> journals = new ArrayList<>();
      for (int i = 0; i < deployment.journalPartitions(); i++) {
        journals.add(new IdentityHashMap<>());
      }
      List<List<JournalEntry>> order = new ArrayList<>();
      journals.forEach(journal -> order.add(new ArrayList<>()));
      for (ProcessorRun.Forwarded entry : intake.forwarded()) {
        if (entry.child().equals(Names.ENTRIES)) {
          byte[] key = (byte[]) entry.key();
          for (int i = 0; i < journals.size(); i++) {
            if (key.length == 0 || JournalPartitioner.partitionOf(key, journals.size()) == i) {
              JournalEntry read = JournalCodec.decode(entry.value());
              journals.get(i).put(read, entry.value());
              order.get(i).add(read);
            }
          }
        }
      }
      List<Output> outputs = new ArrayList<>();
      for (int i = 0; i < journals.size(); i++) {
        outputs.addAll(
            state.keepers.get(i).run(plan, deployment, order.get(i), NOW, journals.get(i)::get));
      }
      return outputs;
    }

    /** Hears in every partition that a version is announced. */
    void hears(Program next, long second) {
      for (int i = 0; i < deployment.journalPartitions(); i++) {
        state
            .keepers
            .get(i)
            .run(
                plan,
                deployment,
                List.of(
                    new JournalEntry.Activation(
                        next.plan.pipeline().version(),
                        NOW + second * 1000,
                        next.plan.digestText(),
                        next.deployment.noiseKey().tag())));
      }
    }

    String key() {
      return deployment.noiseKey().tag();
    }

    /** Reads nothing: what its state holds is released. */
    List<Output> starts() {
      List<Output> outputs = new ArrayList<>();
      for (int i = 0; i < deployment.journalPartitions(); i++) {
        outputs.addAll(state.keepers.get(i).run(plan, deployment, List.of()));
      }
      return outputs;
    }
  }

  private static List<DirichletRelease> releases(List<Output> outputs) {
    return outputs.stream().map(output -> Outputs.decodeRelease(output.value())).toList();
  }

  private static List<String> shown(List<Output> outputs) {
    return windows(releases(outputs));
  }

  private static List<String> values(List<Output> outputs) {
    return outputs.stream().map(Output::toString).sorted().toList();
  }

  @Test
  void shouldCloseAWindowWhenEveryPartitionOfEveryTopicHasPassedIt() {
    Program program = new Program(TWO, EU, US);
    program.event(EU_1, "ann", 1);
    program.event(US_0, "ann", 2);
    assertThat(program.tick(EU_0, 12)).isEmpty();
    assertThat(program.tick(EU_1, 32)).isEmpty();
    List<Output> first = program.tick(US_0, 12);
    assertThat(shown(first)).containsExactly("ann@0");
    assertThat(releases(first)).extracting(DirichletRelease::getRecords).containsExactly(2L);
    program.event(US_0, "ann", 5);
    assertThat(program.counts.seen).as("by the clock of its own source").containsEntry("LATE", 1);
  }

  /** The clocks agree, so that nothing depends on how the records were split. */
  @Test
  void shouldReleaseTheSameAsATopicThatHoldsTheUnion() {
    Program several = new Program(TWO, EU, US);
    List<Output> outputs = new ArrayList<>();
    several.event(EU_0, "ann", 1);
    several.event(EU_1, "bob", 2);
    several.event(US_0, "ann", 3);
    outputs.addAll(several.tickAll(12));
    several.event(US_0, "bob", 11);
    outputs.addAll(several.tickAll(32));

    SeveralTopicsTest other = new SeveralTopicsTest();
    TopicPartition left = new TopicPartition("in", 0);
    TopicPartition right = new TopicPartition("in", 1);
    Program one = other.new Program(ONE, new Topic("in", "topic", 2));
    List<Output> union = new ArrayList<>();
    one.event(left, "ann", 1);
    one.event(right, "bob", 2);
    one.event(right, "ann", 3);
    union.addAll(one.tickAll(12));
    one.event(left, "bob", 11);
    union.addAll(one.tickAll(32));

    assertThat(shown(outputs)).containsExactlyInAnyOrder("ann@0", "bob@0", "bob@10");
    assertThat(values(outputs)).isEqualTo(values(union));
  }

  @Test
  void shouldTakeATickOfAnotherTopicForForged() {
    Program program = new Program(TWO, EU, US);
    program.event(EU_0, "ann", 1);
    program.tick(EU_0, 12);
    program.tick(EU_1, 12);
    byte[] copied = ticks.of("eu", 0, NOW + 12_000);
    assertThat(program.tick(US_0, copied)).isEmpty();
    assertThat(program.counts.seen).containsEntry("BAD_TICK", 1);
    assertThat(shown(program.tick(US_0, 12))).containsExactly("ann@0");
  }

  @Test
  void shouldLeaveOutARecordOfOneTopicAlone() {
    SourceTopics sources = new SourceTopics(List.of(EU, US));
    OperatorOrders orders = OperatorOrders.of(List.of(RecordSpan.at(sources.number(US_0), 0)));
    Program program = new Program(TWO, List.of(EU, US), orders);
    program.event(EU_0, "ann", 1);
    program.event(US_0, "ann", 2);
    List<Output> outputs = program.tickAll(12);
    assertThat(releases(outputs)).extracting(DirichletRelease::getRecords).containsExactly(1L);
    assertThat(program.counts.seen).containsEntry("SKIPPED", 1);
  }

  @Test
  void shouldStopWhereARecordOfOneTopicIsReadAgain() {
    Program program = new Program(TWO, EU, US);
    program.event(EU_0, "ann", 1);
    program.event(US_0, "ann", 2);
    state.offsets.put(US_0, 0L);
    assertThatThrownBy(() -> program.event(US_0, "ann", 2))
        .hasMessageContaining("us-0 was read up to offset 0 before");
  }

  @Test
  void shouldKnowHowFarEachTopicWasRead() {
    Program program = new Program(TWO, EU, US);
    program.event(EU_1, "ann", 1);
    program.event(US_0, "ann", 2);
    program.event(US_0, "ann", 3);
    Positions positions = new Positions(program.plan.pipeline(), program.deployment.sources());
    for (int task = 0; task < 2; task++) {
      int partition = task;
      try (var rows = state.sources.get(task).all()) {
        rows.forEachRemaining(
            row ->
                positions.apply(
                    "sfumato-test-source-store-changelog", partition, row.key.get(), row.value));
      }
    }
    assertThat(positions.next(EU_0)).isEmpty();
    assertThat(positions.next(EU_1)).hasValue(1);
    assertThat(positions.next(US_0)).hasValue(2);
  }

  private static byte[] click(String page) {
    return "{\"page\":\"%s\",\"visitor\":\"ann\",\"at\":\"2026-11-02T00:10:00Z\",\"kind\":\"view\"}"
        .formatted(page)
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shouldRunTheExampleOfTwoTopics(@TempDir Path folder) throws Exception {
    Instant clicked = Instant.parse("2026-11-02T00:10:00Z");
    Instant closed = Instant.parse("2026-11-02T01:05:00Z");
    try (Fixture pipeline =
        new Fixture(Files.readString(Path.of("topology", "sources", "clicks.yaml")), folder)) {
      pipeline.sendTo("clicks-eu", click("home"), new RecordHeaders(), clicked);
      pipeline.sendTo("clicks-us", click("search"), new RecordHeaders(), clicked);
      pipeline.tickTo("clicks-eu", closed);
      assertThat(pipeline.records("click-counts")).as("clicks-us has not passed it").isEmpty();
      pipeline.tickTo("clicks-us", closed);
      assertThat(pipeline.releases("click-counts", CountRelease.class))
          .extracting(CountRelease::getSubject)
          .containsExactlyInAnyOrder("home", "search", "product", "basket");
      assertThat(pipeline.counts.seen).containsEntry("accepted", 2);
    }
  }

  private static String second(String topics) {
    return ONE.replace("topic: in", "topic: " + topics).replace("version: 1", "version: 2");
  }

  /** A version that reads {@code us} too takes over from one that reads {@code eu}. */
  private Program announced(Program before) {
    Program next = new Program(second("[eu, us]"), EU, US);
    before.event(EU_0, "ann", 1);
    assertThat(shown(before.tickAll(12))).containsExactly("ann@0");
    before.event(EU_0, "ann", 11);
    before.hears(next, 20);
    assertThat(shown(before.tickAll(22))).containsExactly("ann@10");
    SourceTopics joined = state.read().joined(new SourceTopics(List.of(US, EU)), 2);
    assertThat(joined.topics()).containsExactly(EU, US.joining(NOW + 20_000));
    return new Program(second("[eu, us]"), joined.topics(), OperatorOrders.none());
  }

  @Test
  void shouldCountATopicThatJoinsFromTheFirstWindowOfItsVersionOn() {
    Program before = new Program(ONE.replace("topic: in", "topic: eu"), EU);
    Program after = announced(before);
    before.event(EU_0, "ann", 21);
    assertThat(before.tickAll(42)).as("it leaves these windows to the next version").isEmpty();

    state.read().requireReadyFor(after.plan, after.deployment.sources(), after.key());
    assertThat(after.starts()).as("no clock of us has passed anything").isEmpty();
    after.event(US_0, "ann", 15);
    assertThat(after.counts.seen).as("that window is released").containsEntry("LATE", 1);
    after.event(US_0, "ann", 25);
    assertThat(after.tickAll(32).stream().map(Output::child)).containsOnly("mix");
    state.read().requireReadyFor(after.plan, after.deployment.sources(), after.key());
  }

  @Test
  void shouldReleaseEveryWindowOnceWhenATopicJoins() {
    Program before = new Program(ONE.replace("topic: in", "topic: eu"), EU);
    Program after = announced(before);
    before.event(EU_0, "ann", 21);
    before.tickAll(42);
    after.starts();
    after.event(US_0, "ann", 25);
    after.event(US_0, "ann", 35);
    List<Output> outputs = new ArrayList<>(after.tickAll(42));
    assertThat(shown(outputs)).containsExactly("ann@20", "ann@30");
    assertThat(releases(outputs)).extracting(DirichletRelease::getRecords).containsExactly(2L, 1L);
    after.event(EU_1, "ann", 41);
    assertThat(shown(after.tickAll(52))).containsExactly("ann@40");
    assertThat(charges("ann")).as("one a window").isEqualTo(5);
    assertThat(state.read().joined(new SourceTopics(List.of(EU, US)), 2))
        .as("as long as the version runs")
        .isEqualTo(after.deployment.sources());
    assertThatThrownBy(() -> before.event(EU_0, "ann", 61)).hasMessageContaining("version 2");
  }

  private long charges(String subject) {
    return state.keepers.stream()
        .flatMap(keeper -> LedgerLines.of(keeper.store(Names.LEDGER_STORE)).stream())
        .filter(line -> line.subject().equals(subject))
        .flatMap(line -> line.charges().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void shouldHoldWindowsBackUntilATopicThatJoinedHasPassedThem() {
    Program before = new Program(ONE.replace("topic: in", "topic: eu"), EU);
    Program after = announced(before);
    after.event(EU_0, "ann", 21);
    after.tick(EU_0, 62);
    assertThat(after.tick(EU_1, 62)).isEmpty();
    assertThat(shown(after.tick(US_0, 32))).containsExactly("ann@20");
  }

  private void assertRefused(String reason, Topic... topics) {
    Program next = new Program(second("[eu, us]"), topics);
    assertThatThrownBy(
            () ->
                state
                    .read()
                    .runningVersion()
                    .orElseThrow()
                    .requireSuccessor(
                        next.plan, next.deployment.sources(), next.key(), NOW + 20_000))
        .hasMessageContaining(reason);
  }

  @Test
  void shouldRefuseAListThatIsNoContinuation() {
    Program before = new Program(ONE.replace("topic: in", "topic: eu"), EU);
    before.event(EU_0, "ann", 1);
    before.tickAll(12);
    Topic us = US.joining(NOW + 20_000);
    assertRefused("Topics can only join", us, EU);
    assertRefused("Topics can only join", us);
    assertRefused("was re-created", new Topic("eu", "another", 2), us);
    assertRefused("partitions of the records' topic", new Topic("eu", "id-eu", 3), us);
    assertRefused(
        "topic us cannot join: it has 3 partitions",
        EU,
        new Topic("us", "id-us", 3).joining(NOW + 20_000));
    assertRefused("another version was announced", EU, US);
  }
}
