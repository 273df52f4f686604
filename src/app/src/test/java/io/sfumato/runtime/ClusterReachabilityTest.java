// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterReachabilityTest {
  private final List<String> said = new ArrayList<>();
  private final ClusterReachability reachability = new ClusterReachability("kafka:9092", said::add);

  @Test
  void shouldSayOnceThatTheClusterIsLostAndOnceThatItIsBack() {
    for (int look = 0; look < 20; look++) {
      reachability.missed();
    }
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("no Kafka cluster answers at kafka:9092");
    reachability.heard(true);
    reachability.heard(true);
    assertThat(said).hasSize(2).last().asString().contains("answers again");
    reachability.missed();
    reachability.missed();
    assertThat(said).hasSize(3);
  }

  @Test
  void shouldNotSpeakOfATransactionThatEndsSoonAfterTheClusterIsBack() {
    reachability.missed();
    reachability.heard(false);
    reachability.heard(true);
    reachability.heard(false);
    reachability.heard(true);
    assertThat(said).isEmpty();
  }

  @Test
  void shouldNotSpeakOfASingleAnswerThatIsLate() {
    reachability.missed();
    reachability.heard(true);
    reachability.missed();
    reachability.heard(true);
    assertThat(said).isEmpty();
  }

  @Test
  void shouldSayOnceThatTransactionsDoNotEndAndOnceThatTheyDo() {
    reachability.heard(true);
    for (int look = 0; look < 20; look++) {
      reachability.heard(false);
    }
    assertThat(said)
        .singleElement()
        .asString()
        .contains("does not complete transactions")
        .contains("min.insync.replicas");
    reachability.heard(true);
    reachability.heard(true);
    assertThat(said).hasSize(2).last().asString().contains("completes transactions again");
  }
}
