// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContactTest {
  private final List<String> said = new ArrayList<>();
  private final Contact contact = new Contact("kafka:9092", said::add);

  @Test
  void shouldSayOnceThatTheClusterIsLostAndOnceThatItIsBack() {
    for (int look = 0; look < 20; look++) {
      contact.missed();
    }
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("no Kafka cluster answers at kafka:9092");
    contact.heard(true);
    contact.heard(true);
    assertThat(said).hasSize(2).last().asString().contains("answers again");
    contact.missed();
    contact.missed();
    assertThat(said).hasSize(3);
  }

  @Test
  void shouldNotSpeakOfATransactionThatEndsSoonAfterTheClusterIsBack() {
    contact.missed();
    contact.heard(false);
    contact.heard(true);
    contact.heard(false);
    contact.heard(true);
    assertThat(said).isEmpty();
  }

  @Test
  void shouldNotSpeakOfASingleAnswerThatIsLate() {
    contact.missed();
    contact.heard(true);
    contact.missed();
    contact.heard(true);
    assertThat(said).isEmpty();
  }

  @Test
  void shouldSayOnceThatTransactionsDoNotEndAndOnceThatTheyDo() {
    contact.heard(true);
    for (int look = 0; look < 20; look++) {
      contact.heard(false);
    }
    assertThat(said)
        .singleElement()
        .asString()
        .contains("does not complete transactions")
        .contains("min.insync.replicas");
    contact.heard(true);
    contact.heard(true);
    assertThat(said).hasSize(2).last().asString().contains("completes transactions again");
  }
}
