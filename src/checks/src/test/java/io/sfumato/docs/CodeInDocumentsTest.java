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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Theorems and the code that rests on them are found both ways; a map shows rooms that there are.
 */
class CodeInDocumentsTest {
  private static final Path PRIVACY = Path.of("docs/theory/guarantee.md");
  private static final Path ARCHITECTURE = Path.of("docs/architecture.md");
  private static final Pattern CODE = Pattern.compile("(?m)^Code: (.*)\\. Test: (.*)\\.$");
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`");
  private static final Pattern STATEMENT =
      Pattern.compile("(?m)^\\*\\*(Theorem [A-Z]|Corollary)\\b");
  private static final Pattern OURS =
      Pattern.compile("privacy\\.md, Theorem|Theorems? [A-Z] of docs/privacy\\.md");
  private static final Pattern FILE = Pattern.compile("`([A-Z]\\w*)\\.java`");
  private static final Pattern ROOM = Pattern.compile("`io\\.sfumato\\.([a-z.]+)`");

  private static Set<String> classes(List<Path> folders) {
    return Places.java(folders).stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> tests() {
    return Stream.of(Places.tests(), Places.integrationTests()).flatMap(List::stream).toList();
  }

  private static List<Path> all() {
    return Stream.of(Places.main(), tests()).flatMap(List::stream).toList();
  }

  private static List<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyTheoremNamesItsCodeAndItsTest() throws IOException {
    String privacy = Files.readString(PRIVACY);
    List<MatchResult> statements = STATEMENT.matcher(privacy).results().toList();
    assertThat(statements).hasSizeGreaterThanOrEqualTo(6);
    for (int i = 0; i < statements.size(); i++) {
      int end = i + 1 < statements.size() ? statements.get(i + 1).start() : privacy.length();
      int next = privacy.indexOf("\n## ", statements.get(i).start());
      String text =
          privacy.substring(statements.get(i).start(), next < 0 ? end : Math.min(end, next));
      assertThat(CODE.matcher(text).find()).as(statements.get(i).group()).isTrue();
    }
  }

  @Test
  void whatIsNamedIsThere() throws IOException {
    Set<String> code = classes(Places.main());
    Set<String> tests = classes(tests());
    Matcher lines = CODE.matcher(Files.readString(PRIVACY));
    while (lines.find()) {
      assertThat(code).containsAll(names(NAME, lines.group(1)));
      assertThat(tests).containsAll(names(NAME, lines.group(2)));
    }
  }

  /** Code that says it rests on a theorem is named by the page. */
  @Test
  void codeThatNamesATheoremIsNamedByIt() throws IOException {
    Set<String> named = new TreeSet<>();
    Matcher lines = CODE.matcher(Files.readString(PRIVACY));
    while (lines.find()) {
      named.addAll(names(NAME, lines.group(1)));
    }
    List<String> silent = new ArrayList<>();
    for (Path file : Places.java(Places.main())) {
      String name = file.getFileName().toString().replace(".java", "");
      String text = Files.readString(file).replaceAll("\\s*\\n\\s*\\*\\s*", " ");
      if (OURS.matcher(text).find() && !named.contains(name)) {
        silent.add(name);
      }
    }
    assertThat(silent).isEmpty();
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
