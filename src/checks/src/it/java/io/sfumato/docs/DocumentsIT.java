// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sfumato.cli.Arguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What README and docs show, a machine runs; what they promise of it, is seen. */
class DocumentsIT {
  private static final Pattern OWN_FILE =
      Pattern.compile("(topology|docker|docs|schemas|src|LICENSES)/[\\w./-]+");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern TESTS = Pattern.compile("-D(?:it\\.)?test='?([\\w.*,]+)");
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[|(]\\s*)(?:bin/)?sfumato (.*?)(?:\\s[|#>].*|\\)\\s.*)?$");

  @TempDir Path folder;

  static List<Path> documents() throws Exception {
    List<Path> found = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
    try (Stream<Path> files = Files.walk(Path.of("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(found::add);
    }
    return found;
  }

  static List<Path> documentsThatRun() throws Exception {
    List<Path> found = new ArrayList<>();
    for (Path document : documents()) {
      if (!run(document).isEmpty()) {
        found.add(document);
      }
    }
    return found;
  }

  private static List<Block> run(Path document) throws Exception {
    return Block.of(document).stream().filter(Block::isCommands).filter(Block::isRun).toList();
  }

  /** Side by side: they wait more than they work. */
  @Tag("release")
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("documentsThatRun")
  void shouldDoWhatADocumentShows(Path document) throws Exception {
    List<Block> blocks = run(document);
    Rehearsal rehearsal = Rehearsal.of(blocks, folder);
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      String out = rehearsal.out(i);
      assertThat(rehearsal.code(i)).as("%s wrote: %s", block, out).isEqualTo("0");
      for (String pattern : block.all("shows")) {
        assertThat(Pattern.compile(pattern, Pattern.MULTILINE).matcher(out).find())
            .as("%s shows %s: %s", block, pattern, out)
            .isTrue();
      }
      for (String file : block.all("makes")) {
        assertThat(rehearsal.file(file)).as("%s: %s", block, out).isNotEmptyFile();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void shouldShowCommandsThatExist(Path document) throws Exception {
    for (Block block : Block.of(document)) {
      assertThat(block.language()).as("%s: language of the block", block).isNotEmpty();
      if (block.isCommands()) {
        block.note("not run").ifPresent(why -> assertThat(why.split(" ")).hasSizeGreaterThan(2));
        for (String line : block.text().replace("\\\n", " ").split("\n")) {
          checkFiles(block, line);
          checkTests(block, line);
          checkCommands(block, line);
        }
      }
    }
  }

  private static void checkFiles(Block block, String line) {
    OWN_FILE
        .matcher(line.replaceAll("#.*", "").replaceAll("docker/secrets\\S*", ""))
        .results()
        .filter(found -> found.start() == 0 || " =".indexOf(line.charAt(found.start() - 1)) >= 0)
        .forEach(found -> assertThat(Path.of(found.group())).as(block.toString()).exists());
  }

  /** Classes that a document tells to run exist. */
  private static void checkTests(Block block, String line) throws Exception {
    for (MatchResult named : TESTS.matcher(line).results().toList()) {
      for (String pattern : named.group(1).split(",")) {
        String file = pattern.replaceFirst(".*\\.", "").replace("*", ".*") + "\\.java";
        try (Stream<Path> sources = Files.walk(Path.of("src"))) {
          assertThat(sources.map(path -> path.getFileName().toString()))
              .as("%s: %s", block, pattern)
              .anyMatch(name -> name.matches(file));
        }
      }
    }
  }

  private static void checkCommands(Block block, String line) {
    COMMAND
        .matcher(line)
        .results()
        .forEach(
            found ->
                assertThatCode(() -> Arguments.check(words(found.group(1))))
                    .as("%s: %s", block, line)
                    .doesNotThrowAnyException());
  }

  private static String[] words(String arguments) {
    return Arrays.stream(arguments.strip().split("\\s+"))
        .filter(word -> !word.isEmpty())
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void shouldLinkToWhatIsThere(Path document) throws Exception {
    for (MatchResult found : LINK.matcher(Files.readString(document)).results().toList()) {
      String link = found.group(1);
      if (link.startsWith("http")) {
        continue;
      }
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
      assertThat(target).as("%s links to %s", document, link).exists();
      if (parts.length == 2) {
        assertThat(Anchors.of(target)).as("%s links to %s", document, link).contains(parts[1]);
      }
    }
  }

  /** Nobody's diary: the generator that lies beside the build wrote it. */
  @ParameterizedTest
  @CsvSource({
    "SampleRows.java, diary-sample.csv, 501",
    "AdmissionRows.java, wards-sample.csv, 1062",
    "ShopRows.java, shop-questions-sample.csv, 1820"
  })
  void shouldHaveASampleThatItsGeneratorWrites(String generator, String sample, int lines)
      throws Exception {
    Path again = folder.resolve("sample.csv");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                java, "-XX:TieredStopAtLevel=1", "src/build/java/" + generator, again.toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
    assertThat(again).hasSameBinaryContentAs(Path.of("topology").resolve(sample));
    assertThat(Files.readAllLines(again)).hasSize(lines);
  }
}
