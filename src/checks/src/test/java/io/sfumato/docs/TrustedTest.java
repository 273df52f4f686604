// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/trusted.md lists the code that the privacy promise depends on: all of it, and no other. */
class TrustedTest {
  private static final String PAGE = "docs/trusted.md";
  private static final String RING_1 = "## Ring 1";
  private static final String RING_2 = "## Ring 2";
  private static final String WHOLE = "(whole package)";

  /** Packages of ring 2 of which every file is trusted. */
  private static final Set<String> WHOLE_PACKAGES =
      Set.of(
          "io.sfumato.record",
          "io.sfumato.topology.budget",
          "io.sfumato.topology.clock",
          "io.sfumato.topology.dataset",
          "io.sfumato.topology.intake",
          "io.sfumato.topology.journal",
          "io.sfumato.topology.subjects",
          "io.sfumato.topology.version",
          "io.sfumato.topology.selection",
          "io.sfumato.topology.query",
          "io.sfumato.topology.release",
          "io.sfumato.topology.roster",
          "io.sfumato.topology.store",
          "io.sfumato.topology.window",
          "io.sfumato.topology.contributions",
          "io.sfumato.ledger",
          "io.sfumato.ticker");

  /** First line of every table, as a regular expression. */
  private static final String HEAD = "\n\\| files \\|";

