// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.sfumato.runtime.TestCluster;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An installation for production has all that it runs, and neither a broker nor Scala. */
@Tag("release")
class ProductionIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path JAR = TARGET.resolve("sfumato.jar");
  private static final String BROKER = "kafka.server.KafkaRaftServer";

  @TempDir Path folder;

  private static List<String> names(String folder) throws Exception {
    try (Stream<Path> files = Files.list(TARGET.resolve(folder))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shouldHaveNeitherBrokerNorScalaOnItsClassPath() throws Exception {
    List<String> libraries = names("lib");
    try (JarFile jar = new JarFile(JAR.toFile())) {
      String classPath = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      assertThat(classPath.split(" "))
          .containsExactlyInAnyOrderElementsOf(
              libraries.stream().map(name -> "lib/" + name).toList());
    }
    assertThat(libraries)
        .anyMatch(name -> name.startsWith("kafka-streams-"))
        .noneMatch(
            name ->
                name.matches("kafka_2\\..*|kafka-(server|storage|raft|metadata|group|share).*")
                    || name.contains("scala")
                    || name.contains("log4j"));
    assertThat(names("lib-broker"))
        .anyMatch(name -> name.startsWith("kafka_2.13"))
        .anyMatch(name -> name.startsWith("scala-library"))
        .noneMatch(name -> name.startsWith("log4j-core"))
        .doesNotContainAnyElementsOf(libraries);
  }

  /** Every class that any class of the program names is there, but for those of the broker. */
  @Test
  void shouldFindEveryClassWithoutTheBroker() throws Exception {
    Set<String> missing = new TreeSet<>();
    try (URLClassLoader production =
            new URLClassLoader(
                new URL[] {JAR.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(has(production, BROKER)).isFalse();
      JavaClasses program = new ClassFileImporter().importJar(jar);
      assertThat(program.size()).isGreaterThan(500);
      Set<String> named = new TreeSet<>();
      for (JavaClass type : program) {
        if (!type.getPackageName().startsWith("io.sfumato.devcluster")) {
          for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (!target.isPrimitive()) {
              named.add(target.getName());
            }
          }
        }
      }
      named.stream().filter(name -> !has(production, name)).forEach(missing::add);
      // Kafka's clients name this one in a setting, and it needs a library that they do not bring.
      assertThat(
              Class.forName(
                      "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator",
                      true,
                      production)
                  .getDeclaredConstructors())
          .isNotEmpty();
    }
    assertThat(missing).isEmpty();
  }

  private static boolean has(ClassLoader loader, String name) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo --seconds 5", "run topology/demo.yaml --embedded"})
  void shouldSayWhatToDoWhereThereIsNoBroker(String command) throws Exception {
    Process process = run(command);
    assertThat(process.exitValue()).isEqualTo(4);
    assertThat(out())
        .hasLineCount(1)
        .contains(
            "no embedded broker",
            "--bootstrap-servers",
            "the image target 'demo', the Debian package sfumato-demo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bench --quick --only ingest", "experiment kl --out results"})
  void shouldSayWhereTheLabIs(String command) throws Exception {
    Process process = run(command);
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(out()).hasLineCount(1).contains("in a source checkout", "bin/sfumato");
  }

  @Test
  void shouldWorkWithoutABroker() throws Exception {
    assertThat(run("describe topology/demo.yaml").exitValue()).as(out()).isZero();
  }

  private String out() throws Exception {
    return Files.readString(folder.resolve("out"), StandardCharsets.UTF_8);
  }

  private Process run(String command) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JAR.toString(),
                "io.sfumato.cli.Main"));
    line.addAll(List.of(command.split(" ")));
    if (command.startsWith("run")) {
      line.addAll(List.of("--data", folder.resolve("data").toString()));
    }
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process;
  }
}
