// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Theorems and the code that rests on them are found both ways; a map shows rooms that exist. */
class CodeInDocumentsTest {
  private static final Path THEORY = Path.of("docs/theory");
  private static final Path GUARANTEE = THEORY.resolve("guarantee.md");
  private static final Path ARCHITECTURE = Path.of("docs/architecture.md");
  private static final List<String> LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUV".chars().mapToObj(Character::toString).toList();

  private static final Pattern STATEMENT =
      Pattern.compile("(?m)^\\*\\*(?:Theorem ([A-Z])|Corollary)\\b");

  /** What a comment or message cites: a page, and a theorem or a heading of it. */
  private static final Pattern PAGE = Pattern.compile("docs/theory/([a-z-]+)\\.md");

  private static final Pattern THEOREM_AFTER =
      Pattern.compile("docs/theory/([a-z-]+)\\.md, Theorem ([A-Z])\\b");
  private static final Pattern THEOREM_BEFORE =
      Pattern.compile("Theorems? (?:[A-Z] and )?([A-Z]) (?:of|in) docs/theory/([a-z-]+)\\.md");
  private static final Pattern HEADING =
      Pattern.compile("docs/theory/([a-z-]+)\\.md, \"([^\"]+)\"");

  /** A link of a report to a proof. */
  private static final Pattern LINK = Pattern.compile("\"theory/([a-z-]+\\.md)#([a-z0-9-]+)\"");

  private static final Pattern OVERVIEW =
      Pattern.compile(
          "(?m)^\\| \\[([A-Z])]\\(([a-z-]+\\.md)#([a-z0-9-]+)\\) \\| [A-Z][^|]+\\. \\| `(\\w+)`,"
              + " `(src/\\w+)` \\| `(\\w+)` \\|$");
  private static final Pattern FILE = Pattern.compile("`([A-Z]\\w*)\\.java`");
  private static final Pattern ROOM = Pattern.compile("`io\\.sfumato\\.([a-z.]+)`");

