// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.ModuleTiers;
import io.sfumato.testkit.Numerical;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Every test runs in {@code mvn -Pfull verify}, and untagged tests run in every build. */
class TiersTest extends ModuleTiers {
  @Test
  void shouldLeaveOutEveryTagInTheQuickTierAndNoneInTheFullOne() throws Exception {
    String all = String.join(" | ", FULL_ONLY);
    String properties = "/project/properties/";
    assertThat(value(properties + "unit.excluded")).isEqualTo(all);
    assertThat(value(properties + "integration.excluded")).isEqualTo(all);
    String full = "/project/profiles/profile[id='full']/properties/";
    assertThat(value(full + "integration.excluded")).isEmpty();
    assertThat(value(full + "unit.excluded")).isEqualTo(Numerical.TAG);
    assertThat(value(full + "numerical.skip")).isEqualTo("${skipTests}");
  }

  /** The properties above decide, and nothing else in the build leaves a test out. */
  @Test
  void shouldLeaveOutTestsInNoOtherWay() throws Exception {
    String unit = "//execution[id='default-test']/configuration/";
    assertThat(value(unit + "excludedGroups")).isEqualTo("${unit.excluded}");
    assertThat(value(unit + "skipTests")).isEqualTo("${unit.skip}");
    String numerical = "//execution[id='numerical-test']/configuration/";
    assertThat(value(numerical + "groups")).isEqualTo(Numerical.TAG);
    assertThat(value(numerical + "skipTests")).isEqualTo("${numerical.skip}");
    String integration = "//plugin[artifactId='maven-failsafe-plugin']/configuration/";
    assertThat(value(integration + "excludedGroups")).isEqualTo("${integration.excluded}");
    assertThat(value(integration + "skipTests")).isEqualTo("${integration.skip}");
    for (String skip : List.of("skipTests", "unit.skip", "integration.skip")) {
      assertThat(value("/project/properties/" + skip)).isIn("false", "${skipTests}");
      assertThat(count("/project/profiles/profile[id='full']/properties/" + skip)).isZero();
    }
    for (String other : List.of("skipITs", "skip", "skipExec", "includes", "excludes", "test")) {
      assertThat(
              count(
                  "//plugin[starts-with(artifactId, 'maven-surefire') or starts-with(artifactId,"
                      + " 'maven-failsafe')]//"
                      + other))
          .as(other)
          .isZero();
    }
  }

  /**
   * Which classes share a broker depends on the machine: two users of a name may or may not meet. A
   * class uses the names of topics that it creates, and those of its pipelines' inputs and
   * releases.
   */
  @Test
  void shouldUseATopicInOneClassOnlyOnTheSharedBroker() throws Exception {
    Map<String, Set<String>> created = new TreeMap<>();
    Map<String, Set<String>> users = new TreeMap<>();
    for (Path file : Places.java(Places.integrationTests())) {
      String source = Files.readString(file);
      if (source.contains("@ExtendWith(SharedBroker.class)")) {
        String name = file.getFileName().toString();
        note(Pattern.compile("createTopic\\(\\s*\"([^\"]+)\""), source, name, created);
        note(Pattern.compile("(?:topic|name): ([\\w.-]+)"), source, name, users);
      }
    }
    assertThat(created).hasSizeGreaterThan(20);
    assertThat(users).hasSizeGreaterThan(20);
    created.forEach((topic, classes) -> classes.addAll(users.getOrDefault(topic, Set.of())));
    created.values().removeIf(classes -> classes.size() == 1);
    assertThat(created).as("topics that several classes use on the shared broker").isEmpty();
  }

  private static void note(
      Pattern name, String source, String user, Map<String, Set<String>> users) {
    name.matcher(source)
        .results()
        .forEach(
            found -> users.computeIfAbsent(found.group(1), topic -> new TreeSet<>()).add(user));
  }

  private static String value(String path) throws Exception {
    assertThat(count(path)).as(path).isEqualTo(1);
    return XPathFactory.newInstance().newXPath().evaluate(path, pom());
  }

  private static int count(String path) throws Exception {
    XPath xpath = XPathFactory.newInstance().newXPath();
    return Integer.parseInt(xpath.evaluate("count(" + path + ")", pom()));
  }

  private static Document pom() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(Path.of("pom.xml").toFile());
  }

  @Test
  void shouldExplainEveryTagToContributors() throws IOException {
    assertThat(new TreeSet<>(FULL_ONLY))
        .allSatisfy(
            tag ->
                assertThat(Files.readString(Path.of("CONTRIBUTING.md")))
                    .contains("| `" + tag + "`"));
  }
}
