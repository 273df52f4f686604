// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A limit that an instance would reach is refused before the start. */
class OpenFilesTest {
  @Test
  void shouldRefuseALimitThatAllPartitionsWouldReach() {
    assertThatThrownBy(() -> OpenFiles.require(64, 5, OptionalLong.of(1024)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("this process may open 1,024 files")
        .hasMessageContaining("all 64 partitions")
        .hasMessageContaining("ulimit -n 4240");
    assertThatCode(() -> OpenFiles.require(64, 5, OptionalLong.of(4240)))
        .doesNotThrowAnyException();
    assertThatCode(() -> OpenFiles.require(10, 5, OptionalLong.of(1024)))
        .as("small pipelines run under the usual limit")
        .doesNotThrowAnyException();
    assertThatCode(() -> OpenFiles.require(64, 5, OptionalLong.empty())).doesNotThrowAnyException();
  }

  @Test
  void shouldKnowTheLimitOfThisProcess() {
    assertThat(OpenFiles.limit().orElse(Long.MAX_VALUE)).isPositive();
  }
}