  private static final Pattern PACKAGE = Pattern.compile("`(io\\.sfumato\\.[a-z.]+)`");
  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
  private static final String PERMITS = "| source of the permit |";
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*)");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern GATE =
      Pattern.compile("\\bio\\.sfumato\\.gate\\.(Permit|Measured|Gate|LedgerRule|\\*)");

  /** Simple names of classes, so that no rename empties the pattern. */
  private static final Pattern EXACT_DATA =
      Pattern.compile(
          "\\b(%s|%s)\\b|\\bimplements\\b[^{;]*\\b%s\\b"
              .formatted(
                  WindowData.class.getSimpleName(),
                  NameSampler.class.getSimpleName(),
                  ReleaseSampler.class.getSimpleName()));

  /**
   * One table of the page.
   *
   * @param heading above it
   * @param packages whose files it names: all that are named between the heading and the table
   * @param names simple names of classes, as often as they are named
   */
  private record Table(String heading, List<String> packages, List<String> names) {
    /** Of a part of the page that begins with a heading. */
    static Table of(String part) {
      return new Table(
          part.lines().findFirst().orElseThrow(),
          PACKAGE.matcher(part.split(HEAD, 2)[0]).results().map(found -> found.group(1)).toList(),
          FIRST_CELL
              .matcher(part)
              .results()
              .flatMap(cell -> NAME.matcher(cell.group(1)).results())
              .map(name -> name.group(1))
              .toList());
    }

    boolean isWhole() {
      return heading.endsWith(WHOLE);
    }
  }

  /** Tables of one ring, in their order. */
  private static List<Table> tables(String ring) throws IOException {
    String page = Files.readString(Path.of(PAGE));
    int begin = page.indexOf("\n" + ring);
    int end = page.indexOf("\n## ", begin + 1);
    assertThat(begin).as("%s has a section '%s'", PAGE, ring).isNotNegative();
    assertThat(end).as("%s has a section after '%s'", PAGE, ring).isNotNegative();
    List<Table> tables = new ArrayList<>();
    String[] parts = page.substring(begin, end).split("\n### ");
    for (int i = 1; i < parts.length; i++) {
      tables.add(Table.of(parts[i]));
    }
    assertThat(tables).as("tables of '%s' in %s", ring, PAGE).isNotEmpty();
    return tables;
  }

  /** Sources of some modules, by the full names of their classes. */
  private static Map<String, Path> sources(String... modules) {
    Map<String, Path> sources = new TreeMap<>();
    for (String module : modules) {
      Path main = Path.of("src", module, "src", "main", "java");
      for (Path file : Places.java(List.of(main))) {
        String name = main.relativize(file).toString().replace(".java", "").replace('/', '.');
        if (!name.endsWith("package-info")) {
          sources.put(name, file);
        }
      }
    }
    return sources;
  }

  /** Full names of what the tables name, as far as there is such a class. */
  private static Set<String> named(List<Table> tables, Set<String> classes) {
    Set<String> named = new TreeSet<>();
    for (Table table : tables) {
      for (String name : table.names()) {
        table.packages().stream()
            .map(folder -> folder + "." + name)
            .filter(classes::contains)
            .forEach(named::add);
      }
    }
    return named;
  }

  /** What the tables name and no module has. */
  private static List<String> unknown(List<Table> tables, Set<String> classes) {
    List<String> unknown = new ArrayList<>();
    for (Table table : tables) {
      for (String name : table.names()) {
        if (table.packages().stream().noneMatch(at -> classes.contains(at + "." + name))) {
          unknown.add(name + " under " + table.heading());
        }
      }
    }
    return unknown;
  }

  private static List<String> repeated(List<Table> tables) {
    List<String> repeated = new ArrayList<>();
    for (Table table : tables) {
      Set<String> seen = new HashSet<>();
      table.names().stream()
          .filter(name -> !seen.add(name))
          .forEach(name -> repeated.add(name + " under " + table.heading()));
    }
    return repeated;
  }

  private static Set<String> without(Set<String> classes, Set<String> named) {
    Set<String> missing = new TreeSet<>(classes);
    missing.removeAll(named);
    return missing;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Classes of the engine and the program whose source has a pattern. */
  private static Set<String> mentioning(Pattern pattern) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Map.Entry<String, Path> source : sources("engine", "app").entrySet()) {
      if (pattern.matcher(Files.readString(source.getValue())).find()) {
        found.add(source.getKey());
      }
    }
    return found;
  }

  private static void requireInRing2(Set<String> classes, String why) throws IOException {
    assertThat(classes).as("classes that %s", why).isNotEmpty();
    assertThat(without(classes, named(tables(RING_2), classes)))
        .as("'%s' of %s lacks classes that %s", RING_2, PAGE, why)
        .isEmpty();
  }

  @Test
  void shouldNameEachFileOnceWhenItIsInCore() throws IOException {
    Set<String> core = sources("core").keySet();
    List<Table> tables = tables(RING_1);
    assertThat(without(core, named(tables, core)))
        .as("'%s' of %s lacks files of src/core", RING_1, PAGE)
        .isEmpty();
    assertThat(repeated(tables)).as("'%s' of %s names twice", RING_1, PAGE).isEmpty();
  }

  @Test
  void shouldFindAFileInCoreWhenRing1NamesIt() throws IOException {
    assertThat(unknown(tables(RING_1), sources("core").keySet()))
        .as("'%s' of %s names what src/core lacks", RING_1, PAGE)
        .isEmpty();
  }

  @Test
  void shouldNameEachFileWhenItsWholePackageIsTrusted() throws IOException {
    Set<String> trusted =
        sources("engine", "app").keySet().stream()
            .filter(name -> WHOLE_PACKAGES.contains(packageOf(name)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(trusted.stream().map(TrustedTest::packageOf))
        .as("packages of src/engine and src/app")
        .containsAll(WHOLE_PACKAGES);
    List<Table> tables = tables(RING_2);
    assertThat(without(trusted, named(tables, trusted)))
        .as("'%s' of %s lacks files of whole packages", RING_2, PAGE)
        .isEmpty();
    assertThat(tables.stream().filter(Table::isWhole).flatMap(t -> t.packages().stream()))
        .as("headings of %s that say '%s'", PAGE, WHOLE)
        .containsExactlyInAnyOrderElementsOf(WHOLE_PACKAGES);
  }

  @Test
  void shouldFindAFileWhenRing2NamesIt() throws IOException {
    List<Table> tables = tables(RING_2);
    assertThat(unknown(tables, sources("engine", "app", "estimate").keySet()))
        .as("'%s' of %s names what src/engine, src/app and src/estimate lack", RING_2, PAGE)
        .isEmpty();
    assertThat(repeated(tables)).as("'%s' of %s names twice", RING_2, PAGE).isEmpty();
  }

  @Test
  void shouldNameAClassInRing2WhenItUsesTheGate() throws IOException {
    requireInRing2(mentioning(GATE), "use Permit, Measured, Gate or LedgerRule");
  }

  /** Samplers reach the gate through other classes; what they have in common is what they read. */
  @Test
  void shouldNameAClassInRing2WhenItReadsExactData() throws IOException {
    Set<String> readers = mentioning(EXACT_DATA);
    assertThat(readers)
        .contains(
            "io.sfumato.release.names.NamesSampler",
            "io.sfumato.release.table.TableSampler",
            "io.sfumato.topology.selection.NameDraws");
    requireInRing2(readers, "read WindowData or draw names");
  }

  @Test
  void shouldNameAClassInRing2WhenItsNameSaysThatItIsASampler() throws IOException {
    Set<String> samplers =
        sources("engine", "app").keySet().stream()
            .filter(name -> name.matches(".*\\.\\w+Sampler"))
            .collect(Collectors.toCollection(TreeSet::new));
    requireInRing2(samplers, "are samplers");
  }

  /** Callers of {@code LedgerRule} and of the factories of permits. */
  @Test
  void shouldFindEachClassThatTheTableOfPermitsNames() throws IOException {
    String page = Files.readString(Path.of(PAGE));
    int begin = page.indexOf(PERMITS);
    assertThat(begin).as("%s has the table '%s'", PAGE, PERMITS).isNotNegative();
    List<String> named =
        CLASS
            .matcher(page.substring(begin, page.indexOf("\n4. ", begin)))
            .results()
            .map(found -> found.group(1))
            .toList();
    Set<String> classes =
        sources("core", "engine", "app", "lab").keySet().stream()
            .map(name -> name.substring(name.lastIndexOf('.') + 1))
            .collect(Collectors.toSet());
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(classes).as("classes of the table of permits in %s", PAGE).containsAll(named);
  }
}
