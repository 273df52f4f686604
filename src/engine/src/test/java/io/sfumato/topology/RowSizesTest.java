// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Ledger;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.gate.Memory;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.RunningMemory;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.NumberSum;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;
import io.sfumato.release.Plan;
import io.sfumato.release.WorstCase;
import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.release.bounds.PlannedBounds;
import io.sfumato.release.count.CountSpec;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.release.count.PlannedRunningCount;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.release.mean.PlannedRunningMean;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.contributions.ContributionStore;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.EventIds;
import io.sfumato.topology.dataset.Reservoir;
import io.sfumato.topology.query.QueryStore;
import io.sfumato.topology.query.WaitingStore;
import io.sfumato.topology.release.DrawMemory;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.IntakeVersion;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.VersionHandover;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No row of any store is larger than the plan says, and the plan does not say much more. */
class RowSizesTest {
  private static final long LATE = Long.MAX_VALUE / 4;

  private final KeyValueStore<Bytes, byte[]> below = MemoryStores.named("any");
  private final StagedWrites store = new StagedWrites(below);

  static Stream<Plan> plans() {
    return IntStream.range(0, 4)
        .boxed()
        .flatMap(seed -> LargeFiles.some(seed).stream())
        .map(Fixture::plan);
  }

  /** The largest of what the stores wrote. */
  private long largest() {
    store.flush();
    long most = 0;
    try (KeyValueIterator<Bytes, byte[]> all = below.all()) {
      while (all.hasNext()) {
        var next = all.next();
        most = Math.max(most, next.key.get().length + next.value.length);
      }
    }
    return most;
  }

  private static void assertBounds(Plan plan, String name, long actual) {
    long bound = WorstCase.of(plan).of(Kind.ROW, name).map(SizeBound::bytes).orElseThrow();
    assertThat(actual)
        .as(name)
        .isPositive()
        .isLessThanOrEqualTo(bound)
        // Counts that fit into a long together are a byte or two shorter than any one of them.
        .isGreaterThanOrEqualTo(bound * 4 / 5 - 500);
  }

  @ParameterizedTest
  @MethodSource("plans")
  void datasets(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    Contents.Layout layout = new Contents.Layout(pipeline);
    int categories = layout.categories();
    long[] counts = new long[categories];
    Arrays.fill(counts, Long.MAX_VALUE / Math.max(1, categories));
    double[] numbers = new double[pipeline.input().values().size()];
    Contents full =
        new Contents(
            categories == 0 ? Optional.empty() : Optional.of(new Histogram(counts)),
            layout.countsLeftOut() ? OptionalLong.of(Long.MAX_VALUE) : OptionalLong.empty(),
            layout.countsUsers() ? OptionalLong.of(Long.MAX_VALUE) : OptionalLong.empty(),
            layout.features().map(f -> new FeatureSum(Long.MAX_VALUE, new long[f.features()])),
            layout
                .sums()
                .map(
                    kept ->
                        new NumberSums(
                            Long.MAX_VALUE,
                            kept.exponents().values().stream()
                                .map(
                                    exponent ->
                                        new NumberSum(
                                            exponent,
                                            BigInteger.TWO.pow(125).negate(),
                                            BigInteger.TWO.pow(187),
                                            -1,
                                            1))
                                .toList())),
            layout
                .reservoir()
                .map(
                    capacity ->
                        new Reservoir(
                            capacity,
                            Collections.nCopies(
                                capacity,
                                new Reservoir.Ranked(
                                    Long.MAX_VALUE,
                                    new Point(Math.max(0, categories - 1), numbers))))),
            tallies(layout),
            layout.cells().map(places -> full(places.size())),
            layout.knowsEvents()
                ? Optional.of(new EventIds(Collections.nCopies(EventIds.MOST + 1, Long.MAX_VALUE)))
                : Optional.empty());
    long key = new DatasetStore.Key(LATE, LargeFiles.SUBJECT).encode().get().length;
    assertBounds(plan, Names.DATASET_STORE, key + ContentsCodec.encode(full).length);
  }

