// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.ExitCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A class that is missing, or a stack that overflows, ends one pipeline as an exception does. */
class PipelineGroupErrorTest {
  private static final Path FILE = Path.of("bad.yaml");

  @Test
  void shouldTellAndStartAgainAfterAnError() throws Exception {
    Map<Path, ExitCode> ended = new ConcurrentHashMap<>();
    AtomicInteger starts = new AtomicInteger();
    int highest =
        new PipelineGroup(
                (file, out) -> {
                  if (starts.incrementAndGet() == 1) {
                    throw new NoClassDefFoundError("ann ordered 7");
                  }
                },
                line -> {},
                (file, code, next) -> ended.put(file, code),
                new PipelineGroup.Delays(Duration.ZERO, Duration.ZERO))
            .run(List.of(FILE), new CountDownLatch(1));
    assertThat(starts).hasValue(2);
    assertThat(ended).containsEntry(FILE, ExitCode.FAILED);
    assertThat(highest).isZero();
  }
}
