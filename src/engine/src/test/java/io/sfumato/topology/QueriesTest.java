// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.store.StagedWrites;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueriesTest {
  /** Windows of ten seconds, two of grace; one scheduled output beside three kinds of answers. */
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 8, delta: 1e-5 }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 20 }
        - abc: { name: coin, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 10, keep: 2, waiting: { entries: 4, time: 40s } }
        - abc: { name: soft, method: soft, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 10, keep: 2 }
        - abc: { name: sparse, method: sparse-vector, acceptances: 2, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 1, candidates: 10, keep: 2 }
      """;

  private static final double[] NEAR = {0.5, 0.5, 0};
  private static final double[] FAR = {0, 0, 1};

  @TempDir Path state;

  /** A candidate about ann's first window. */
  private static AbcCandidate.Builder candidate(String output, String query, int index) {
    return AbcCandidate.newBuilder()
        .setOutput(output)
        .setQueryId(query)
        .setCandidate(index)
        .setCandidates(5)
        .setSubject("ann")
        .setWindowStart(Instant.ofEpochMilli(Fixture.NOW))
        .setParameters(List.of((double) index))
        .setMean(boxed(NEAR));
  }

  private static List<Double> boxed(double[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  private static void ask(Fixture pipeline, AbcCandidate.Builder candidate) {
    ask(pipeline, Outputs.encode(candidate.build()), 0);
  }

  private static void ask(Fixture pipeline, byte[] value, long second) {
    pipeline
        .driver
        .createInputTopic("test-candidates", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, value, Fixture.NOW + second * 1000);
  }

  private static List<AbcDecision> decisions(Fixture pipeline, String topic) {
    return pipeline.releases(topic, AbcDecision.class);
  }

  private static List<String> refusals(Fixture pipeline) {
    return pipeline.refusals().stream().map(QueriesTest::words).toList();
  }

  private static String words(Refusal refusal) {
    return refusal.getQueryId() + "/" + refusal.getCandidate() + " " + refusal.getCode();
  }

  /** Forty records of ann's in the first window, and a record that closes it. */
  private static void closedWindow(Fixture pipeline) {
    for (int i = 0; i < 40; i++) {
      pipeline.event("ann", 1, i % 2 == 0 ? "a" : "b");
    }
    pipeline.event("bob", 12, "a");
  }

  @Test
  void shouldAnswerFromTheClosedDatasetWithGuarantee() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      closedWindow(pipeline);
      for (int i = 0; i < 5; i++) {
        ask(pipeline, candidate("coin", "q", i));
        ask(pipeline, candidate("soft", "q", i));
      }
      List<AbcDecision> answers = decisions(pipeline, "coin");
      assertThat(answers).hasSize(5);
      AbcDecision first = answers.get(0);
      assertThat(first.getRecords()).isEqualTo(40);
      assertThat(first.getParameters()).containsExactly(0.0);
      assertThat(first.getThreshold()).isEqualTo(0.4);
      // sigma = D sqrt(T) / mu for the whole query's share of mu.
      double mu =
          Fixture.plan(YAML).all(PlannedAbc.class).get(0).plan().mechanism().parameters().get("mu");
      assertThat(first.getNoiseScale())
          .isCloseTo(Math.sqrt(2) / 40 * Math.sqrt(5) / mu, within(1e-9));
      assertThat(first.getGuarantee().getEpsilon()).isEqualTo(2);
      assertThat(first.getGuarantee().getMechanism()).startsWith("rejection-query gaussian mu=");
      assertThat(first.getGuarantee().getAdmission()).startsWith("at most 2 releases");
      List<AbcWeight> weights = pipeline.releases("soft", AbcWeight.class);
      assertThat(weights).hasSize(5);
      assertThat(weights)
          .allSatisfy(
              w ->
                  assertThat(w.getWeight())
                      .isEqualTo(StrictMath.exp(-Math.max(0, w.getNoisyDistance()))));
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  @Test
  void shouldCallAWindowReleasedOnceWaitingCandidatesAreAnsweredAndNotWaitForLateOnes() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("ann", 1, "a");
      ask(pipeline, candidate("coin", "q", 0));
      assertThat(decisions(pipeline, "coin")).as("its window is open").isEmpty();
      pipeline.event("bob", 12, "a");
      assertThat(decisions(pipeline, "coin")).hasSize(1);
      assertThat(pipeline.records("test-released"))
          .last()
          .extracting(record -> ((ReleasedThrough) Outputs.decodeAny(record.value())))
          .extracting(ReleasedThrough::getReleasedThrough)
          .isEqualTo(Instant.ofEpochMilli(Fixture.NOW + 10_000));
      ask(pipeline, candidate("coin", "q", 1));
      assertThat(decisions(pipeline, "coin")).as("the window is kept for it").hasSize(1);
      assertThat(pipeline.records("test-released")).as("a marker takes nothing back").isEmpty();
    }
  }

  @Test
  void shouldChargeAQueryOnceWhateverItsCandidatesAndRefuseTheQueryTooMany() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      closedWindow(pipeline);
      // Interleaved: two queries fit, the third does not, and neither dies half-answered.
      for (int i = 0; i < 5; i++) {
        for (String query : List.of("q1", "q2", "q3")) {
          ask(pipeline, candidate("coin", query, i));
        }
      }
      assertThat(decisions(pipeline, "coin"))
          .extracting(AbcDecision::getQueryId)
          .filteredOn("q1"::equals)
          .hasSize(5);
      assertThat(refusals(pipeline))
          .containsExactly(
              "q3/0 EXHAUSTED",
              "q3/1 EXHAUSTED",
              "q3/2 EXHAUSTED",
              "q3/3 EXHAUSTED",
              "q3/4 EXHAUSTED");
    }
  }

  @Test
  void shouldChangeNothingOfScheduledReleasesByQueries() {
    List<String> alone;
    try (Fixture pipeline = new Fixture(YAML, state.resolve("alone"))) {
      closedWindow(pipeline);
      pipeline.event("bob", 32, "a");
      alone = payloads(pipeline.records("mix"));
    }
    try (Fixture pipeline = new Fixture(YAML, state.resolve("asked"))) {
      ask(pipeline, candidate("soft", "early", 0));
      closedWindow(pipeline);
      ask(pipeline, candidate("coin", "q", 0));
      pipeline.event("bob", 32, "a");
      ask(pipeline, candidate("sparse", "q", 0));
      assertThat(payloads(pipeline.records("mix"))).isEqualTo(alone).hasSize(2);
    }
  }

  private static List<String> payloads(List<ProducerRecord<byte[], byte[]>> records) {
    return records.stream()
        .map(
            r ->
                r.timestamp()
                    + Arrays.toString(r.headers().toArray())
                    + HexFormat.of().formatHex(r.key())
                    + HexFormat.of().formatHex(r.value()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @ParameterizedTest
  @CsvSource({"coin", "soft", "sparse"})
  void shouldGiveTheStoredAnswerToARepeatedCandidateForFree(String output) {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      closedWindow(pipeline);
      ask(pipeline, candidate(output, "q", 0));
      List<String> first = payloads(pipeline.records(output));
      for (int i = 0; i < 20; i++) {
        // Repeats come later; the answer keeps its bytes and its timestamp.
        ask(pipeline, Outputs.encode(candidate(output, "q", 0).build()), 60 + i);
        assertThat(payloads(pipeline.records(output))).isEqualTo(first).hasSize(1);
      }
      assertThat(pipeline.refusals()).isEmpty();
      ask(pipeline, candidate(output, "q", 0).setMean(boxed(FAR)));
      ask(pipeline, candidate(output, "q", 0).setParameters(List.of(7.0)));
      ask(pipeline, candidate(output, "q", 1).setCandidates(6));
      ask(pipeline, candidate(output, "q", 5));
      assertThat(refusals(pipeline))
          .containsExactly(
              "q/0 CONTENTS_DIFFER",
              "q/0 CONTENTS_DIFFER",
              "q/1 QUERY_DIFFERS",
              "q/5 BEYOND_QUERY");
      assertThat(pipeline.records(output)).isEmpty();
    }
  }

  @Test
  void shouldLetCandidatesWaitForTheirWindowAndAnswerThemAtItsClose() {
    List<String> asked;
    try (Fixture pipeline = new Fixture(YAML, state.resolve("after"))) {
      closedWindow(pipeline);
      IntStream.range(0, 4).forEach(i -> ask(pipeline, candidate("coin", "q", i)));
      asked = outcomes(decisions(pipeline, "coin"));
    }
    try (Fixture pipeline = new Fixture(YAML, state.resolve("before"))) {
      pipeline.event("ann", 1, "a");
      IntStream.range(0, 4).forEach(i -> ask(pipeline, candidate("coin", "q", i)));
      ask(pipeline, candidate("coin", "q", 0)); // waits already
      ask(pipeline, candidate("coin", "q", 4)); // one too many
      assertThat(pipeline.records("coin")).isEmpty();
      assertThat(refusals(pipeline)).containsExactly("q/4 WAITING_LIMIT");
      for (int i = 1; i < 40; i++) {
        pipeline.event("ann", 1, i % 2 == 0 ? "a" : "b");
      }
      pipeline.event("bob", 12, "a");
      assertThat(outcomes(decisions(pipeline, "coin")))
          .as("the answers of those who asked after the close")
          .isEqualTo(asked);
    }
  }

  private static List<String> outcomes(List<AbcDecision> decisions) {
    return decisions.stream()
        .map(d -> d.getCandidate() + ":" + d.getAccepted() + ":" + d.getReleaseId())
        .toList();
  }

  @Test
  void shouldHandBackTheChargeOfAQueryThatWasNeverAnswered() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("bob", 1, "a");
      // Nobody knows yet whether ann will have records.
      ask(pipeline, candidate("sparse", "gone", 0));
      ask(pipeline, candidate("sparse", "too-many", 0));
      assertThat(refusals(pipeline)).containsExactly("too-many/0 EXHAUSTED");
      pipeline.event("ann", 12, "a");
      assertThat(refusals(pipeline)).containsExactly("gone/0 UNKNOWN_SUBJECT");
      pipeline.event("bob", 22, "a");
      ask(
          pipeline,
          candidate("sparse", "next", 0)
              .setWindowStart(Instant.ofEpochMilli(Fixture.NOW + 10_000)));
      assertThat(decisions(pipeline, "sparse")).hasSize(1);
    }
  }

  @Test
  void shouldRefuseWhatWaitedTooLong() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      closedWindow(pipeline);
      AbcCandidate future =
          candidate("coin", "q", 0)
              .setWindowStart(Instant.ofEpochMilli(Fixture.NOW + 1_000_000))
              .build();
      ask(pipeline, Outputs.encode(future), 0);
      sendAt(pipeline, 22, 39);
      assertThat(refusals(pipeline)).isEmpty();
      sendAt(pipeline, 32, 41);
      assertThat(refusals(pipeline)).containsExactly("q/0 EXPIRED");
      // The reservation was handed back: two more queries fit.
      for (String query : List.of("q1", "q2", "q3")) {
        ask(
            pipeline,
            candidate("coin", query, 0)
                .setWindowStart(Instant.ofEpochMilli(Fixture.NOW + 10_000))
                .setSubject("bob"));
      }
      assertThat(decisions(pipeline, "coin")).hasSize(2);
      assertThat(refusals(pipeline)).containsExactly("q3/0 EXHAUSTED");
    }
  }

  /** A record at an event time and a Kafka time, in seconds. */
  private static void sendAt(Fixture pipeline, long second, long stamp) {
    pipeline
        .driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, Fixture.json("bob", second, "a"), Fixture.NOW + stamp * 1000);
  }

  @Test
  void shouldRefuseUnknownSubjectsAndDatasetsThatAreGone() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      // Before the first record of all it waits, like any other that is early.
      ask(pipeline, candidate("coin", "before-all", 0));
      assertThat(pipeline.refusals()).isEmpty();
      closedWindow(pipeline);
      ask(pipeline, candidate("coin", "q", 0).setSubject("nobody"));
      ask(pipeline, candidate("coin", "kept", 0));
      pipeline.event("bob", 32, "a");
      ask(pipeline, candidate("coin", "q", 1));
      // The answer outlives its dataset; a new candidate does not.
      ask(pipeline, candidate("coin", "kept", 0));
      ask(pipeline, candidate("coin", "kept", 1));
      assertThat(refusals(pipeline))
          .containsExactly("q/0 UNKNOWN_SUBJECT", "q/1 DATASET_GONE", "kept/1 DATASET_GONE");
      assertThat(decisions(pipeline, "coin")).hasSize(3);
      DatasetStore datasets =
          new DatasetStore(
              new StagedWrites(pipeline.driver.getKeyValueStore(Names.DATASET_STORE)),
              new Contents.Layout(Fixture.plan(YAML).pipeline()),
              () -> 0);
      assertThat(datasets.get(new DatasetStore.Key(Fixture.NOW, "ann"))).isEmpty();
      assertThat(datasets.get(new DatasetStore.Key(Fixture.NOW + 10_000, "bob"))).isPresent();
    }
  }

  @Test
  void shouldSendToDeadLettersWhatIsNoCandidate() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      closedWindow(pipeline);
      ask(pipeline, new byte[] {1, 2, 3}, 0);
      ask(pipeline, candidate("coin", "a b", 0));
      ask(pipeline, candidate("pie", "q", 0));
      ask(pipeline, candidate("coin", "q", 0).setCandidates(0));
      ask(pipeline, candidate("coin", "q", 0).setCandidates(11));
      ask(pipeline, candidate("coin", "q", -1));
      ask(
          pipeline,
          candidate("coin", "q", 0).setWindowStart(Instant.ofEpochMilli(Fixture.NOW + 1)));
      ask(pipeline, candidate("coin", "q", 0).setParameters(List.of(Double.NaN)));
      ask(pipeline, candidate("coin", "q", 0).setParameters(Collections.nCopies(101, 1.0)));
      ask(pipeline, candidate("coin", "q", 0).setMean(List.of(0.5, 0.5)));
      ask(pipeline, candidate("coin", "q", 0).setMean(List.of(0.5, 0.6, 0.0)));
      ask(pipeline, candidate("coin", "q", 0).setMean(List.of(1.5, -0.5, 0.0)));
      ask(pipeline, candidate("coin", "q", 0).setMean(List.of(Double.NaN, 0.5, 0.5)));
      ask(pipeline, candidate("coin", "q", 0).setMean(null));
      ask(pipeline, candidate("coin", "q", 0).setCounts(List.of(1L, 2L, 3L)));
      ask(pipeline, candidate("coin", "q", 0).setMean(null).setCounts(List.of(0L, 0L, 0L)));
      ask(pipeline, candidate("coin", "q", 0).setMean(null).setCounts(List.of(1L, -1L, 3L)));
      ask(pipeline, candidate("coin", "q", 0).setMean(null).setValues(List.of()));
      assertThat(pipeline.deadLetters().stream().map(l -> l.substring(l.indexOf(':') + 1)))
          .containsExactly(
              "BAD_CANDIDATE",
              "BAD_CANDIDATE",
              "UNKNOWN_OUTPUT",
              "BAD_QUERY_SIZE",
              "BAD_QUERY_SIZE",
              "BAD_QUERY_SIZE",
              "BAD_WINDOW",
              "BAD_PARAMETERS",
              "BAD_PARAMETERS",
              "BAD_FEATURE_MEAN",
              "BAD_FEATURE_MEAN",
              "BAD_FEATURE_MEAN",
              "BAD_FEATURE_MEAN",
              "BAD_PSEUDO_DATA",
              "BAD_PSEUDO_DATA",
              "BAD_PSEUDO_DATA",
              "BAD_PSEUDO_DATA",
              "BAD_PSEUDO_DATA");
      assertThat(pipeline.driver.getKeyValueStore(Names.QUERY_STORE).all()).isExhausted();
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  @Test
  void shouldStopASparseVectorQueryAfterItsAcceptances() {
    String sure =
        YAML.replace(
                "share: { epsilon: 2, delta: 1e-6 }, queries: 1",
                "share: { epsilon: 2000, delta: 1e-6 }, queries: 1")
            .replace("epsilon: 8", "epsilon: 2006");
    try (Fixture pipeline = new Fixture(sure, state)) {
      closedWindow(pipeline);
      double[][] means = {NEAR, FAR, NEAR, NEAR, FAR};
      for (int i = 0; i < means.length; i++) {
        ask(pipeline, candidate("sparse", "q", i).setMean(boxed(means[i])));
      }
      assertThat(decisions(pipeline, "sparse"))
          .extracting(AbcDecision::getAccepted)
          .containsExactly(true, false, true);
      assertThat(refusals(pipeline)).containsExactly("q/3 QUERY_OVER", "q/4 QUERY_OVER");
    }
  }

  /** Restored in the middle, a query goes on with the threshold that it had. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void shouldGoOnWithTheSameSecretThresholdAfterARestore(boolean redraw) {
    String yaml =
        YAML.replace("acceptances: 2", "acceptances: 9, redraw: " + redraw)
            .replace("queries: 1, candidates: 10", "queries: 1, candidates: 100");
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new JournalEntry.Genesis(0, new StateEpoch(7, 7)));
    for (int i = 0; i < 40; i++) {
      journal.add(new JournalEntry.Observation("ann", Fixture.NOW, i % 3, List.of(), 0));
    }
    journal.add(new JournalEntry.Watermark(0, Fixture.NOW + 10_000));
    for (int i = 0; i < 100; i++) {
      List<Double> mean = List.of(0.5 - i / 200.0, 0.5, i / 200.0);
      journal.add(
          new JournalEntry.Candidate("sparse", "q", i, 100, "ann", Fixture.NOW, List.of(), mean));
    }
    List<String> undisturbed = keep(yaml, journal, journal.size());
    for (int restart : new int[] {43, 60, 90}) {
      assertThat(keep(yaml, journal, restart)).isEqualTo(undisturbed);
    }
    assertThat(undisturbed).hasSizeGreaterThan(100);
  }

  /**
   * A permit knows how many places a query has; that each of them is answered once follows from the
   * store, whoever asks again, and whatever restarts.
   */
  @ParameterizedTest
  @CsvSource({"coin", "soft", "sparse"})
  void shouldDrawOneAnswerForEachPlaceOfAQuery(String output) {
    Plan plan = Fixture.plan(YAML.replace("acceptances: 2", "acceptances: 9, redraw: true"));
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new JournalEntry.Genesis(0, new StateEpoch(7, 7)));
    for (int i = 0; i < 40; i++) {
      journal.add(new JournalEntry.Observation("ann", Fixture.NOW, i % 2, List.of(), 0));
    }
    journal.add(new JournalEntry.Watermark(0, Fixture.NOW + 10_000));
    List<ReleaseId> drawn = new ArrayList<>();
    Deployment watched =
        Fixture.deployment(1, PipelineMeters.none())
            .watchedBy(
                (draw, input) -> drawn.add(draw.id()), () -> Fixture.slicesWhile(() -> true));
    KeeperRun keeper = new KeeperRun();
    keeper.run(plan, watched, journal);
    for (double[] mean : List.of(NEAR, FAR, NEAR)) {
      List<JournalEntry> asked =
          IntStream.range(0, 7)
              .mapToObj(
                  i ->
                      (JournalEntry)
                          new JournalEntry.Candidate(
                              output, "q", i, 5, "ann", Fixture.NOW, List.of(), boxed(mean)))
              .toList();
      keeper.run(plan, watched, asked);
    }
    assertThat(drawn)
        .filteredOn(id -> id.output().equals(output + "/q"))
        .extracting(ReleaseId::index)
        .containsExactly(0, 1, 2, 3, 4);
    List<Integer> thresholds =
        drawn.stream()
            .filter(id -> id.output().equals(output + "/q/threshold"))
            .map(ReleaseId::index)
            .toList();
    assertThat(thresholds)
        .as("the first one, and one after each acceptance")
        .isEqualTo(IntStream.range(0, thresholds.size()).boxed().toList());
    assertThat(thresholds.isEmpty()).isEqualTo(!output.equals("sparse"));
  }

  /**
   * However the candidates' topic is read beside the records': the same outputs, timestamps too, in
   * some order.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldAnswerTheSameHoweverFastEachTopicIsRead(long seed) {
    String yaml =
        YAML.replace("keep: 2", "keep: 50")
            .replace(", time: 40s", "")
            .replace("entries: 4", "entries: 100");
    List<JournalEntry> records = new ArrayList<>();
    records.add(new JournalEntry.Genesis(0, new StateEpoch(7, 7)));
    List<JournalEntry> candidates = new ArrayList<>();
    for (int window = 0; window < 4; window++) {
      long start = Fixture.NOW + window * 10_000L;
      for (int i = 0; i < 30; i++) {
        records.add(new JournalEntry.Observation("ann", start, (i + window) % 3, List.of(), 0));
      }
      records.add(new JournalEntry.Watermark(0, start + 10_000));
      for (int i = 0; i < 4; i++) {
        for (String output : List.of("coin", "soft", "sparse")) {
          candidates.add(
              new JournalEntry.Candidate(
                  output, "q" + window, i, 4, "ann", start, List.of(), List.of(0.4, 0.4, 0.2)));
        }
      }
    }
    List<JournalEntry> recordsFirst = new ArrayList<>(records);
    recordsFirst.addAll(candidates);
    List<JournalEntry> mixed = new ArrayList<>();
    Random random = new Random(seed);
    int next = 0;
    for (JournalEntry record : records) {
      while (next < candidates.size() && random.nextInt(4) == 0) {
        mixed.add(candidates.get(next++));
      }
      mixed.add(record);
    }
    mixed.addAll(candidates.subList(next, candidates.size()));
    List<String> expected = keep(yaml, recordsFirst, records.size());
    assertThat(expected).hasSizeGreaterThan(4 + 2 * 4 * 2);
    assertThat(keep(yaml, mixed, mixed.size() / 2)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** The keeper's outputs, with all but its stores lost after so many entries. */
  private static List<String> keep(String yaml, List<JournalEntry> journal, int restart) {
    KeeperRun keeper = new KeeperRun();
    List<String> outputs = new ArrayList<>();
    for (List<JournalEntry> part :
        List.of(journal.subList(0, restart), journal.subList(restart, journal.size()))) {
      keeper
          .run(Fixture.plan(yaml), Fixture.deployment(1, PipelineMeters.none()), part)
          .forEach(output -> outputs.add(output.toString()));
    }
    return outputs;
  }

  @Test
  void shouldAnswerByFeaturesOfNumbersAloneAndRejectBadOnes() {
    String yaml =
        """
        pipeline: test
        input: { topic: in, subject: who, time: at, values: [x, y] }
        features: { bandwidth: 0.7, count: 20 }
        window: { size: 10s, grace: 2s }
        budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
        releases:
          - abc: { name: coin, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
        """;
    try (Fixture pipeline = new Fixture(yaml, state)) {
      String record = "{\"who\":\"ann\",\"at\":%d,\"x\":%s,\"y\":2}";
      for (String x : List.of("1.5", "\"0.5\"", "\"NaN\"", "\"wide\"", "1e13", "null")) {
        pipeline.send(null, record.formatted(Fixture.NOW, x).getBytes());
      }
      pipeline.send(null, record.formatted(Fixture.NOW + 12_000, 1).getBytes());
      assertThat(pipeline.deadLetters())
          .containsExactly("2:BAD_VALUE", "3:BAD_VALUE", "4:BAD_VALUE", "5:BAD_VALUE");
      ask(
          pipeline,
          candidate("coin", "q", 0)
              .setMean(null)
              .setValues(List.of(List.of(1.0, 2.0), List.of(1.1, 2.0))));
      ask(pipeline, candidate("coin", "q", 1).setMean(null).setValues(List.of(List.of(1.0))));
      ask(
          pipeline,
          candidate("coin", "q", 1).setMean(null).setValues(List.of(List.of(1.0, Double.NaN))));
      ask(pipeline, candidate("coin", "q", 1).setMean(Collections.nCopies(20, 0.5)));
      assertThat(decisions(pipeline, "coin"))
          .singleElement()
          .satisfies(d -> assertThat(d.getRecords()).isEqualTo(2));
      assertThat(pipeline.deadLetters())
          .containsExactly("1:BAD_PSEUDO_DATA", "2:BAD_PSEUDO_DATA", "3:BAD_FEATURE_MEAN");
    }
  }
}
