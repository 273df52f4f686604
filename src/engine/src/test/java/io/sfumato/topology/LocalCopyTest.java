// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.context.LocalCopy;
import org.junit.jupiter.api.Test;

class LocalCopyTest {
  private final LocalCopy copy = new LocalCopy("store", 0, 10);

  @Test
  void shouldBeAsUpToDateAsItsLastCompleteLook() {
    copy.reached(100, 5, 50);
    assertThat(copy.upToDate()).as("far behind").isEqualTo(10);
    copy.reached(200, 48, 90);
    assertThat(copy.upToDate()).as("one short of where the end was").isEqualTo(10);
    copy.reached(300, 49, 95);
    assertThat(copy.upToDate()).as("but for the mark of a transaction").isEqualTo(100);
    copy.reached(400, 80, 120);
    copy.reached(500, 95, 130);
    assertThat(copy.upToDate()).as("the end that was seen at 300").isEqualTo(300);
    copy.reached(600, 130, 131);
    assertThat(copy.upToDate()).isEqualTo(600);
  }

  @Test
  void shouldGrowOldWhileItDoesNotMove() {
    copy.reached(100, 5, 50);
    copy.reached(200, 5, 50);
    copy.reached(300, 5, 50);
    assertThat(copy.upToDate()).isEqualTo(10);
  }
}