  private static SparseSums full(int places) {
    long[] sums = new long[places];
    Arrays.fill(sums, Long.MAX_VALUE / places);
    return new SparseSums(Long.MAX_VALUE, IntStream.range(0, places).toArray(), sums);
  }

  /** All places have a sum, as large as there is. */
  private static SortedMap<String, SparseSums> tallies(Contents.Layout layout) {
    SortedMap<String, SparseSums> full = new TreeMap<>();
    for (RecordAggregation rule : layout.tallies()) {
      long[] sums = new long[rule.places()];
      Arrays.fill(sums, Long.MAX_VALUE);
      int[] places = IntStream.range(0, sums.length).toArray();
      full.put(rule.canonical(), new SparseSums(Long.MAX_VALUE, places, sums));
    }
    return full;
  }

  @ParameterizedTest
  @MethodSource("plans")
  void ledgersAndIdentities(Plan plan) {
    LedgerStore ledgers = new LedgerStore(store);
    for (PlannedRelease release : plan.releases()) {
      ledgers.put(
          new LedgerStore.Key(LATE, release.share().name(), LargeFiles.SUBJECT),
          new LedgerStore.Entry(
              new Ledger(new TreeMap<>(Map.of(2, Long.MAX_VALUE))), LedgerStore.Status.EXHAUSTED));
    }
    assertBounds(plan, Names.LEDGER_STORE, largest());
    MetaStore meta = new MetaStore(store);
    String tag = NoiseSecret.parse(Fixture.KEY).derive().tag();
    meta.put(
        new StateIdentity(
            new StateEpoch(-1, -1),
            Long.MIN_VALUE,
            StateIdentity.Maker.of(
                plan,
                SourceTopics.of(
                    plan.pipeline().input().topics().names().get(0),
                    "AAAAAAAAAAAAAAAAAAAAAA",
                    Integer.MAX_VALUE),
                tag),
            BudgetTerms.of(plan)));
    meta.put(new DatasetStore.Key(LATE, LargeFiles.SUBJECT));
    meta.put(new VersionHandover(1_000_000, LATE, plan.digestText(), tag, true));
    assertBounds(plan, Names.keeperMeta(plan.pipeline()), largest());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void whatIntakeKeeps(Plan plan) {
    String tag = NoiseSecret.parse(Fixture.KEY).derive().tag();
    new IntakeVersion(Integer.MAX_VALUE, plan.digestText(), tag).putInto(below);
    below.put(
        Bytes.wrap(new byte[Integer.BYTES]),
        new PartitionWatermark(Long.MAX_VALUE, LATE, LATE).encode());
    assertBounds(plan, Names.SOURCE_STORE, largest());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void rosters(Plan plan) {
    if (plan.pipeline().subjects() == Pipeline.Subjects.LISTED) {
      return;
    }
    SubjectStore roster = new SubjectStore(store);
    for (int change = 0; change < 100; change++) {
      roster.enrol(LargeFiles.SUBJECT, LATE + 2 * change);
      roster.leave(LargeFiles.SUBJECT, LATE + 2 * change + 1);
    }
    assertBounds(plan, Names.SUBJECT_STORE, largest());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void candidatesThatWait(Plan plan) {
    for (PlannedAbc queries : plan.all(PlannedAbc.class)) {
      Candidate candidate = candidate(plan, queries);
      QueryStore asked = new QueryStore(store);
      new WaitingStore(store).await(candidate, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
      QueryStore.Key key = QueryStore.Key.of(candidate, LATE);
      asked.put(
          key,
          Integer.MAX_VALUE,
          new QueryStore.Answer(
              new byte[32], Optional.of(new QueryStore.Given(Long.MIN_VALUE, LATE))));
      asked.put(
          key, new QueryStore.Query(LATE, Integer.MAX_VALUE, LATE, LATE, LATE, Optional.empty()));
      assertBounds(plan, Names.QUERY_STORE, largest());
      assertThat((long) JournalCodec.encode(candidate).length + 256)
          .isLessThanOrEqualTo(WorstCase.of(plan).largest(Kind.ENTRY).bytes());
    }
  }

  private static Candidate candidate(Plan plan, PlannedAbc queries) {
    int mean = queries.spec().candidateNumbers(plan.pipeline());
    return new Candidate(
        queries.spec().name(),
        "q".repeat(64),
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        LargeFiles.SUBJECT,
        LATE,
        Collections.nCopies(100, 1.0),
        Collections.nCopies(mean, 1.0));
  }

  /** A user sends more than counts, to more subjects than count, all with the longest names. */
  @ParameterizedTest
  @MethodSource("plans")
  void contributionsOfUsers(Plan plan) {
    if (plan.pipeline().population().isEmpty()) {
      return;
    }
    Population people = plan.pipeline().population().get();
    ContributionStore users =
        new ContributionStore(store, plan.pipeline(), NoiseSecret.parse(Fixture.KEY).derive());
    int last = Math.max(0, plan.pipeline().input().allCategories().size() - 1);
    List<Double> numbers = Collections.nCopies(plan.pipeline().input().values().size(), 1.5);
    int subjects = people.subjects() + people.leftOut().orElse(0);
    for (int subject = 0; subject <= subjects; subject++) {
      String name = LargeFiles.SUBJECT.substring(3) + "%03d".formatted(subject);
      for (int record = 0; record <= people.records(); record++) {
        users.add(
            List.of(
                new Contribution(
                    LargeFiles.SUBJECT, LATE, name, last, Long.MAX_VALUE - record, numbers)));
      }
    }
    assertBounds(plan, Names.CONTRIBUTION_STORE, largest());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void sumsOverWindows(Plan plan) {
    plan.all(PlannedCount.class).forEach(counts -> keepTree(plan, counts));
    plan.all(PlannedRunningCount.class).forEach(counts -> keepRows(plan, counts));
    plan.all(PlannedRunningMean.class).forEach(this::keepRows);
    if (largest() > 0) {
      assertBounds(plan, Names.RUNNING_STORE, largest());
    }
  }

  private void keepTree(Plan plan, PlannedCount planned) {
    if (planned.tree().isEmpty()) {
      return;
    }
    int windows = Integer.highestOneBit(planned.tree().get().windows() + 1) - 1;
    long[] most = new long[plan.pipeline().input().allCategories().size()];
    Arrays.fill(most, Long.MIN_VALUE);
    int nodes = Integer.bitCount(windows);
    ByteWriter largest =
        new ByteWriter().fixed8(4).signed(Long.MIN_VALUE).text(planned.spec().told());
    largest.unsigned(windows).unsigned(nodes);
    for (int counts = 0; counts < 2 * nodes; counts++) {
      largest.unsigned(most.length);
      Arrays.stream(most).forEach(largest::signed);
    }
    keep(planned, largest.toBytes());
  }

  private void keep(PlannedRelease planned, byte[] memory) {
    new DrawMemory(store, planned.spec().memory(), true)
        .put(LargeFiles.SUBJECT, Memory.ofData(memory));
  }

  private void keepRows(Plan plan, PlannedRunningCount planned) {
    CountSpec spec = planned.spec();
    int groups = spec.isByCategory() ? plan.pipeline().input().allCategories().size() : 1;
    int keep = spec.over().last().orElse(1);
    keep(planned, rows(planned.plan().mechanism(), spec.told(), planned.mostBins(), groups, keep));
  }

  private void keepRows(PlannedRunningMean planned) {
    int keep = planned.spec().over().last().orElse(1);
    byte[] rows =
        rows(
            planned.plan().mechanism(),
            planned.told(),
            planned.mostBins(),
            planned.parts().size(),
            keep);
    int known = planned.window().sizeIsPublic() ? keep + 1 : 0;
    ByteWriter largest = new ByteWriter().fixed8(3).unsigned(known);
    IntStream.range(0, known).forEach(i -> largest.unsigned(Long.MAX_VALUE));
    keep(planned, largest.raw(rows).toBytes());
  }

  private static byte[] rows(
      RunningMechanism mechanism, String told, int bins, int groups, int keep) {
    Coefficients coefficients = mechanism.coefficients();
    ByteWriter largest =
        new ByteWriter()
            .fixed8(1)
            .text(coefficients.word())
            .unsigned(1L << 40)
            .unsigned(groups)
            .unsigned(bins);
    IntStream.range(0, groups * (2 * bins + 1)).forEach(i -> largest.signed(Long.MIN_VALUE));
    largest.unsigned(keep + 1);
    IntStream.range(0, groups * (keep + 1)).forEach(i -> largest.signed(Long.MIN_VALUE));
    byte[] sums = largest.toBytes();
    assertThat(RunningSums.decode(sums, coefficients, groups)).isPresent();
    return new ByteWriter()
        .fixed8(2)
        .signed(Long.MIN_VALUE)
        .text(RunningMemory.termsOf(mechanism.charge().mechanism(), told))
        .raw(sums)
        .toBytes();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void whatIsLearned(Plan plan) {
    for (PlannedHistogram planned : plan.all(PlannedHistogram.class)) {
      if (planned.spec().usesHistory()) {
        ReleaseHistory past = ReleaseHistory.none(plan.pipeline().input().allCategories().size());
        keep(planned, past.encode());
        assertRow(plan, planned, largest());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void whatIsLearnedOfCounts(Plan plan) {
    for (PlannedCount planned : plan.all(PlannedCount.class)) {
      if (planned.spec().usesHistory()) {
        ReleaseHistory past =
            ReleaseHistory.none(
                planned.spec().isByCategory() ? plan.pipeline().input().allCategories().size() : 1);
        keep(planned, past.encode());
        assertRow(plan, planned, largest());
      }
    }
  }

  /** Of one release: its store has other releases' rows, which may be larger. */
  private static void assertRow(Plan plan, PlannedRelease planned, long actual) {
    SizeBound row = planned.rows(plan.pipeline()).get(0);
    assertThat(actual).isLessThanOrEqualTo(row.bytes()).isGreaterThan(row.bytes() - 300);
    assertThat(row.bytes())
        .isLessThanOrEqualTo(
            WorstCase.of(plan).of(Kind.ROW, Names.RUNNING_STORE).orElseThrow().bytes());
  }

  @ParameterizedTest
  @MethodSource("plans")
  void boundsThatHold(Plan plan) {
    for (PlannedBounds planned : plan.all(PlannedBounds.class)) {
      keep(planned, new BoundsMemory(new PowerBounds(192, 192)).encode());
      assertBounds(plan, Names.RUNNING_STORE, largest());
    }
  }

  /** A store that nobody measured would be a row without a bound. */
  @ParameterizedTest
  @MethodSource("plans")
  void everyStoreIsMeasured(Plan plan) {
    Topology topology = PipelineTopology.build(plan, Fixture.deployment(3, new Fixture.Counts()));
    List<String> stores = new ArrayList<>();
    for (TopologyDescription.Subtopology part : topology.describe().subtopologies()) {
      part.nodes().stream()
          .filter(TopologyDescription.Processor.class::isInstance)
          .flatMap(node -> ((TopologyDescription.Processor) node).stores().stream())
          .filter(name -> name.endsWith("-store"))
          .forEach(stores::add);
    }
    WorstCase sizes = WorstCase.of(plan);
    assertThat(stores).isNotEmpty().allMatch(name -> sizes.of(Kind.ROW, name).isPresent());
    assertThat(LargeFiles.SUBJECT.getBytes(StandardCharsets.UTF_8)).hasSize(256);
  }
}
