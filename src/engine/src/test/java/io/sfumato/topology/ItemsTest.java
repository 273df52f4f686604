// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.release.Plans;
import io.sfumato.release.mollifier.PlannedMollifier;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.Reservoir;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemsTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      subjects: roster
      budget: { name: test, unit: dataset, epsilon: 12 }
      releases:
        - mollifier: { name: taste, items: 2, share: { epsilon: 12 }, windows: 3 }
      """;

  private static final String NUMBERS =
      YAML.replace(
              "categories: [a, b, c] }", "categories: [a, b, c], values: [x, y] }\nreservoir: 8")
          .replace(
              "windows: 3",
              "windows: 3, reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] }");

  @TempDir Path state;

  private static void enrol(Fixture pipeline, String... subjects) {
    for (String subject : subjects) {
      pipeline.command(ControlCommand.ENROL, subject, 0);
    }
  }

  private static List<MollifiedSample> items(List<ProducerRecord<byte[], byte[]>> records) {
    return records.stream().map(r -> (MollifiedSample) Outputs.decodeAny(r.value())).toList();
  }

  private static void numbers(Fixture pipeline, String who, long second, Random random) {
    pipeline.sendJson(
        second,
        "'who':'%s','what':'b','x':%s,'y':%s",
        who,
        1 + 0.1 * random.nextGaussian(),
        -1 + 0.1 * random.nextGaussian());
  }

  @Test
  void shouldAnswerEveryEnrolledSubjectEveryWindowWithoutSayingHowManyRecords() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      enrol(pipeline, "ann", "bob");
      pipeline.tick(0);
      for (int i = 0; i < 50; i++) {
        pipeline.event("ann", 1, "c");
      }
      pipeline.event("eve", 1, "a");
      pipeline.tick(22);
      List<MollifiedSample> items = items(pipeline.records("taste"));
      assertThat(items)
          .extracting(i -> i.getSubject() + i.getWindowStart().getEpochSecond() % 100 + i.getItem())
          .hasSize(8)
          .doesNotHaveDuplicates();
      assertThat(items).extracting(MollifiedSample::getSubject).containsOnly("ann", "bob");
      assertThat(items)
          .allSatisfy(
              item -> {
                assertThat(item.getCategory()).isIn("a", "b", "c");
                assertThat(item.getEpsilon()).isEqualTo(2);
                assertThat(item.getGuarantee().getUnit()).isEqualTo("dataset");
                assertThat(item.getGuarantee().getAdjacency()).startsWith("any two datasets");
                assertThat(item.getGuarantee().getClock()).isEqualTo("ticks");
                assertThat(item.getGuarantee().getEpsilon()).isEqualTo(12);
                assertThat(item.getGuarantee().getDelta()).isZero();
              });
      assertThat(MollifiedSample.getClassSchema().getField("records")).isNull();
    }
  }

  /** Presence is hidden: all that can be seen beside the items themselves is the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldShowTheSameScheduleWithAndWithoutASubjectsRecords(boolean numeric) {
    String yaml = numeric ? NUMBERS : YAML;
    List<List<String>> seen = new ArrayList<>();
    for (int records : new int[] {0, 1, 40}) {
      try (Fixture pipeline = new Fixture(yaml, state.resolve(numeric + "" + records))) {
        enrol(pipeline, "ann", "bob");
        pipeline.tick(0);
        for (int i = 0; i < records; i++) {
          if (numeric) {
            numbers(pipeline, "ann", i % 20, new Random(i));
          } else {
            pipeline.event("ann", i % 20, "c");
          }
        }
        pipeline.tick(22);
        pipeline.tick(52);
        List<String> shown = new ArrayList<>();
        for (String topic : List.of("taste", "test-refusals")) {
          for (ProducerRecord<byte[], byte[]> r : pipeline.records(topic)) {
            shown.add(
                topic
                    + new String(r.key(), StandardCharsets.UTF_8)
                    + Arrays.toString(r.headers().toArray())
                    + r.timestamp());
          }
        }
        seen.add(shown);
      }
    }
    assertThat(seen.get(0)).hasSize(2 * 2 * 3 + 2);
    assertThat(seen.get(1)).isEqualTo(seen.get(0));
    assertThat(seen.get(2)).isEqualTo(seen.get(0));
  }

  @Test
  void shouldDrawFromABoundedSampleOfNumbers() {
    try (Fixture pipeline = new Fixture(NUMBERS, state)) {
      enrol(pipeline, "ann");
      pipeline.tick(0);
      Random random = new Random(3);
      for (int i = 0; i < 30; i++) {
        numbers(pipeline, "ann", 1, random);
      }
      DatasetStore datasets =
          new DatasetStore(
              new StagedWrites(pipeline.driver.getKeyValueStore(Names.DATASET_STORE)),
              new Contents.Layout(Fixture.plan(NUMBERS).pipeline()),
              () -> 0);
      Contents contents =
          Revealed.of(
              datasets.get(new DatasetStore.Key(Fixture.NOW, "ann")).orElseThrow().contents());
      assertThat(contents.reservoir().orElseThrow().records()).hasSize(8);
      assertThat(contents.histogram().orElseThrow().size()).isEqualTo(30);
      pipeline.tick(12);
      assertThat(items(pipeline.records("taste")))
          .hasSize(2)
          .allSatisfy(item -> assertThat(item.getValues()).hasSize(2));
    }
  }

  /** At an epsilon that no pool's band takes, the best of what is left is taken. */
  @ParameterizedTest
  @ValueSource(strings = {"30", "54", "60", "100"})
  void shouldChooseAmongWhatFits(String epsilon) throws Exception {
    String yaml =
        NUMBERS
            .replace("items: 2", "items: 1, sampler: best")
            .replace("windows: 3", "windows: 1")
            .replace("epsilon: 12", "epsilon: " + epsilon);
    Plan plan = Plans.plan(yaml);
    assertThat(PlanReport.text(plan)).contains("epsilon_item = " + epsilon);
    String boosted = yaml.replace("sampler: best", "sampler: mollifier");
    assertThat(PlanReport.text(Plans.plan(boosted)))
        .contains("'sampler: projection' uses all of epsilon");
  }

  /** Items that no record could be, or that show the steps of a double, are told of at once. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gaussians: [ { mean: [0, 2e12], deviation: [1, 1] } ] | the reference of 'y' reaches 2.00e+12",
        "uniform: { low: [-1e18, 0], high: [0, 1] } | 'x' reaches 1.00e+18, and records beyond 1e12 are dead letters",
        "uniform: { low: [1e12, 0], high: [1000000000001, 1] } | larger unit",
        "uniform: { low: [1e11, 0], high: [100000000001, 1] } | of 'x' is so narrow for numbers around 1.00e+11 that they have 1.89e+04 steps in a deviation: subtract",
        "uniform: { low: [-1e12, 0], high: [1e12, 1] } | ''",
        "gaussians: [ { mean: [1e6, -1e6], deviation: [1, 1] } ] | ''",
      })
  void shouldWarnOfNumbersBeyondRecords(String numbers, String expected) {
    String yaml =
        NUMBERS
            .replace("gaussians: [ { mean: [0, 0], deviation: [1, 1] } ]", numbers)
            .replace("items: 2", "items: 2, sampler: projection, pool: 64");
    assertThat(yaml).contains(numbers);
    String text = PlanReport.text(Fixture.plan(yaml));
    if (expected.isEmpty()) {
      assertThat(text).doesNotContain("warning");
    } else {
      assertThat(text).contains("  warning    ", expected);
    }
  }

  /** A file has one charge and one digest, whatever the machine's language and its digits. */
  @Test
  void shouldNotDependOnTheLanguage() throws Exception {
    Locale usual = Locale.getDefault();
    for (String sampler : List.of("projection, estimator: logistic", "mollifier", "projection")) {
      String yaml = NUMBERS.replace("items: 2", "items: 2, sampler: " + sampler);
      String here = Fixture.plan(yaml).digestText();
      try {
        Locale.setDefault(new Locale("ar", "EG"));
        assertThat("%d".formatted(7)).isNotEqualTo("7");
        assertThat(Plans.fresh(yaml).digestText()).isEqualTo(here);
      } finally {
        Locale.setDefault(usual);
      }
    }
  }

  /** Every item is a point of the public pool, near to the records where epsilon is large. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sampler: projection, pool: 512",
        "sampler: projection, pool: 512, band: minimax, largest-ratio: 20",
        "sampler: projection, pool: 512, estimator: logistic",
        "sampler: clipped, pool: 512, largest-ratio: 20",
        "sampler: best"
      })
  void shouldDrawFromAPublicPool(String sampler) {
    String yaml =
        NUMBERS.replace("items: 2", "items: 40, " + sampler).replace("epsilon: 12", "epsilon: 500");
    PooledItems mechanism =
        (PooledItems) Fixture.plan(yaml).all(PlannedMollifier.class).get(0).plan().mechanism();
    List<MollifiedSample> items;
    try (Fixture pipeline = new Fixture(yaml, state)) {
      enrol(pipeline, "ann");
      pipeline.tick(0);
      Random random = new Random(3);
      for (int i = 0; i < 30; i++) {
        numbers(pipeline, "ann", 1, random);
      }
      pipeline.tick(12);
      items = items(pipeline.records("taste"));
    }
    assertThat(items).hasSize(40);
    Set<List<Double>> pool =
        mechanism.pool().stream()
            .map(point -> Arrays.stream(point.numbers()).boxed().toList())
            .collect(Collectors.toSet());
    assertThat(items).allSatisfy(item -> assertThat(pool).contains(item.getValues()));
    // At epsilon 4 an item of ann, who is around (1, -1), is nearer to it than one of anybody.
    assertThat(items)
        .filteredOn(item -> item.getValues().get(0) > 0 && item.getValues().get(1) < 0)
        .hasSizeGreaterThan(20);
  }

  /** The K smallest ranks, whatever the order of arrival. */
  @Property(tries = 200)
  void aReservoirForgetsTheOrder(
      @ForAll @IntRange(min = 1, max = 10) int capacity,
      @ForAll @IntRange(max = 40) int size,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Reservoir.Ranked> records = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      // Few ranks, so that some are equal.
      records.add(
          new Reservoir.Ranked(random.nextInt(30), new Point(0, new double[] {random.nextInt(3)})));
    }
    List<Reservoir.Ranked> kept = kept(capacity, records);
    Collections.shuffle(records, random);
    assertThat(kept(capacity, records)).isEqualTo(kept).hasSize(Math.min(capacity, size));
    assertThat(kept.stream().mapToLong(Reservoir.Ranked::rank).toArray())
        .isEqualTo(
            records.stream().mapToLong(Reservoir.Ranked::rank).sorted().limit(capacity).toArray());
  }

  private static List<Reservoir.Ranked> kept(int capacity, List<Reservoir.Ranked> records) {
    Reservoir reservoir = new Reservoir(capacity, List.of());
    for (Reservoir.Ranked record : records) {
      reservoir = reservoir.plus(record);
    }
    return reservoir.records();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "epsilon: 12 }, windows | epsilon: 0 }, windows | 'releases[0].mollifier.share.epsilon': found '0'",
        "items: 2 | items: 0 | 'releases[0].mollifier.items': found '0'",
        "clock: ticks | clock: records | needs 'window.clock: ticks'",
        "unit: dataset, epsilon: 12 | unit: record, epsilon: 12, delta: 1e-6 | ~~",
        "windows: 3 | windows: 3, reference: { categories: [1, 0, 1] } | found 0.0, allowed is numbers above 0",
        "windows: 3 | windows: 3, reference: { categories: [1, 1] } | allowed is a list of 3 numbers",
        "windows: 3 | windows: 3, learner: stumps | 'releases[0].mollifier.learner': found 'stumps', allowed is with numbers and sampler mollifier only",
        "windows: 3 | windows: 3, sampler: nearest | one of mollifier, clipped, projection, best",
        "windows: 3 | windows: 3, sampler: best | of categories alone 'mollifier' is the projection itself",
        "windows: 3 | windows: 3, sampler: projection | with numbers only",
        "windows: 3 | windows: 3, plan-size: 9 | 'releases[0].mollifier.plan-size': found '9', allowed is with numbers only",
        "windows: 3 | windows: 3, reference: { categories: [1, 1, 1e-30] } | too rare in the reference",
        "subjects: roster | reservoir: 5 | needs 'window.clock: ticks' and 'subjects: roster'",
        "- mollifier: { name: taste, items: 2, | - histogram: { name: taste, | protects the unit 'record'",
      })
  void shouldRefuseWhatCannotBePrivate(String good, String bad, String expected) throws Exception {
    assertThat(YAML).contains(good);
    String yaml = YAML.replace(good, bad);
    if (expected.isEmpty()) {
      // Items protect whole datasets, hence records.
      Plans.plan(yaml);
      return;
    }
    String delta = yaml.replace("share: { epsilon: 12 }", "share: { epsilon: 12, delta: 1e-9 }");
    String fixed =
        bad.contains("histogram")
            ? delta.replace("epsilon: 12 }\n", "epsilon: 12, delta: 1e-6 }\n")
            : yaml;
    assertThatThrownBy(() -> Plans.plan(fixed))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "reservoir: 8 | reservoir: 0 | 'reservoir': found '0'",
        "deviation: [1, 1] | deviation: [1, 0] | deviations above 0",
        "deviation: [1, 1] | deviation: [1] | allowed is a list of 2 numbers",
        "gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] | gaussians: [] | full support",
        "windows: 3 | windows: 3, sampler: clipped, bins: 4 | a reference that is uniform only",
        "windows: 3 | windows: 3, sampler: projection, learner: stumps | sampler mollifier only",
        "windows: 3 | windows: 3, sampler: projection, largest-ratio: 4 | with sampler projection and 'band: minimax', or clipped of Gaussians, only",
        "windows: 3 | windows: 3, sampler: projection, band: minimax, largest-ratio: 1 | above 1: how many times the reference",
        "windows: 3 | windows: 3, sampler: projection, features: 20 | with logistic regression only",
        "windows: 3 | windows: 3, sampler: projection, estimator: logistic, features: 5 | an even number",
        "windows: 3 | windows: 3, sampler: projection, pool: 8 | 'releases[0].mollifier.pool': found '8'",
        "windows: 3 | windows: 3, sampler: best, pool: 64 | or clipped of Gaussians, only",
        "windows: 3 | windows: 3, learner: stumps, ridge: 0.1 | with logistic regression only",
        "windows: 3 | windows: 3, sampler: projection, pool: 100000 | which would take minutes a subject, allowed is at most 65536",
        "windows: 3 | windows: 3, sampler: projection, estimator: logistic, features: 1000 | which would take minutes a subject, allowed is none with so many numbers, categories or features",
        "gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] | uniform: { low: [-1.7e308, 0], high: [1.7e308, 1] } | a finite width",
        "gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] | uniform: { low: [0, 0], high: [1, 0] } | low below high",
        "deviation: [1, 1] | deviation: [1, 1e-300] | a deviation of 'y' whose square is 0 or infinite, allowed is a scale between",
        "deviation: [1, 1] | deviation: [1e300, 1] | give records and reference in another unit",
        "windows: 3, reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] } | windows: 3, sampler: clipped, bins: 200, reference: { uniform: { low: [0, 0], high: [1, 1] } } | too many cells",
      })
  void shouldRefuseReferencesWithoutFullSupport(String good, String bad, String expected) {
    assertThat(NUMBERS).contains(good);
    assertThatThrownBy(() -> Plans.plan(NUMBERS.replace(good, bad)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }
}
