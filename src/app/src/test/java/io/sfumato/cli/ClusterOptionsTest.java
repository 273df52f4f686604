// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterOptionsTest {
  @Test
  void shouldWaitAsLongAsTheEnvironmentSays() throws Exception {
    assertThat(ClusterOptions.patience(Map.of())).isEqualTo(Duration.ofSeconds(5));
    assertThat(ClusterOptions.patience(Map.of("SFUMATO_WAIT", "2m")))
        .isEqualTo(Duration.ofMinutes(2));
    assertThatThrownBy(() -> ClusterOptions.patience(Map.of("SFUMATO_WAIT", "long")))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "SFUMATO_WAIT: 'long' is not a duration such as 30s, 5m or 1h, or ISO-8601 such as"
                + " PT30S");
  }
}
