// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documents as a site: built where Node.js is, which it is in CI. */
@Tag("release")
class SiteIT {
  private static final Path SITE = Path.of("target/site");
  private static final Pattern LINK = Pattern.compile("<(a|img|link|script)\\b[^>]*?>");
  private static final Pattern TARGET = Pattern.compile(" (?:href|src)=\"([^\"]*)\"");

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
      for (MatchResult element : LINK.matcher(Files.readString(page)).results().toList()) {
        var target = TARGET.matcher(element.group());
        if (target.find()) {
          check(page, element.group(1), target.group(1));
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
    String[] parts = link.split("#", 2);
    String file = parts[0].endsWith("/") ? parts[0] + "index.html" : parts[0];
    Path target =
        file.isEmpty()
            ? page
            : file.startsWith("/") ? SITE.resolve(file.substring(1)) : page.resolveSibling(file);
    assertThat(target).as("%s links to %s", page, link).exists();
    if (parts.length == 2 && !parts[1].isEmpty()) {
      assertThat(Files.readString(target)).as("%s: %s", page, link).contains("id=\"" + parts[1]);
    }
  }
}
