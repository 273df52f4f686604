// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A filter that selects nothing of many records is told. */
class EmptySelectionTest {
  private final RunningCounts counts = new RunningCounts();

  @Test
  void shouldWarnOfManyRecordsOfWhichNoneWasSelected() {
    for (int i = 0; i < 99; i++) {
      counts.unselected();
    }
    assertThat(EmptySelection.words(counts)).as("so few may all be others").isEmpty();
    counts.unselected();
    assertThat(EmptySelection.words(counts).orElseThrow())
        .startsWith("WARNING: input.where selected none of 100 records");
    counts.accepted();
    assertThat(EmptySelection.words(counts)).isEmpty();
  }
}
