// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.ExitCode;
import org.junit.jupiter.api.Test;

class ActivateCommandTest {
  /** No cluster is asked: what discovers names among users has no second version. */
  @Test
  void shouldTellPopulationsThatDiscoverNamesWhatToDo() {
    CommandResult result =
        CommandResult.of("activate", "topology/searches.yaml", "--bootstrap-servers", "none:1");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED_FILE.number());
    assertThat(result.err())
        .contains("a pipeline of users that discovers names or subjects cannot hand over")
        .contains(
            "Carry the ledger over (docs/guides/change-a-pipeline.md): write a file NEW whose");
  }
}
