// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerAdoptCommandTest {
  @Test
  void shouldSayWhetherChargesWereComparedWhenNothingChanges() {
    assertThat(
            LedgerAdoptCommand.unchanged("b", Optional.of(Instant.parse("2026-01-05T00:00:00Z"))))
        .isEqualTo(
            "budget b already uses these topics: nothing was changed. "
                + "They hold at least the charges counted at 2026-01-05T00:00:00Z");
    assertThat(LedgerAdoptCommand.unchanged("b", Optional.empty()))
        .endsWith("holds no charge counts, so missing charges could not be detected");
  }
}
