// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineFilesTest {
  @TempDir Path folder;

  private Path write(String file, String pipeline, String budget) throws Exception {
    return Files.writeString(
        folder.resolve(file),
        """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %2$s, unit: record, epsilon: 2, delta: 1e-6 }
        releases:
          - histogram: { name: %1$s-mix, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 4 }
        """
            .formatted(pipeline, budget));
  }

  @Test
  void shouldTakeAllFilesOfAFolderOnceInTheirOrder() throws Exception {
    Path b = write("b.yaml", "b", "b");
    Path a = write("a.yml", "a", "a");
    Files.writeString(folder.resolve("notes.txt"), "none");
    Files.writeString(folder.resolve(".hidden.yaml"), "none");
    assertThat(PipelineFiles.of(List.of(folder))).containsExactly(a, b);
    assertThat(PipelineFiles.of(List.of(b, folder))).containsExactly(b, a);
  }

  @Test
  void shouldRefuseAFolderWithoutFiles() {
    assertThatThrownBy(() -> PipelineFiles.of(List.of(folder)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has no pipeline file");
  }

  @Test
  void shouldFindFilesWithOneNameOrOneBudget() throws Exception {
    Path one = write("one.yaml", "shop", "s1");
    Path copy = write("copy.yaml", "shop", "s2");
    Path budget = write("budget.yaml", "other", "s1");
    Path alone = write("alone.yaml", "alone", "alone");
    Path broken = Files.writeString(folder.resolve("broken.yaml"), "pipeline: [");
    assertThat(PipelineFiles.clashes(List.of(one, copy, budget, alone, broken)))
        .containsOnlyKeys(one, copy, budget)
        .hasEntrySatisfying(copy, why -> assertThat(why).contains("pipeline 'shop'"))
        .hasEntrySatisfying(budget, why -> assertThat(why).contains("budget 's1'"));
  }

  /** Who adds a file to the folder later has accepted nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"--accept-added-loss", "--accept-jump"})
  void shouldAcceptNothingForSeveralFiles(String option) throws Exception {
    write("a.yaml", "a", "a");
    write("b.yaml", "b", "b");
    CommandResult refused = CommandResult.of("run", folder.toString(), option);
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(refused.err())
        .contains(option + " is for one pipeline, and here are 2 files")
        .contains("(sfumato run FILE " + option + ")");
  }
}
