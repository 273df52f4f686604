// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From records and candidates to answers by the clipped distance of summaries. */
class SummaryQueriesTest {
  private static final String SUMMARIES =
      "distance: summaries, clip: 4, summaries: [{ mean: x, scale: 20 }, { deviation: x, scale: 10"
          + " }, { quantile: y, at: 0.5, scale: 1 }, { share: b, scale: 0.1 }]";

  /** Budgets under which the noise is a thirtieth of the clip: a test is told what was asked. */
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 9000, delta: 1e-5 }
      releases:
        - abc: { name: coin, threshold: 2, share: { epsilon: 3000, delta: 1e-6 }, queries: 1, candidates: 10, SUMMARIES }
        - abc: { name: soft, method: soft, threshold: 2, share: { epsilon: 3000, delta: 1e-6 }, queries: 1, candidates: 10, SUMMARIES }
        - abc: { name: sparse, method: sparse-vector, acceptances: 2, threshold: 2, share: { epsilon: 3000, delta: 1e-6 }, queries: 1, candidates: 10, SUMMARIES }
      """
          .replace("SUMMARIES", SUMMARIES);

  /** Of the forty records: the mean of x is 119.5, its deviation 11.54, the median of y 19. */
  private static final List<Double> NEAR = List.of(119.5, 11.5, 19.0, 0.5);

  /** Beyond the clip in the first alone. */
  private static final List<Double> FAR = List.of(219.5, 11.5, 19.0, 0.5);

  @TempDir Path state;

  private static AbcCandidate.Builder candidate(String output, int index) {
    return AbcCandidate.newBuilder()
        .setOutput(output)
        .setQueryId("q")
        .setCandidate(index)
        .setCandidates(4)
        .setSubject("ann")
        .setWindowStart(Instant.ofEpochMilli(Fixture.NOW))
        .setParameters(List.of((double) index))
        .setMean(NEAR);
  }

  private static void ask(Fixture pipeline, AbcCandidate.Builder candidate) {
    pipeline
        .driver
        .createInputTopic("test-candidates", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, Outputs.encode(candidate.build()), Fixture.NOW);
  }

  private static byte[] event(String who, long second, String what, double x, double y) {
    return String.format(
            Locale.ROOT,
            "{\"who\":\"%s\",\"at\":%d,\"what\":\"%s\",\"x\":%s,\"y\":%s}",
            who,
            Fixture.NOW + second * 1000,
            what,
            x,
            y)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<byte[]> fortyRecords() {
    return new ArrayList<>(
        IntStream.range(0, 40)
            .mapToObj(i -> event("ann", 1, i % 2 == 0 ? "a" : "b", 100 + i, i))
            .toList());
  }

  private static void close(Fixture pipeline, List<byte[]> records) {
    records.forEach(record -> pipeline.send(null, record));
    pipeline.send(null, event("bob", 12, "a", 1, 1));
  }

  /** A wrong answer of any kind has a chance below 1e-9: eight deviations, or 30 scales. */
  @Test
  void shouldAnswerByTheDistanceOfSummaries() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      close(pipeline, fortyRecords());
      List<List<Double>> asked = List.of(NEAR, FAR, NEAR, NEAR);
      for (int i = 0; i < asked.size(); i++) {
        ask(pipeline, candidate("coin", i).setMean(asked.get(i)));
        ask(pipeline, candidate("soft", i).setMean(asked.get(i)));
        ask(pipeline, candidate("sparse", i).setMean(asked.get(i)));
      }
      List<AbcDecision> coins = pipeline.releases("coin", AbcDecision.class);
      assertThat(coins)
          .extracting(AbcDecision::getAccepted)
          .containsExactly(true, false, true, true);
      assertThat(coins.get(0).getRecords()).isEqualTo(40);
      assertThat(pipeline.releases("sparse", AbcDecision.class))
          .extracting(AbcDecision::getAccepted)
          .containsExactly(true, false, true);
      List<AbcWeight> weights = pipeline.releases("soft", AbcWeight.class);
      double noise = weights.get(0).getNoiseScale() / 2;
      assertThat(weights.get(0).getNoisyDistance()).isCloseTo(0, within(7 * noise));
      assertThat(weights.get(1).getNoisyDistance())
          .as("five scales away, clipped at four, in thresholds of two")
          .isCloseTo(2, within(7 * noise));
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** Records in any order, pseudo-data as they are or summed up: the same bytes. */
  @ParameterizedTest
  @CsvSource({"coin", "soft", "sparse"})
  void shouldForgetTheOrderOfRecords(String output) {
    List<String> told = new ArrayList<>();
    for (int order = 0; order < 3; order++) {
      List<byte[]> records = fortyRecords();
      Collections.shuffle(records, new Random(order));
      try (Fixture pipeline = new Fixture(YAML, state.resolve(output + order))) {
        close(pipeline, records);
        ask(pipeline, candidate(output, 0));
        ask(
            pipeline,
            candidate(output, 1)
                .setMean(null)
                .setValues(List.of(List.of(110.0, 19.0), List.of(129.0, 20.0)))
                .setCounts(List.of(1L, 1L, 0L)));
        told.add(
            pipeline.records(output).stream()
                .map(record -> HexFormat.of().formatHex(record.value()))
                .toList()
                .toString());
      }
    }
    assertThat(told).doesNotContain("[]");
    assertThat(told.get(1)).isEqualTo(told.get(0));
    assertThat(told.get(2)).isEqualTo(told.get(0));
  }

  @Test
  void shouldSendToDeadLettersWhatCannotBeSummedUp() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      close(pipeline, fortyRecords());
      List<List<Double>> rows = List.of(List.of(1.0, 2.0));
      List<Long> counts = List.of(1L, 0L, 0L);
      ask(pipeline, candidate("coin", 0).setMean(List.of(1.0, 2.0, 3.0)));
      ask(pipeline, candidate("coin", 0).setMean(List.of(1.0, 2.0, 3.0, Double.NaN)));
      ask(pipeline, candidate("coin", 0).setMean(List.of(1.0, 2.0, 3.0, 1e13)));
      ask(pipeline, candidate("coin", 0).setMean(null));
      ask(pipeline, candidate("coin", 0).setValues(rows).setCounts(counts));
      ask(pipeline, candidate("coin", 0).setMean(null).setValues(rows));
      ask(pipeline, candidate("coin", 0).setMean(null).setCounts(counts));
      ask(pipeline, candidate("coin", 0).setMean(null).setValues(List.of()).setCounts(counts));
      ask(
          pipeline,
          candidate("coin", 0).setMean(null).setValues(List.of(List.of(1.0))).setCounts(counts));
      ask(
          pipeline,
          candidate("coin", 0)
              .setMean(null)
              .setValues(List.of(List.of(1.0, Double.POSITIVE_INFINITY)))
              .setCounts(counts));
      ask(
          pipeline,
          candidate("coin", 0).setMean(null).setValues(rows).setCounts(List.of(0L, 0L, 0L)));
      ask(
          pipeline,
          candidate("coin", 0)
              .setMean(null)
              .setValues(rows)
              .setCounts(List.of(Long.MAX_VALUE, Long.MAX_VALUE, 0L)));
      List<String> codes =
          pipeline.deadLetters().stream().map(l -> l.substring(l.indexOf(':') + 1)).toList();
      assertThat(codes.subList(0, 3)).containsOnly("BAD_FEATURE_MEAN");
      assertThat(codes.subList(3, codes.size())).hasSize(9).containsOnly("BAD_PSEUDO_DATA");
      assertThat(pipeline.records("coin")).isEmpty();
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  @Test
  void shouldAnswerNothingOfAnEmptyDataset() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      close(pipeline, List.of(event("eve", 1, "a", 1, 1)));
      ask(pipeline, candidate("coin", 0));
      assertThat(pipeline.records("coin")).isEmpty();
      assertThat(pipeline.refusals()).hasSize(1);
    }
  }

  @Test
  void shouldSayInThePlanThatMoreRecordsDoNotHelp() {
    String modest =
        YAML.replace("epsilon: 9000", "epsilon: 9").replace("epsilon: 3000", "epsilon: 3");
    assertThat(PlanReport.text(Fixture.plan(modest)))
        .contains("rejection, by the distance of summaries")
        .contains(
            "summaries  clipped at 4, which is the sensitivity, however many records,"
                + " mean of x / 20, deviation of x / 10, quantile 0.5 of y / 1, share of b / 0.1")
        .contains("whatever the number of records");
    assertThat(PlanReport.json(Fixture.plan(modest)))
        .contains("\"distance\" : \"summaries\"", "\"mean of x / 20\"", "\"clip\" : 4");
    assertThat(PlanReport.text(Fixture.plan(YAML)))
        .doesNotContain("whatever the number of records");
  }

  /** What datasets keep, and what is measured, are another state and another file. */
  @Test
  void shouldTellOtherSummariesFromThese() {
    Plan plan = Fixture.plan(YAML);
    assertThat(plan.layout().get("features")).isEqualTo("none, sums of [0 in 2^-29]");
    assertThat(plan.pipeline().reservoir()).contains(256);
    for (String other : List.of("clip: 4|clip: 5", "scale: 1 |scale: 2 ", "at: 0.5|at: 0.6")) {
      String[] change = other.split("\\|");
      assertThat(YAML).contains(change[0]);
      Plan changed = Fixture.plan(YAML.replace(change[0], change[1]));
      assertThat(changed.digestText()).isNotEqualTo(plan.digestText());
      assertThat(changed.layout()).isEqualTo(plan.layout());
    }
    Plan finer = Fixture.plan(YAML.replace("scale: 10 ", "scale: 1 "));
    assertThat(finer.layout()).isNotEqualTo(plan.layout());
    Plan none =
        Fixture.plan(
            YAML.replace(SUMMARIES, "distance: categories")
                .replace("threshold: 2", "threshold: 1"));
    assertThat(none.layout().get("features")).isEqualTo("none");
  }
}
