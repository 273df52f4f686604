// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TransactionalIdsTest {
  private static final String PROCESS = "0f5ac9d2-31b5-4c1c-9f62-7c38a95e1a77";

  @Test
  void shouldEndTheBudgetsNameInWhatKafkaStreamsWrites() {
    assertThat(narrowed("sfumato-a-b-" + PROCESS + "-12"))
        .isEqualTo("sfumato-a-b/" + PROCESS + "-12")
        .startsWith(TransactionalIds.prefix("sfumato-a-b"))
        .doesNotStartWith(TransactionalIds.prefix("sfumato-a"));
  }

  @Test
  void shouldCoverNoOtherBudgetByAPrefix() {
    // Such a budget's name may be chosen on purpose.
    assertThat(narrowed("sfumato-a-" + PROCESS + "-1-" + PROCESS + "-2"))
        .isEqualTo("sfumato-a-" + PROCESS + "-1/" + PROCESS + "-2")
        .doesNotStartWith(TransactionalIds.prefix("sfumato-a"));
    assertThat(TransactionalIds.of("sfumato-a", "registry"))
        .startsWith(TransactionalIds.prefix("sfumato-a"));
  }

  @Test
  void shouldLeaveOtherProducersAsTheyAre() {
    Map<String, Object> none = Map.of("acks", "all");
    assertThat(TransactionalIds.narrowed(none)).isSameAs(none);
    assertThat(narrowed("sfumato-a/registry")).isEqualTo("sfumato-a/registry");
  }

  private static String narrowed(String id) {
    return (String)
        TransactionalIds.narrowed(Map.of("transactional.id", id, "acks", "all"))
            .get("transactional.id");
  }
}
