// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterTest {
  /** Kafka's own exception would end a command with a trace that quotes settings. */
  @Test
  void shouldRefuseSettingsThatKafkasClientCannotUse() throws Exception {
    KafkaSettings settings =
        KafkaSettings.gather(
            Map.of(), Optional.empty(), Map.of(), Optional.of("nowhere.invalid:9092"));
    assertThatThrownBy(() -> new Cluster(settings).close())
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("cannot use the settings for nowhere.invalid:9092: ")
        .as("the name may resolve later")
        .matches(refused -> ((RefusedException) refused).isUnanswered());
  }
}
