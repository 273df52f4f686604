// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SkippedUnknownException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which records do not count, and when a task asks for it. */
class OperatorOrdersTest {
  @TempDir Path state;

  /** What is shown: the same records in as few places. */
  @Test
  void shouldSayOverlappingSpansOnce() {
    OperatorOrders places =
        OperatorOrders.of(
            List.of(
                new RecordSpan(1, 5, 9),
                new RecordSpan(0, 20, 29),
                RecordSpan.at(0, 3),
                new RecordSpan(0, 25, 40),
                RecordSpan.at(0, 41),
                RecordSpan.at(0, 3)));
    assertThat(places.spans())
        .containsExactly(RecordSpan.at(0, 3), new RecordSpan(0, 20, 41), new RecordSpan(1, 5, 9));
  }

  @Test
  void shouldHoldWhatAnyOfItsSpansHolds() {
    Random random = new Random(19);
    for (int round = 0; round < 300; round++) {
      List<RecordSpan> spans = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        long first = random.nextInt(30);
        spans.add(new RecordSpan(random.nextInt(2), first, first + random.nextInt(6)));
      }
      OperatorOrders places = OperatorOrders.of(spans);
      for (int partition = 0; partition < 3; partition++) {
        for (long offset = 0; offset < 40; offset++) {
          int p = partition;
          long o = offset;
          assertThat(places.contains(p, o))
              .as("%s in %d@%d", spans, p, o)
              .isEqualTo(
                  spans.stream().anyMatch(s -> s.source() == p && s.first() <= o && o <= s.last()));
        }
      }
    }
  }

  @Test
  void shouldTakeNoSpanThatIsNone() {
    assertThatThrownBy(() -> new RecordSpan(0, 3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RecordSpan.at(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RecordSpan.at(0, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(new RecordSpan(3, 18, 18).text(new TopicPartition("in", 3))).isEqualTo("in-3@18");
    assertThat(new RecordSpan(3, 18, 20).text(new TopicPartition("in", 3)))
        .isEqualTo("in-3@18..20");
  }

  /** What was said after an instance had started, and before it joined again, holds. */
  @Test
  void shouldAskWhenATaskBeginsAndNotWhenTheProgramDoes() {
    AtomicReference<OperatorOrders> said = new AtomicReference<>(OperatorOrders.none());
    Fixture.Counts counts = new Fixture.Counts();
    Topology topology = topology(counts, said::get);
    said.set(OperatorOrders.of(List.of(new RecordSpan(0, 1, 2))));
    try (TopologyTestDriver driver = driver(topology)) {
      for (int i = 0; i < 4; i++) {
        driver
            .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
            .pipeInput(new byte[0], new byte[0]);
      }
      assertThat(counts.seen).containsEntry("SKIPPED", 2);
    }
  }

  @Test
  void shouldReadNothingWithoutKnowing() {
    Topology topology =
        topology(
            new Fixture.Counts(),
            () -> {
              throw new SkippedUnknownException("no answer");
            });
    assertThatThrownBy(() -> driver(topology).close())
        .isInstanceOf(StreamsException.class)
        .hasRootCauseInstanceOf(SkippedUnknownException.class);
  }

  private static Topology topology(Fixture.Counts counts, Supplier<OperatorOrders> skipped) {
    Plan plan = Fixture.plan(Fixture.YAML);
    return PipelineTopology.build(plan, Fixture.deployment(1, counts).under(skipped));
  }

  private TopologyTestDriver driver(Topology topology) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    return new TopologyTestDriver(topology, config, Instant.ofEpochMilli(0));
  }
}
