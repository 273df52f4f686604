// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.topology.context.ChargeCounts;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.context.PartitionCount.Place;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Instances write charge counts of their partitions into the registry that they share. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class ChargeRecorderIT {
  private static final NoiseKey KEY = TestCluster.key();

  private static PartitionCount count(int partition, long charges) {
    return new PartitionCount(
        new Place("meta-store", partition),
        Optional.of(new StateEpoch(7, partition)),
        charges,
        charges,
        charges);
  }

  private static KafkaSettings settings(TestCluster cluster, String budget)
      throws RefusedException {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      Registry registry = new Registry(settings, budget, Optional.of(KEY));
      registry.create(admin);
      registry.begin(Begun.with(Map.of("a changelog", "id")));
    }
    return settings;
  }

  private static List<PartitionCount> counts(CountLog log) throws RefusedException {
    return log.read().counts().stream().map(CountedState::count).toList();
  }

  private static List<PartitionCount> known(KafkaSettings settings, String budget)
      throws RefusedException {
    return counts(new CountLog(settings, budget, KEY));
  }

  /** The first writes by the clock, the second at its end alone. */
  @Test
  void shouldKeepTheNewestCountOfEachPartitionWhenTwoInstancesWrite(TestCluster cluster)
      throws Exception {
    KafkaSettings settings = settings(cluster, "two-counters");
    ChargeCounts first = new ChargeCounts();
    ChargeCounts second = new ChargeCounts();
    try (ChargeRecorder hourly =
            ChargeRecorder.start(settings, "two-counters", KEY, first, Duration.ofMillis(100));
        ChargeRecorder last = ChargeRecorder.start(settings, "two-counters", KEY, second)) {
      assertThat(hourly).isNotSameAs(last);
      second.committed(count(0, 3), 1_000); // lost to the other instance, at three charges
      first.committed(count(0, 3), 1_000);
      first.committed(count(1, 1), 1_000);
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> known(settings, "two-counters").equals(List.of(count(0, 3), count(1, 1))));
      first.committed(count(0, 5), 1_000);
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> known(settings, "two-counters").contains(count(0, 5)));
    }
    assertThat(known(settings, "two-counters")).containsExactly(count(0, 5), count(1, 1));
    Registry registry = new Registry(settings, "two-counters", Optional.of(KEY));
    assertThat(registry.read().mine().begun().epochs())
        .isEqualTo(
            Map.of(
                "meta-store/0",
                new StateEpoch(7, 0).toString(),
                "meta-store/1",
                new StateEpoch(7, 1).toString()));
  }

  @Test
  void shouldWriteTheLastCountsWhenItIsClosed(TestCluster cluster) throws Exception {
    KafkaSettings settings = settings(cluster, "last-counts");
    ChargeCounts counts = new ChargeCounts();
    try (ChargeRecorder recorder = ChargeRecorder.start(settings, "last-counts", KEY, counts)) {
      assertThat(recorder).isNotNull();
      counts.committed(count(0, 2), 1_000);
    }
    assertThat(known(settings, "last-counts")).containsExactly(count(0, 2));
  }

  @Test
  void shouldHandCountsOverWhenAnotherKeyFollows(TestCluster cluster) throws Exception {
    KafkaSettings settings = settings(cluster, "counts-of-two-keys");
    NoiseKey next = NoiseSecret.random().derive();
    CountLog former = new CountLog(settings, "counts-of-two-keys", KEY);
    former.record(List.of(new CountedState(count(0, 2), 1_000)));
    CountLog log = new CountLog(settings, "counts-of-two-keys", next);
    assertThat(counts(log)).as("another key's").isEmpty();
    log.takeOver(former);
    log.takeOver(former);
    assertThat(log.read().counts()).containsExactly(new CountedState(count(0, 2), 1_000));
  }
}
