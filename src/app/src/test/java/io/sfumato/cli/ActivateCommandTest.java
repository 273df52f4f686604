// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.ExitCode;
import org.junit.jupiter.api.Test;

class ActivateCommandTest {
  /** No cluster is asked: a population has no second version. */
  @Test
  void shouldTellPopulationsWhatToDoAndWhatThatLoses() {
    CommandResult result =
        CommandResult.of("activate", "topology/wards.yaml", "--bootstrap-servers", "none:1");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED_FILE.number());
    assertThat(result.err())
        .contains("a pipeline of users cannot hand over to a new version in place")
        .contains(
            "Carry the ledger over (docs/guides/change-a-pipeline.md): write a file NEW whose")
        .contains("Beware: a ledger carries over what was charged and nothing else")
        .contains("sums over windows (ward-total) begin anew");
  }
}
