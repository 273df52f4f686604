// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.Places;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Documents and comments name classes that exist: ours, those that our sources import, or those of
 * a library on the class path. A class that is renamed is renamed there too.
 */
class NamedClassesTest {
  private static final Path MUTANTS = Path.of("src/build/mutants.md");

  /** Pages whose words in backticks are checked. */
  private static final List<Path> PAGES =
      List.of(
          Path.of("docs/trusted.md"),
          Path.of("docs/glossary.md"),
          Path.of("docs/architecture.md"),
          MUTANTS);

  /** Words that look like classes and are none: a setting of Kafka, and a class of NumPy. */
  private static final Set<String> OTHERS = Set.of("LogAppendTime", "RandomState");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+);");
  private static final Pattern PART = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern SCHEMA = Pattern.compile("\"name\":\\s*\"([A-Z]\\w*)\"");
  private static final Pattern JAVADOC = Pattern.compile("\\{@(?:code|link|linkplain)\\s+([^}]*)}");

  /** Two words at least: one word alone may be anything. */
  private static final Pattern CAMEL_CASE =
      Pattern.compile("^([A-Z][a-z]\\w*[A-Z]\\w*|X[A-Z]\\w*)\\b");

  private static final Pattern BACKTICKS = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern NAME = Pattern.compile("(?:^|[.( ])([A-Z][a-z]\\w*)(?![\\w*])");

  /** A row of the table of mutants: the class below {@code io.sfumato}, and its method. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.]+\\.[A-Z]\\w*)[\\w$]*#([\\w<>]+)` \\|");

  private static final Pattern CALL = Pattern.compile("removed call to (\\w+)::\\w+");

  private static Set<String> known;

  @BeforeAll
  static void knowClasses() throws IOException {
    known = new TreeSet<>(OTHERS);
    for (Path file : sources()) {
      String text = Files.readString(file);
      known.add(file.getFileName().toString().replace(".java", ""));
      known.addAll(groups(TYPE, text));
      groups(IMPORT, text)
          .forEach(name -> PART.matcher(name).results().forEach(part -> known.add(part.group())));
    }
    try (Stream<Path> schemas = Files.list(Path.of("schemas"))) {
      for (Path schema : schemas.filter(path -> path.toString().endsWith(".avsc")).toList()) {
        known.addAll(groups(SCHEMA, Files.readString(schema)));
      }
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.endsWith(".jar") && Files.isRegularFile(Path.of(entry))) {
        known.addAll(foreign(Path.of(entry)));
      }
    }
  }

  /** Simple names of a jar's classes, without ours: those may be older than the sources. */
  private static Set<String> foreign(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.startsWith("io/sfumato/"))
          .map(name -> name.replaceFirst(".*[/$]", "").replace(".class", ""))
          .collect(Collectors.toSet());
    }
  }

  private static List<Path> sources() {
    return Stream.of(Places.main(), Places.tests(), Places.integrationTests())
        .flatMap(folders -> Places.java(folders).stream())
        .toList();
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** Whether there is such a class; an X in a name stands for any word. */
  private static boolean exists(String name) {
    if (name.matches("X[A-Z]\\w*")) {
      return known.stream().anyMatch(each -> each.endsWith(name.substring(1)));
    }
    return known.contains(name)
        || name.matches("\\w+[a-z]X")
            && known.stream().anyMatch(each -> each.startsWith(name.replaceFirst("X$", "")));
  }

  private static List<String> missing(List<String> names) {
    return names.stream().filter(name -> !exists(name)).distinct().toList();
  }

  @Test
  void shouldFindAClassWhenAPageNamesIt() throws IOException {
    for (Path page : PAGES) {
      List<String> named =
          groups(BACKTICKS, Files.readString(page)).stream()
              .flatMap(words -> groups(NAME, words).stream())
              .toList();
      assertThat(named).as("names in %s", page).hasSizeGreaterThan(20);
      assertThat(missing(named)).as("names in %s without a class", page).isEmpty();
    }
  }

  @Test
  void shouldFindAClassWhenJavadocNamesIt() throws IOException {
    TreeMap<String, List<String>> missing = new TreeMap<>();
    for (Path file : sources()) {
      List<String> named =
          groups(JAVADOC, Files.readString(file)).stream()
              .flatMap(words -> groups(CAMEL_CASE, words).stream())
              .toList();
      if (!missing(named).isEmpty()) {
        missing.put(file.toString(), missing(named));
      }
    }
    assertThat(missing).as("names in Javadoc without a class").isEmpty();
  }

  @Test
  void shouldFindClassAndMethodWhenAMutantMayLiveThere() throws IOException {
    String table = Files.readString(MUTANTS);
    List<String> missing = new ArrayList<>();
    List<MatchResult> rows = ROW.matcher(table).results().toList();
    assertThat(rows).hasSizeGreaterThan(100);
    for (MatchResult row : rows) {
      Path file = Path.of("io/sfumato").resolve(row.group(1).replace('.', '/') + ".java");
      List<Path> found =
          Places.main().stream().map(at -> at.resolve(file)).filter(Files::exists).toList();
      if (found.isEmpty() || !has(found.get(0), row.group(2))) {
        missing.add(row.group());
      }
    }
    assertThat(missing).as("rows of %s without a method", MUTANTS).isEmpty();
    assertThat(missing(groups(CALL, table))).as("calls in %s", MUTANTS).isEmpty();
  }

  private static boolean has(Path file, String method) throws IOException {
    return method.equals("<init>")
        || Pattern.compile("\\b" + method + "\\(").matcher(Files.readString(file)).find();
  }
}
