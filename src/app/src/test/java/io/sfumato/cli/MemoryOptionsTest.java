// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryOptionsTest {
  private static final long HEAP = 1L << 30;

  @ParameterizedTest
  @CsvSource({"2048k, 2097152", "1m, 1048576", "512m, 536870912", "512M, 536870912"})
  void shouldReadSizesAsTheJvmDoes(String text, long bytes) throws RefusedException {
    assertThat(MemoryOptions.memory(text, HEAP).bytes()).isEqualTo(bytes);
  }

  @Test
  void shouldReadGibibytes() throws RefusedException {
    assertThat(MemoryOptions.memory("2g", 8L << 30).bytes()).isEqualTo(2L << 30);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0m",
        "1023k",
        "513m",
        "1g",
        "999999999g",
        "9999999999g",
        "-1m",
        "1.5g",
        "25%",
        "512",
        "m"
      })
  void shouldRefuseWhatCannotBe(String text) {
    assertThatThrownBy(() -> MemoryOptions.memory(text, HEAP))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("1m to 512m");
  }
}
