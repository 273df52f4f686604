// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.release.Plans;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.EventIds;
import io.sfumato.topology.dataset.OpenDataset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where records are protected one by one, an event counts once for a subject and window. */
class CopiesOfRecordsTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], id: event }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 500000, delta: 1e-6, period: window }
      releases:
        - histogram: { name: numbers, method: laplace, share: { epsilon: 500000, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private static void send(Fixture pipeline, Object event, int second, String who, String what) {
    pipeline.sendJson(second, "'event':%s,'who':'%s','what':'%s'", event, who, what);
  }

  /** "subject [counts]": the noise is far below one record. */
  private static List<String> counts(Fixture pipeline) {
    return pipeline.releases("numbers").stream()
        .map(
            release ->
                release.getSubject()
                    + " "
                    + release.getProbabilities().stream()
                        .map(share -> Math.round(share * release.getRecords()))
                        .toList())
        .toList();
  }

  @Test
  void shouldCountAnEventOnceForItsSubjectAndWindow() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      send(pipeline, 1, 1, "ann", "a");
      send(pipeline, "\"1\"", 1, "ann", "a");
      send(pipeline, "1.0", 2, "ann", "a");
      send(pipeline, 2, 3, "ann", "b");
      send(pipeline, 1, 3, "bob", "b");
      send(pipeline, 1, 13, "ann", "a");
      send(pipeline, "null", 13, "ann", "a");
      send(pipeline, 3, 33, "ann", "a");
      assertThat(counts(pipeline))
          .containsExactlyInAnyOrder("ann [1, 1]", "bob [0, 1]", "ann [1, 0]");
      assertThat(pipeline.deadLetters()).singleElement().asString().endsWith(":NO_ID");
    }
  }

  /** What is known of events is bounded: a window with more is refused, and costs nothing. */
  @Test
  void shouldRefuseAWindowWithMoreEventsThanAreToldApart() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      for (int event = 0; event <= EventIds.MOST; event++) {
        send(pipeline, event, 1, "ann", "a");
      }
      send(pipeline, 0, 2, "bob", "b");
      for (int event = 0; event < EventIds.MOST; event++) {
        send(pipeline, event, 11, "ann", "a");
      }
      send(pipeline, 0, 33, "bob", "b");
      assertThat(counts(pipeline))
          .containsExactlyInAnyOrder("bob [0, 1]", "ann [%d, 0]".formatted(EventIds.MOST));
      List<Refusal> refusals = pipeline.refusals();
      assertThat(refusals)
          .extracting(r -> r.getOutput() + " " + r.getCode() + " " + r.getSubject())
          .containsExactly("numbers TOO_MANY_EVENTS ann");
    }
  }

  /** From contents that are written and read again at any time. */
  @Property
  void shouldCountEachEventOnceInAnyOrder(@ForAll long seed) {
    Random random = new Random(seed);
    Pipeline pipeline;
    try {
      pipeline = Plans.plan(YAML).pipeline();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    Contents.Layout layout = new Contents.Layout(pipeline);
    int events = 1 + random.nextInt(20);
    long[] expected = new long[2];
    List<Observation> records = new ArrayList<>();
    for (int event = 0; event < events; event++) {
      int category = random.nextInt(2);
      expected[category]++;
      for (int copies = random.nextInt(4); copies >= 0; copies--) {
        records.add(new Observation("ann", 0, category, List.of(), event * 0x9E3779B97F4A7C15L));
      }
    }
    for (int order = 0; order < 4; order++) {
      Collections.shuffle(records, random);
      DatasetStore.Key key = new DatasetStore.Key(0, "ann");
      OpenDataset dataset = new OpenDataset(key, layout.empty(), layout);
      for (Observation record : records) {
        dataset.add(record);
        if (random.nextBoolean()) {
          byte[] written = ContentsCodec.encode(dataset.contents());
          dataset = new OpenDataset(key, ContentsCodec.decode(written, layout), layout);
        }
      }
      assertThat(dataset.contents().histogram().orElseThrow().counts()).isEqualTo(expected);
      assertThat(dataset.contents().events().orElseThrow().ranks()).hasSize(events);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id: event | id: what | 'input.id': found 'what' with unit 'record', which protects 'what'",
        "id: event | id: what.id | 'input.id': found 'what.id' with unit 'record', which protects 'what'",
        "id: event | id: '$topic' | 'input.id': found '$topic'",
        "unit: record | unit: dataset | 'input.id': found with unit 'dataset'",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThatThrownBy(() -> Plans.plan(YAML.replace(part, other))).hasMessageContaining(expected);
  }
}
