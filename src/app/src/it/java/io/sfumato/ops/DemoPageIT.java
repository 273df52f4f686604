// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What whoever tries the program sees first: the page of the demo, whose bars are narrow. */
@Tag("browser")
class DemoPageIT {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
  private static final Pattern BAR = Pattern.compile("% ± (\\d+\\.\\d)");

  @TempDir Path folder;

  @Test
  void shouldShowReleasesThatOneWouldBeGladToSee() throws Exception {
    Path out = folder.resolve("demo.log");
    Process demo =
        new ProcessBuilder(
                Path.of("bin/sfumato").toAbsolutePath().toString(),
                "demo",
                "--seconds",
                "3600",
                "--port",
                "0",
                "--probe-port",
                "0")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try (Browser browser = new Browser(folder.resolve("profile"))) {
      browser.size(1280, 900);
      await().atMost(TestCluster.PATIENCE).until(() -> address(out).isPresent());
      browser.open(address(out).orElseThrow());
      // The first two windows are whole, and on the page.
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  browser.all("#latest article").size() > 5
                      && browser.all("#together article").size() == 1);
      assertThat(browser.text("#headline"))
          .isEqualTo("Protected: the content of any single record.");
      // On a busy machine few listeners come in time for the first windows, which newer ones
      // replace.
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          BAR.matcher(browser.text("#latest"))
                              .results()
                              .map(found -> Double.valueOf(found.group(1))))
                      .isNotEmpty()
                      .allSatisfy(half -> assertThat(half).isLessThan(10)));
      browser.size(1280, 1780);
      for (String scheme : new String[] {"light", "dark"}) {
        browser.scheme(scheme);
        browser.screenshot(PageIT.SCREENSHOTS.resolve("demo-" + scheme + ".png"));
      }
    } finally {
      demo.destroy();
      assertThat(demo.waitFor()).isNotNegative();
    }
  }

  private static Optional<String> address(Path out) throws Exception {
    return ADDRESS.matcher(Files.readString(out)).results().map(MatchResult::group).findFirst();
  }
}
