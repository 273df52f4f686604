// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.version.StateIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What windows of a former version hold was bounded by its bounds: it is never drawn again with the
 * noise of another version (docs/theory/versions.md, "What begins anew").
 */
class SumsOfUsersAcrossVersionsTest {
  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, subjects: 4 }
      subjects: [north, south, east, west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 9, delta: 3e-6, period: lifetime }
      releases:
        - count: { name: n, by: total, %s, share: { epsilon: 4, delta: 1e-6 }, windows: 2 }
      """;

  private final List<KeyValueStore<Bytes, byte[]>> stores =
      new ArrayList<>(
          MemoryStores.named(
                  List.of(Names.SUBJECTS_META_STORE, Names.DATASET_STORE, Names.RUNNING_STORE))
              .values());
  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private long offset;

  private List<CountRelease> run(String yaml, JournalEntry... entries) {
    Plan plan = Fixture.plan(yaml);
    Stamp stamp = StateIdentity.Maker.of(plan, deployment).stamp();
    ProcessorRun<String> keeper = ProcessorRun.subjects(plan, deployment, stores);
    for (JournalEntry entry : entries) {
      keeper.take(offset++, JournalCodec.encode(stamp, entry), NOW);
    }
    for (int turn = 0; turn < 20; turn++) {
      keeper.punctuate();
    }
    keeper.commit();
    return keeper.forwarded().stream()
        .map(forward -> (CountRelease) Outputs.decodeAny(forward.value()))
        .toList();
  }

  private static long start(int window) {
    return NOW + window * 10_000L;
  }

  /** A tree of two categories cannot go on with three. */
  @Test
  void shouldBeginAnewWithAnotherCategory() {
    String before =
        FILE.formatted("method: laplace, running: 16384").replace("by: total", "by: category");
    assertThat(since(before, before.replace("[a, b]", "[a, b, c]"), CountRelease::getSince))
        .isEqualTo(start(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"of: users, over: 3", "method: laplace, running: 16384"})
  void shouldBeginAnewUnderOtherBounds(String count) {
    String before = FILE.formatted(count);
    String after = before.replace("per-window: 4, subjects: 4", "per-window: 1, subjects: 1");
    assertThat(
            since(
                before,
                after,
                count.contains("over") ? CountRelease::getLastSince : CountRelease::getSince))
        .isEqualTo(start(2));
  }

  /** Since when sums of the window after a change are of, which starts with the third window. */
  private long since(String before, String other, Function<CountRelease, Instant> from) {
    String after = other.replace("version: 1", "version: 2");
    String digest = Fixture.plan(after).digestText();
    run(before, new Genesis(0, new StateEpoch(7, 7)), new Watermark(0, start(0)));
    run(
        before,
        new Watermark(0, start(1)),
        new VersionEnd(0, 2, start(2), digest, deployment.noiseKey().tag()),
        new Watermark(0, start(2)));
    List<CountRelease> released = run(after, new Watermark(0, start(3)));
    assertThat(released).hasSize(4);
    return from.apply(released.get(0)).toEpochMilli();
  }
}
