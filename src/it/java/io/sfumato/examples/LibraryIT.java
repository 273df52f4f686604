// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The core jar runs the examples with commons-math3 and commons-rng-client-api beside it alone. */
class LibraryIT {
  private static final List<String> NEEDED = List.of("commons-math3", "commons-rng-client-api");

  @ParameterizedTest
  @ValueSource(strings = {"HistogramExample", "CountExample", "AccountingExample"})
  void needsNoKafka(String example) throws Exception {
    Path target = Path.of("target").toAbsolutePath();
    String path;
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      path =
          Stream.concat(
                  Stream.of(target.resolve("sfumato-core.jar"), target.resolve("test-classes")),
                  jars.filter(
                      jar -> NEEDED.stream().anyMatch(jar.getFileName().toString()::startsWith)))
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                path,
                "io.sfumato.examples." + example)
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    assertThat(out).isNotEmpty();
  }
}
