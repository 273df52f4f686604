// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedBroker.class)
class HandOverIT {
  @Test
  void shouldHandOverWhatWasAcceptedAndWhoseLedgerABudgetGoesOnWith(TestCluster cluster)
      throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    NoiseKey next = NoiseSecret.random().derive();
    Registry former = new Registry(settings, "handed-over", Optional.of(TestCluster.key()));
    Registry registry = new Registry(settings, "handed-over", Optional.of(next));
    try (Cluster admin = new Cluster(settings)) {
      former.create(admin);
    }
    former.about(List.of(new RecordsTopic("visits", "id", List.of("an-earlier-budget"), 0)));
    former.await("an-ancestor", new InheritedShare("an-account", "its-share"));
    assertThat(registry.about(true)).isEmpty();
    registry.takeOver(former);
    registry.takeOver(former);
    assertThat(registry.about(true))
        .extracting(RecordsTopic::accepted)
        .contains(List.of("an-earlier-budget"));
    assertThat(registry.read().mine().awaited()).contains("an-ancestor");
    assertThat(registry.read().mine().inherited())
        .isEqualTo(new InheritedShare("an-account", "its-share"));
  }
}
