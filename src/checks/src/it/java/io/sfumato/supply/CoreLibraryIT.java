// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A separate Maven project calibrates, charges and draws with {@code sfumato-core} alone. */
@Tag("release")
class CoreLibraryIT {
  private static final String VERSION = "0.1.0-SNAPSHOT";

  /** Makes a permit without a charge, which takes a class in the package of the gate. */
  private static final String FORGER =
      """
      package io.sfumato.gate;

      public class Forger {
        public static void main(String[] arguments) {
          var free =
              new io.sfumato.mechanism.additive.CountMeasurement<>(
                  new io.sfumato.mechanism.count.CountQuery(),
                  io.sfumato.mechanism.Sensitivity.addOrRemove(1),
                  new io.sfumato.mechanism.additive.LaplaceNoise(1));
          ReleaseId id = new ReleaseId("budget", new StateEpoch(1, 2), 1, "count", "ann", 0, 0);
          System.out.println("forged " + Permit.charged(id, free));
        }
      }
      """;

  /** Loads a class of the gate first, then the forger. */
  private static final String CALLER =
      """
      public class Caller {
        public static void main(String[] arguments) {
          System.out.println(io.sfumato.gate.StateEpoch.random());
          io.sfumato.gate.Forger.main(arguments);
        }
      }
      """;

  @TempDir static Path folder;

  private static Path repository;
  private static Path project;
  private static String classPath;
  private static String forger;

  /** Installs with the command that docs/library.md shows. */
  @BeforeAll
  static void installLibrariesAndBuildPrograms() throws Exception {
    repository = folder.resolve("repository");
    SecondBuild.linkRepository(repository);
    Path copy = folder.resolve("copy");
    SecondBuild.copySources(copy);
    MatchResult install =
        Pattern.compile("(?m)^mvn (.* install .*)$")
            .matcher(Files.readString(Path.of("docs/library.md")))
            .results()
            .findFirst()
            .orElseThrow();
    maven(copy, install.group(1).split(" "));

    // Outside the copy, so that Maven does not take it for a part of that build.
    project = folder.resolve("project");
    SecondBuild.run(
        folder, "cp", "-r", copy + "/src/checks/src/it/projects/core-only", project.toString());
    Path found = folder.resolve("class-path");
    maven(
        project,
        "compile",
        "dependency:build-classpath",
        "-Dmdep.includeScope=runtime",
        "-Dmdep.outputFile=" + found);
    classPath = Files.readString(found).strip();
    forger = packForger();
  }

  private static String packForger() throws Exception {
    Path sources = Files.createDirectory(folder.resolve("forger"));
    Files.writeString(sources.resolve("Forger.java"), FORGER);
    Files.writeString(sources.resolve("Caller.java"), CALLER);
    SecondBuild.run(
        sources, "javac", "-d", "classes", "-cp", classPath, "Forger.java", "Caller.java");
    SecondBuild.run(sources, "jar", "--create", "--file", "forger.jar", "-C", "classes", ".");
    return sources.resolve("forger.jar").toString();
  }

  private static void maven(Path where, String... arguments) throws Exception {
    List<String> settings = List.of("mvn", "-B", "-ntp", "-q", "-Dmaven.repo.local=" + repository);
    SecondBuild.run(
        where,
        Stream.of(settings.stream(), Stream.of(arguments))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }

  private static Path installed(String library, String kind) {
    return repository
        .resolve(Path.of("io", "sfumato", library, VERSION))
        .resolve(library + "-" + VERSION + kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sfumato-core", "sfumato-estimate"})
  void shouldInstallALibraryWithItsSourcesAndJavadoc(String library) {
    for (String kind : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar")) {
      assertThat(installed(library, kind)).isNotEmptyFile();
    }
  }

  @Test
  void shouldBringTwoOtherLibrariesWhenAProjectDependsOnTheCore() {
    assertThat(Stream.of(classPath.split(File.pathSeparator)).map(Path::of).map(Path::getFileName))
        .extracting(name -> name.toString().replaceFirst("-\\d.*", ""))
        .containsExactlyInAnyOrder("sfumato-core", "commons-math3", "commons-rng-client-api");
  }

  @Test
  void shouldReleaseTheSameCountsInEveryRunUntilTheShareIsSpent() throws Exception {
    Path secret = project.resolve("noise.secret");
    Files.createFile(
        secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(secret, "0123456789abcdef".repeat(2) + "fedcba9876543210".repeat(2));
    String[] program =
        command("target/classes", classPath, "org.example.VisitorCounts", secret.toString());
    for (int run = 0; run < 2; run++) {
      assertThat(SecondBuild.run(project, program))
          .isEqualTo(
              """
              day 0: 811 +- 12
              day 1: 790 +- 12
              day 2: 838 +- 12
              day 3: 900 +- 12
              day 4: no permit, the share is spent
              """);
    }
  }

  private static String[] command(
      String classes, String libraries, String main, String... arguments) {
    String all = classes + File.pathSeparator + libraries;
    return Stream.concat(Stream.of("java", "-cp", all, main), Stream.of(arguments))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Caller", "io.sfumato.gate.Forger"})
  void shouldEndWithASealingViolationWhenAnotherJarAddsToThePackageOfTheGate(String main)
      throws Exception {
    assertThat(SecondBuild.runFailing(project, command(forger, classPath, main)))
        .contains("java.lang.SecurityException: sealing violation: ", "package io.sfumato.gate")
        .doesNotContain("forged");
    // Without the seal of the jar, the forger succeeds.
    String unsealed = folder.resolve("copy/src/core/target/classes") + File.pathSeparator;
    assertThat(SecondBuild.run(project, command(forger, unsealed + classPath, main)))
        .contains("forged Permit");
  }
}
