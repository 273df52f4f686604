// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.report.Form;
import io.sfumato.report.Sheet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sheet for whoever must sign, in a real browser: no broker, no server. */
@Tag("browser")
class SheetIT {
  private static final Path FILE = Path.of("topology/wards.yaml");

  @TempDir static Path folder;

  private static Browser browser;

  @BeforeAll
  static void open() throws Exception {
    browser = new Browser(folder.resolve("profile"));
    Path html = folder.resolve("wards.html");
    Plan plan = Plan.of(FILE.toString(), PipelineFile.read(FILE));
    Sheet sheet =
        Sheet.of(plan, "wards.yaml", "0123abcd", "sfumato of tests", Sheet.Beside.NOTHING);
    Files.writeString(html, Form.HTML.write(sheet, "docs/"));
    browser.open(html.toUri().toString());
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void shouldBeReadableByEverybodyInLightAndDark() throws Exception {
    // Before axe draws: that complains of itself.
    assertThat(browser.complaints()).as("of what the page asks for").isEmpty();
    browser.medium("screen");
    for (String scheme : new String[] {"light", "dark"}) {
      browser.size(1100, 900);
      browser.scheme(scheme);
      assertThat(browser.violations()).as(scheme).isEmpty();
      picture(scheme, 1100);
    }
    assertThat(browser.text("h1")).isEqualTo("Privacy report: wards, version 1");
  }

  @Test
  void shouldFitAPhone() throws Exception {
    browser.medium("screen");
    browser.scheme("light");
    browser.size(400, 800);
    assertThat(browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
        .as("the page itself does not roll sideways; wide tables do, each in its place")
        .isEqualTo(true);
    picture("phone", 400);
  }

  @Test
  void shouldPrintOnPaperOfA4() throws Exception {
    browser.size(680, 900);
    String pdf = new String(browser.printed(), StandardCharsets.ISO_8859_1);
    assertThat(pdf).startsWith("%PDF");
    assertThat(Pattern.compile("/Type /Page\\b(?!s)").matcher(pdf).results().count())
        .isBetween(2L, 14L);
    Pattern paper = Pattern.compile("/MediaBox \\[0 0 (\\d+)\\S* (\\d+)\\S*\\]");
    assertThat(paper.matcher(pdf).results())
        .isNotEmpty()
        .allSatisfy(
            size -> {
              assertThat(Integer.parseInt(size.group(1))).isBetween(594, 596);
              assertThat(Integer.parseInt(size.group(2))).isBetween(841, 842);
            });
    browser.medium("print");
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('.grid')]"
                    + ".every(grid => grid.scrollWidth <= grid.clientWidth + 1)"))
        .as("nothing is cut off: paper does not roll")
        .isEqualTo(true);
    picture("print", 680);
  }

  private static void picture(String name, int width) throws Exception {
    browser.size(width, browser.height());
    browser.screenshot(PageIT.SCREENSHOTS.resolve("sheet-" + name + ".png"));
  }
}
