// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documents and the Javadoc as a site: built where Node.js is, which it is in CI. */
@Tag("release")
class SiteIT {
  private static final Path SITE = Path.of("target/site");
  private static final Pattern LINK = Pattern.compile("<(a|img|link|script)\\b[^>]*?>");
  private static final Pattern TARGET = Pattern.compile(" (?:href|src)=\"([^\"]*)\"");

  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
  private static final Map<Path, String> TEXTS = new HashMap<>();
  private static final Map<Path, Set<String>> ANCHORS = new HashMap<>();

  @BeforeAll
  static void build() throws Exception {
    boolean npm =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "npm")));
    assumeTrue(npm || System.getenv("CI") != null, "no npm here: install nodejs and npm");
    Process process = new ProcessBuilder("site/build").redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
  }

  private static List<Path> pages() throws Exception {
    try (Stream<Path> files = Files.walk(SITE)) {
      return files
          .filter(file -> file.toString().endsWith(".html") && !file.endsWith("404.html"))
          .toList();
    }
  }

  private static String text(Path page) {
    return TEXTS.computeIfAbsent(
        page.normalize(),
        file -> {
          try {
            return Files.readString(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The anchors of a page, as a browser reads them. */
  private static Set<String> anchors(Path page) {
    return ANCHORS.computeIfAbsent(
        page.normalize(),
        file ->
            ID.matcher(text(file))
                .results()
                .map(id -> unescaped(id.group(1)))
                .collect(Collectors.toSet()));
  }

  private static String unescaped(String attribute) {
    return attribute
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  private static String decoded(String part) {
    return URLDecoder.decode(unescaped(part).replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Test
  void shouldHaveAPageForEachDocument() throws Exception {
    for (Path document : DocumentsIT.documents()) {
      String page =
          document.toString().replaceFirst("README\\.md$", "index.md").replace(".md", ".html");
      assertThat(Files.readString(SITE.resolve(page)))
          .as(page)
          .contains("<h1")
          .doesNotContain("<!-- not run", "<!-- shows");
    }
  }

  @Test
  void shouldListEachDocumentBesideTheFirstPage() throws Exception {
    String first = Files.readString(SITE.resolve("index.html"));
    for (Path document : DocumentsIT.documents()) {
      String page = document.toString().replaceFirst("README\\.md$", "").replace(".md", ".html");
      assertThat(first).as(page).contains("href=\"/" + page + "\"");
    }
  }

  @Test
  void shouldLinkToWhatIsThere() throws Exception {
    for (Path page : pages()) {
      for (MatchResult element : LINK.matcher(text(page)).results().toList()) {
        var target = TARGET.matcher(element.group());
        if (target.find()) {
          check(page, element.group(1), target.group(1));
        }
      }
    }
  }

  /** Each page has both links in its bar and beside it; docs/library.md has them in its text. */
  @Test
  void shouldLinkToTheJavadocOfBothLibraries() throws Exception {
    for (String page : List.of("api/index.html", "api/io/sfumato/estimate/package-summary.html")) {
      assertThat(SITE.resolve(page)).isNotEmptyFile();
      assertThat(text(SITE.resolve("index.html"))).contains("href=\"/" + page + "\"");
      assertThat(text(SITE.resolve("docs/library.html"))).contains("href=\"../" + page + "\"");
    }
    assertThat(text(SITE.resolve("api/index.html")))
        .contains("href=\"./../index.html\"", "io/sfumato/estimate/package-summary.html");
  }

  /** ExamplesTest compares the source of that page with the program, which CoreLibraryIT runs. */
  @Test
  void shouldCalibrateChargeAndDrawOnTheFirstPageOfTheJavadoc() throws Exception {
    String overview = Files.readString(Path.of("src/core/src/main/javadoc/overview.html"));
    String example =
        overview.substring(overview.indexOf("{@code\n") + 7, overview.indexOf("\n}</pre>"));
    assertThat(example).contains("// Calibrate", "rule.charge(", "gate.release(");
    assertThat(unescaped(text(SITE.resolve("api/index.html")))).contains(example.strip());
  }

  @Test
  void shouldHaveAPageInTheJavadocForEachPublicPackage() throws Exception {
    for (String module : List.of("core", "estimate")) {
      Path sources = Path.of("src", module, "src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(path -> path.endsWith("package-info.java")).toList()) {
          Path folder = sources.relativize(file).getParent();
          assertThat(SITE.resolve("api").resolve(folder).resolve("package-summary.html"))
              .isNotEmptyFile();
        }
      }
    }
  }

  private static void check(Path page, String element, String link) throws Exception {
    if (link.startsWith("http")) {
      // Readers follow links elsewhere; pages load nothing from there.
      assertThat(element).as("%s has %s", page, link).isEqualTo("a");
      return;
    }
    String[] parts = decoded(link).split("#", 2);
    String file = parts[0].endsWith("/") ? parts[0] + "index.html" : parts[0];
    Path target =
        file.isEmpty()
            ? page
            : file.startsWith("/") ? SITE.resolve(file.substring(1)) : page.resolveSibling(file);
    assertThat(target).as("%s links to %s", page, link).exists();
    // On that page the JDK's own list of packages links to a prefix of their anchors.
    boolean isExact = !target.endsWith("constant-values.html");
    if (isExact && parts.length == 2 && !parts[1].isEmpty()) {
      assertThat(anchors(target)).as("%s: %s", page, link).contains(parts[1]);
    }
  }
}
