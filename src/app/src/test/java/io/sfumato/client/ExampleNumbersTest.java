// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleNumbersTest {
  @TempDir Path folder;

  /** What is no record anywhere bears on no bound. */
  @Test
  void shouldLeaveOutRowsThatNoPipelineReads() throws Exception {
    Path csv = folder.resolve("waits.csv");
    Files.write(
        csv,
        List.of(
            "wait,who,steps",
            "1.5,a,2",
            "n/a,b,1",
            ",c,1",
            "3,d",
            "2e12,e,1",
            "1,f,Infinity",
            "NaN,g,1",
            "-1e12,h,0"));
    ExampleNumbers found = ExampleNumbers.read(csv, List.of("steps", "wait"));
    assertThat(found.rows()).isDeepEqualTo(new double[][] {{2, 1.5}, {0, -1e12}});
    assertThat(found.leftOut()).isEqualTo(6);
    assertThat(found.all()).isEqualTo(8);
    assertThatThrownBy(() -> PseudoDataFile.read(csv, List.of("steps", "wait")))
        .as("pseudo-data is read as it is, or not at all")
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("line 3: column 'wait' is no number");
  }
}
