// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.TestCluster;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The libraries run the document's examples, as they stand there, with nothing but what they bring.
 */
@Tag("release")
class LibraryIT {
  private static final List<String> NEEDED =
      List.of("sfumato-core", "sfumato-estimate", "commons-math3", "commons-rng-");

  @TempDir Path folder;

  private static List<String> blocks(String language) throws Exception {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(Files.readString(Path.of("docs/library.md")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  static List<String> examples() throws Exception {
    List<String> examples = blocks("java");
    assertThat(examples).hasSize(6);
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void needsNoKafka(String example) throws Exception {
    Path program = folder.resolve("Example.java");
    Path secret = folder.resolve("noise.secret");
    NoiseSecret.random().write(secret);
    Files.writeString(program, program(example));
    Path target = Path.of("target").toAbsolutePath();
    String path;
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      path =
          jars.filter(jar -> NEEDED.stream().anyMatch(jar.getFileName().toString()::startsWith))
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                program.toString(),
                secret.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    assertThat(out).isNotEmpty();
  }

  private static String program(String example) {
    if (example.contains("void main(")) {
      return example;
    }
    String imports =
        example
            .lines()
            .filter(line -> line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    String lines =
        example
            .lines()
            .filter(line -> !line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    return imports
        + "\npublic class Example {\npublic static void main(String[] arguments) {\n"
        + lines
        + "\n}}\n";
  }

  /** Coordinates and versions are those of the build. */
  @Test
  void namesWhatTheBuildHas() throws Exception {
    List<String> shown = blocks("xml");
    assertThat(shown).hasSize(1);
    Pattern value = Pattern.compile("<(groupId|artifactId|version)>([^*<]+)</");
    String build = Files.readString(Path.of("src/estimate/pom.xml"));
    for (MatchResult found : value.matcher(shown.get(0)).results().toList()) {
      assertThat(build).contains(">" + found.group(2) + "</");
    }
  }
}