  private static Set<String> classes(List<Path> folders) {
    return Places.java(folders).stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> all() {
    return Stream.of(Places.main(), Places.tests(), Places.integrationTests())
        .flatMap(List::stream)
        .toList();
  }

  private static List<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> pages = Files.list(THEORY)) {
      return pages.sorted().toList();
    }
  }

  /** The text of a main class, of which a comment is one line. */
  private static String unwrapped(Path file) throws IOException {
    return Files.readString(file).replaceAll("\\s*\\n\\s*\\*\\s*", " ");
  }

  /** From one place to where the next section of the same level, or a higher one, begins. */
  private static String section(String page, int from) {
    int next = page.indexOf("\n## ", from);
    return page.substring(from, next < 0 ? page.length() : next);
  }

  @Test
  void shouldNameCodeAndTestsOfEveryTheorem() throws IOException {
    Set<String> letters = new TreeSet<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      for (MatchResult statement : STATEMENT.matcher(text).results().toList()) {
        assertThat(CodeBlock.of(section(text, statement.start())))
            .as("%s: %s", page, statement.group())
            .isNotEmpty();
        if (statement.group(1) != null) {
          letters.add(statement.group(1));
        }
      }
    }
    assertThat(letters).containsExactlyElementsOf(LETTERS);
  }

  @Test
  void shouldFindEveryClassWhereAPageSaysThatItIs() throws IOException {
    for (Path page : pages()) {
      for (CodeBlock block : CodeBlock.of(Files.readString(page))) {
        assertThat(block.missing()).as("%s: classes that are elsewhere", page).isEmpty();
      }
    }
  }

  /** A command runs the tests that its table names, in the modules where they are. */
  @Test
  void shouldRunTheTestsThatAPageNames() throws IOException {
    for (Path page : pages()) {
      for (CodeBlock block : CodeBlock.of(Files.readString(page))) {
        assertThat(block.tests()).as(page.toString()).isNotEmpty();
        assertThat(block.commanded()).as(page.toString()).isEqualTo(block.tests());
      }
    }
  }

  @Test
  void shouldLeadFromTheOverviewToEveryTheorem() throws IOException {
    List<MatchResult> rows = OVERVIEW.matcher(Files.readString(GUARANTEE)).results().toList();
    assertThat(rows.stream().map(row -> row.group(1))).containsExactlyElementsOf(LETTERS);
    for (MatchResult row : rows) {
      Path page = THEORY.resolve(row.group(2));
      String letter = row.group(1);
      assertThat(Anchors.of(page)).as(row.group()).contains(row.group(3));
      assertThat(row.group(3)).startsWith("theorem-" + letter.toLowerCase(Locale.ROOT));
      String text = Files.readString(page);
      int at = text.indexOf("\n**Theorem " + letter);
      assertThat(text.lastIndexOf("\n## Theorem " + letter + ":", at))
          .as("heading of %s", row.group())
          .isPositive();
      List<CodeBlock> blocks = CodeBlock.of(section(text, at + 1));
      assertThat(blocks)
          .as(row.group())
          .anyMatch(block -> block.has(row.group(5), row.group(4)))
          .anyMatch(block -> block.tests().contains(row.group(6)));
    }
  }

  /** Code that says it rests on a theorem is named by the theorem's page. */
  @Test
  void shouldNameTheCodeThatCitesATheorem() throws IOException {
    Map<String, Set<String>> letters = new TreeMap<>();
    Map<String, Set<String>> named = new TreeMap<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      String name = page.getFileName().toString().replace(".md", "");
      letters.put(name, new TreeSet<>());
      STATEMENT
          .matcher(text)
          .results()
          .filter(found -> found.group(1) != null)
          .forEach(found -> letters.get(name).add(found.group(1)));
      named.put(
          name,
          CodeBlock.of(text).stream()
              .flatMap(block -> block.classes().stream())
              .collect(Collectors.toSet()));
    }
    List<String> silent = new ArrayList<>();
    int cited = 0;
    for (Path file : Places.java(Places.main())) {
      String name = file.getFileName().toString().replace(".java", "");
      for (Citation citation : Citation.of(unwrapped(file))) {
        cited++;
        assertThat(letters).as(name).containsKey(citation.page());
        assertThat(letters.get(citation.page())).as(name).contains(citation.letter());
        if (!name.equals("package-info") && !named.get(citation.page()).contains(name)) {
          silent.add(name + " cites " + citation);
        }
      }
    }
    assertThat(cited).isGreaterThan(40);
    assertThat(silent).isEmpty();
  }

  private record Citation(String page, String letter) {
    static List<Citation> of(String text) {
      return Stream.concat(
              THEOREM_AFTER
                  .matcher(text)
                  .results()
                  .map(found -> new Citation(found.group(1), found.group(2))),
              THEOREM_BEFORE
                  .matcher(text)
                  .results()
                  .map(found -> new Citation(found.group(2), found.group(1))))
          .toList();
    }
  }

  @Test
  void shouldCitePagesAndHeadingsThatExist() throws IOException {
    for (Path file : Places.java(all())) {
      String text = unwrapped(file);
      for (String page : names(PAGE, text)) {
        assertThat(THEORY.resolve(page + ".md")).as(file.toString()).exists();
      }
      for (MatchResult heading : HEADING.matcher(text).results().toList()) {
        assertThat(Files.readString(THEORY.resolve(heading.group(1) + ".md")))
            .as("%s: %s", file, heading.group())
            .containsPattern("(?m)^#+ " + Pattern.quote(heading.group(2)) + "$");
      }
    }
  }

  /** Whatever kind a pipeline file has, its report links to a proof that is there. */
  @Test
  void shouldLinkFromReportsToProofsThatExist() throws IOException {
    int links = 0;
    for (Path file : Places.java(Places.main())) {
      for (MatchResult link : LINK.matcher(Files.readString(file)).results().toList()) {
        links++;
        assertThat(Anchors.of(THEORY.resolve(link.group(1))))
            .as("%s: %s", file, link.group())
            .contains(link.group(2));
      }
    }
    assertThat(links).isGreaterThanOrEqualTo(15);
  }

  @Test
  void theMapShowsFilesAndRoomsThatThereAre() throws IOException {
    String map = Files.readString(ARCHITECTURE);
    List<String> files = names(FILE, map);
    assertThat(files).hasSizeGreaterThan(20);
    assertThat(classes(all())).containsAll(files);
    for (String room : names(ROOM, map)) {
      assertThat(Places.main())
          .as(room)
          .anyMatch(
              main -> Files.isDirectory(main.resolve(Path.of("io/sfumato", room.split("\\.")))));
    }
    for (Path main : Places.main()) {
      try (Stream<Path> rooms = Files.list(main.resolve("io/sfumato"))) {
        assertThat(rooms.map(room -> "`io.sfumato." + room.getFileName() + "`").toList())
            .allSatisfy(room -> assertThat(map).contains(room));
      }
    }
  }
}
