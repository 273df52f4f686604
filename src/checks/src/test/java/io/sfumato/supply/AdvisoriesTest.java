// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** No library of the program, of the embedded broker or of the tests has a known vulnerability. */
class AdvisoriesTest {
  private static final Path SUPPLY = Path.of("src/checks/src/test/resources/supply");

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(SUPPLY.resolve(file)).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private static List<Advisory> advisories() throws IOException {
    return lines("advisories.csv").stream().map(Advisory::parse).toList();
  }

  private static List<Library> libraries() {
    // A library of tests alone: those of the program may be loaded from where they are laid out.
    Path library =
        Path.of(Assertions.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path repository = library.resolve("../../../../..").normalize();
    return Library.of(System.getProperty("java.class.path"), repository);
  }

  @Test
  void shouldFindTheLibrariesOfThisClassPath() {
    assertThat(libraries())
        .hasSizeGreaterThan(100)
        .extracting(Library::name)
        .contains(
            "org.apache.kafka:kafka-clients",
            "org.apache.kafka:kafka_2.13",
            "org.assertj:assertj-core",
            "org.eclipse.jetty:jetty-http");
  }

  @Test
  void shouldUseNoVersionWithAKnownVulnerability() throws IOException {
    Map<String, String> accepted =
        lines("accepted.csv").stream()
            .map(line -> line.split(",", 2))
            .collect(Collectors.toMap(fields -> fields[0], fields -> fields[1]));
    assertThat(accepted.values()).as("reasons").allMatch(reason -> reason.length() > 20);
    Set<String> found = new TreeSet<>();
    Set<String> lived = new TreeSet<>();
    for (Library library : libraries()) {
      for (Advisory advisory : advisories()) {
        if (advisory.affects(library) && accepted.containsKey(advisory.id())) {
          lived.add(advisory.id());
        } else if (advisory.affects(library)) {
          found.add(library.name() + " " + library.version() + ": " + advisory.id());
        }
      }
    }
    assertThat(found).as("upgrade these").isEmpty();
    assertThat(accepted.keySet()).as("accepted, though nothing has them any more").isEqualTo(lived);
  }

  @Test
  void shouldSayOfEveryAdvisoryWhereItIsNamed() throws IOException {
    assertThat(advisories())
        .hasSizeGreaterThan(50)
        .allMatch(
            advisory ->
                advisory
                    .source()
                    .matches(
                        "not confirmed.*|[\\w-]+/[\\w-]+(#| ).*|builds that name it with GHSA-.*"));
  }

  /** It printed a line of its own into every run, for whoever reads logs. */
  @Test
  void shouldTestPropertiesWithoutTheFormerEngine() {
    assertThat(libraries()).extracting(Library::name).noneMatch(name -> name.contains("jqwik"));
  }

  /** What this list found when it was made. */
  @Test
  void shouldKnowVersionsThatAreAffected() throws IOException {
    for (Library affected :
        List.of(
            new Library("com.fasterxml.jackson.core:jackson-databind", "2.22.0"),
            new Library("com.fasterxml.jackson.core:jackson-core", "2.22.0"),
            new Library("ch.qos.logback:logback-core", "1.5.25"),
            new Library("org.apache.logging.log4j:log4j-api", "2.25.4"),
            new Library("com.github.luben:zstd-jni", "1.5.6-10"),
            new Library("org.apache.kafka:kafka-clients", "4.1.1"))) {
      assertThat(advisories()).anyMatch(advisory -> advisory.affects(affected));
    }
  }

  @Test
  void shouldCompareVersionsByTheirNumbers() {
    assertThat(Advisory.compare("1.5.7-15", "1.5.7-9")).isPositive();
    assertThat(Advisory.compare("2.9", "2.10.1")).isNegative();
    assertThat(Advisory.compare("2.0", "2")).isZero();
    assertThat(Advisory.compare("2.6.13.Final", "2.6.13")).isZero();
    Advisory some = new Advisory("g:a", "2.0", "2.5", "X", "nobody");
    assertThat(some.affects(new Library("g:a", "2.0"))).isTrue();
    assertThat(some.affects(new Library("g:a", "2.4.9"))).isTrue();
    assertThat(some.affects(new Library("g:a", "2.5"))).isFalse();
    assertThat(some.affects(new Library("g:a", "1.9"))).isFalse();
    assertThat(some.affects(new Library("g:ab", "2.1"))).isFalse();
  }
}
