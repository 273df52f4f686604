// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.windows;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A version takes over all partitions or none: half of each, and no program could run on all. */
class VersionHandoverTest {
  private static final String FIRST =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: PT30S }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
      """;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final String key = deployment.noiseKey().tag();
  private final KeeperRun one = new KeeperRun();
  private final KeeperRun other = new KeeperRun();

  private Activation activation(Plan plan, int window) {
    return new Activation(
        plan.pipeline().version(), NOW + window * 10_000L, plan.digestText(), key);
  }

  /** The state as a start of a program finds it. */
  private StateReader state() {
    StateReader reader = new StateReader();
    List<KeeperRun> partitions = List.of(one, other);
    for (int i = 0; i < partitions.size(); i++) {
      int partition = i;
      try (var rows = partitions.get(i).store(Names.META_STORE).all()) {
        rows.forEachRemaining(row -> reader.meta(partition, row.key.get(), row.value));
      }
    }
    return reader;
  }

  private void requireReadyFor(Plan plan) {
    state().requireReadyFor(plan, deployment.sources(), key);
  }

  /** It may where a period begins; one partition has closed a window more when it hears of it. */
  @Test
  void aMethodThatMayNotChangeOnOnePartitionChangesOnNone() {
    Plan first = Fixture.plan(FIRST);
    Plan next =
        Fixture.plan(
            FIRST.replace("version: 1", "version: 2").replace("mix,", "mix, method: laplace,"));
    one.run(first, deployment, windows(0, 3));
    one.run(first, deployment, List.of(activation(next, 3)));
    one.run(first, deployment, windows(3, 4));
    other.run(first, deployment, windows(0, 4));
    other.run(first, deployment, List.of(activation(next, 3)));
    other.run(first, deployment, List.of());
    assertThatThrownBy(() -> requireReadyFor(next))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("for this whole period");
    assertThatCode(() -> requireReadyFor(first)).doesNotThrowAnyException();
  }

  @Test
  void noVersionIsAnnouncedWhileAnotherOneTakesOver() {
    Plan first = Fixture.plan(FIRST);
    Plan second = Fixture.plan(FIRST.replace("version: 1", "version: 2"));
    for (KeeperRun partition : List.of(one, other)) {
      partition.run(first, deployment, windows(0, 1));
      partition.run(first, deployment, List.of(activation(second, 1)));
      partition.run(first, deployment, List.of());
    }
    assertThatCode(() -> state().requireOneVersion(state())).doesNotThrowAnyException();
    requireReadyFor(second);
    assertThat(state().announced()).contains(new PendingVersion(2, NOW + 10_000L));
    one.run(second, deployment, windows(1, 2));
    assertThat(state().oldest()).hasValue(1);
    assertThatThrownBy(() -> state().requireOneVersion(state()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("version 2 is taking over from version 1");
  }

  /** Each has another remedy, and whoever is told the wrong one looks for windows that are done. */
  @Test
  void aProgramThatWasNotAnnouncedIsToldWhatDiffers() {
    Plan first = Fixture.plan(FIRST);
    Plan second = Fixture.plan(FIRST.replace("version: 1", "version: 2"));
    Plan third = Fixture.plan(FIRST.replace("version: 1", "version: 3"));
    Plan otherSecond =
        Fixture.plan(FIRST.replace("version: 1", "version: 2").replace("2s }", "3s }"));
    one.run(first, deployment, windows(0, 1));
    assertRefused(second, key, "it was not announced", "Run the file of version 1 until");
    one.run(first, deployment, List.of(activation(second, 2)));
    assertRefused(second, key, "version 1 has windows left to release");
    one.run(first, deployment, windows(1, 2));
    one.run(first, deployment, List.of());
    assertThatCode(() -> requireReady(second, key)).doesNotThrowAnyException();
    assertRefused(
        second,
        "0123456789abcdef",
        "announced with noise key " + key,
        "was given noise key 0123456789abcdef",
        "--secret-file");
    assertRefused(otherSecond, key, "another file was announced as version 2");
    assertRefused(third, key, "version 2 was announced");
    assertThatThrownBy(() -> one.run(otherSecond, deployment, List.of()))
        .hasMessageContaining("another file was announced as version 2")
        .hasMessageNotContaining("windows left");
  }

  /** A program that took Avro for the default has announced it. */
  @Test
  void aProgramWithAnotherFormatIsToldTheOneThatWasAnnounced() {
    String yaml = FIRST.replace("version: 1", "version: 2");
    one.run(Fixture.plan(FIRST), deployment, windows(0, 1));
    Plan announced = Fixture.plan(yaml + "format: avro\n");
    one.run(Fixture.plan(FIRST), deployment, List.of(activation(announced, 2)));
    assertThatThrownBy(() -> requireReady(Fixture.plan(yaml + "format: json\n"), key))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("the outputs of version 2 are Avro")
        .hasMessageContaining("add 'format: avro' to the file");
  }

  private void assertRefused(Plan plan, String noiseKey, String... words) {
    assertThatThrownBy(() -> requireReady(plan, noiseKey))
        .isInstanceOf(PipelineStopException.class)
        .message()
        .startsWith(
            "version %d of the file cannot take over: ".formatted(plan.pipeline().version()))
        .contains(words)
        .satisfies(
            message -> assertThat(message.contains("windows left")).isEqualTo(isEarly(words)));
  }

  private static boolean isEarly(String... words) {
    return String.join(" ", words).contains("windows left");
  }

  /** One partition is all that there are. */
  private void requireReady(Plan plan, String noiseKey) {
    StateReader reader = new StateReader();
    try (var rows = one.store(Names.META_STORE).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    reader.requireReadyFor(plan, deployment.sources(), noiseKey);
  }

  @Test
  void aVersionWaitsUntilEveryPartitionHasBegun() {
    Plan first = Fixture.plan(FIRST);
    Plan second = Fixture.plan(FIRST.replace("version: 1", "version: 2"));
    one.run(first, deployment, windows(0, 1));
    one.run(first, deployment, List.of(activation(second, 1)));
    one.run(first, deployment, List.of());
    assertThatThrownBy(() -> state().requireReadyFor(second, Fixture.sources(2), key))
        .hasMessageContaining("not every partition has begun");
  }
}
