// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StoreFilesTest {
  private static Pipeline pipeline(String name) throws Exception {
    return PipelineFile.parse(
        name + ".yaml",
        """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 2, delta: 1e-6 }
        releases:
          - histogram: { name: %1$s-mix, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 4 }
        """
            .formatted(name));
  }

  /** One pipeline needs less than 1,024 files; two of them need more. */
  @Test
  void shouldAddUpTheFilesOfAllPipelines() throws Exception {
    StoreFiles files = new StoreFiles(OptionalLong.of(1_024));
    files.require(pipeline("a"), 10);
    assertThatCode(() -> files.require(pipeline("a"), 10))
        .as("it starts again")
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> files.require(pipeline("b"), 10))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("beside the other pipelines of this process");
    files.release(pipeline("a"));
    assertThatCode(() -> files.require(pipeline("b"), 10)).doesNotThrowAnyException();
  }
}
