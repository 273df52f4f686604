// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.Reservoir;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.StagedStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
      pipeline.control(
          Outputs.encode(
              ControlEntry.newBuilder()
                  .setCommand(ControlCommand.ENROL)
                  .setSubject(subject)
                  .setFrom(Instant.ofEpochMilli(Fixture.NOW))
                  .build()));
    }
  }

  private static List<MollifiedSample> items(List<ProducerRecord<byte[], byte[]>> records) {
    return records.stream().map(r -> (MollifiedSample) Outputs.decodeAny(r.value())).toList();
  }

  private static void numbers(Fixture pipeline, String who, long second, Random random) {
    pipeline.send(
        null,
        "{\"who\":\"%s\",\"at\":%d,\"what\":\"b\",\"x\":%s,\"y\":%s}"
            .formatted(
                who,
                Fixture.NOW + second * 1000,
                1 + 0.1 * random.nextGaussian(),
                -1 + 0.1 * random.nextGaussian())
            .getBytes(StandardCharsets.UTF_8));
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
              new StagedStore(pipeline.driver.getKeyValueStore(Names.DATASET_STORE)),
              new Contents.Layout(Fixture.plan(NUMBERS).pipeline()),
              () -> 0);
      Contents contents = datasets.get(new DatasetStore.Key(Fixture.NOW, "ann")).orElseThrow();
      assertThat(contents.reservoir().orElseThrow().records()).hasSize(8);
      assertThat(contents.histogram().orElseThrow().size()).isEqualTo(30);
      pipeline.tick(12);
      assertThat(items(pipeline.records("taste")))
          .hasSize(2)
          .allSatisfy(item -> assertThat(item.getValues()).hasSize(2));
    }
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
        "windows: 3 | windows: 3, learner: stumps | 'releases[0].mollifier.learner': found where nothing is learned",
        "windows: 3 | windows: 3, sampler: best | one of mollifier, clipped",
        "windows: 3 | windows: 3, reference: { categories: [1, 1, 1e-30] } | too rare in the reference",
        "subjects: roster | reservoir: 0 | needs 'window.clock: ticks' and 'subjects: roster'",
        "- mollifier: { name: taste, items: 2, | - histogram: { name: taste, | protects the unit 'record'",
      })
  void shouldRefuseWhatCannotBePrivate(String good, String bad, String expected) throws Exception {
    assertThat(YAML).contains(good);
    String yaml = YAML.replace(good, bad);
    if (expected.isEmpty()) {
      // Items protect whole datasets, hence records.
      Plan.of("p.yaml", PipelineFile.parse("p.yaml", yaml));
      return;
    }
    String delta = yaml.replace("share: { epsilon: 12 }", "share: { epsilon: 12, delta: 1e-9 }");
    String fixed =
        bad.contains("histogram")
            ? delta.replace("epsilon: 12 }\n", "epsilon: 12, delta: 1e-6 }\n")
            : yaml;
    assertThatThrownBy(() -> Plan.of("p.yaml", PipelineFile.parse("p.yaml", fixed)))
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
        "windows: 3 | windows: 3, sampler: clipped | only where the reference is uniform",
        "gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] | uniform: { low: [0, 0], high: [1, 0] } | low below high",
        "windows: 3 | windows: 3, sampler: clipped, bins: 200 | too many cells",
      })
  void shouldRefuseReferencesWithoutFullSupport(String good, String bad, String expected) {
    assertThat(NUMBERS).contains(good);
    assertThatThrownBy(
            () -> Plan.of("p.yaml", PipelineFile.parse("p.yaml", NUMBERS.replace(good, bad))))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }
}
