// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What whoever adds a kind of release has to write. */
class KindMembersTest {
  private static final int MEMBERS = 10;
  private static final int LINES = 250;
  private static final Path SMALLEST =
      Path.of("src/engine/src/shared/java/io/sfumato/examples/maximum");

  /** Everything else is an optional capability. */
  @Test
  void aKindHasFewRequiredMembers() {
    List<String> required =
        Stream.of(ReleaseKind.class, ReleaseSpec.class, PlannedRelease.class, OutputView.class)
            .flatMap(
                type ->
                    Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers()))
                        .map(Method::getName)
                        .map(name -> type.getSimpleName() + "." + name))
            .sorted()
            .toList();
    assertThat(required).hasSizeLessThanOrEqualTo(MEMBERS).contains("ReleaseKind.word");
  }

  @Test
  void theSmallestKindIsSmall() throws IOException {
    try (Stream<Path> files = Files.list(SMALLEST)) {
      long lines = 0;
      for (Path file : files.toList()) {
        lines += Files.readAllLines(file).size();
      }
      assertThat(lines).isPositive().isLessThanOrEqualTo(LINES);
    }
  }
}
