// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.w3c.dom.Document;

/** Every test runs in {@code mvn -Pfull verify}, and what carries no tag in every build. */
class TiersTest {
  /** Tags of tests that only the full tier runs, as CONTRIBUTING.md explains them. */
  private static final List<String> FULL_ONLY = List.of("deep", "cluster", "release", "browser");

  private static final Path CLASSES = Path.of("target/test-classes");

  private static List<Class<?>> testClasses() throws Exception {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = CLASSES.relativize(file).toString().replaceFirst("\\.class$", "");
        Class<?> type =
            Class.forName(name.replace('/', '.'), false, TiersTest.class.getClassLoader());
        if (elements(type).anyMatch(e -> AnnotationSupport.isAnnotated(e, Testable.class))) {
          found.add(type);
        }
      }
    }
    return found;
  }

  private static Stream<AnnotatedElement> elements(Class<?> type) {
    return Stream.<AnnotatedElement>concat(
        Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredFields()));
  }

  private static List<String> tags(AnnotatedElement element) {
    return AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream()
        .map(Tag::value)
        .toList();
  }

  /** Surefire runs classes named *Test, Failsafe those named *IT, and nobody any other. */
  @Test
  void shouldNameEveryTestClassSoThatABuildRunsIt() throws Exception {
    assertThat(testClasses())
        .hasSizeGreaterThan(400)
        .allSatisfy(
            type -> assertThat(type.getName().replaceFirst("\\$.*", "")).matches(".*(Test|IT)"));
  }

  @Test
  void shouldKnowEveryTag() throws Exception {
    for (Class<?> type : testClasses()) {
      List<String> onClass = new ArrayList<>(tags(type));
      onClass.remove(Numerical.TAG); // says how a deep class runs, not when
      assertThat(FULL_ONLY).as(type.getName()).containsAll(onClass);
      assertThat(onClass).as("one reason is enough: " + type.getName()).hasSizeLessThan(2);
      for (Method method : type.getDeclaredMethods()) {
        assertThat(FULL_ONLY).as(method.toString()).containsAll(tags(method));
      }
    }
  }

  @Test
  void shouldLeaveOutEveryTagInTheQuickTierAndNoneInTheFullOne() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("pom.xml").toFile());
    String all = String.join(" | ", FULL_ONLY);
    String properties = "/project/properties/";
    assertThat(value(pom, properties + "unit.excluded")).isEqualTo(all);
    assertThat(value(pom, properties + "integration.excluded")).isEqualTo(all);
    String full = "/project/profiles/profile[id='full']/properties/";
    assertThat(value(pom, full + "integration.excluded")).isEmpty();
    assertThat(value(pom, full + "unit.excluded")).isEqualTo(Numerical.TAG);
    String numerical = "//execution[id='numerical-test']/configuration/";
    assertThat(value(pom, numerical + "groups")).isEqualTo(Numerical.TAG);
    assertThat(value(pom, numerical + "skip")).isEqualTo("${numerical.skip}");
    assertThat(value(pom, full + "numerical.skip")).isEqualTo("false");
  }

  private static String value(Document pom, String path) throws Exception {
    XPath xpath = XPathFactory.newInstance().newXPath();
    assertThat(xpath.evaluate("count(" + path + ")", pom)).as(path).isEqualTo("1");
    return xpath.evaluate(path, pom);
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
