// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Long lists of running names, of all sorts, on the operators' page in a real browser. */
@ExtendWith(SharedBroker.class)
@Tag("browser")
class PageNamesIT {
  /** The share is so large that the noise is 0 but for a chance below 1e-200. */
  private static final String YAML =
      """
      pipeline: page-terms
      input:
        topic: page-terms-in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: words, share: { epsilon: 900000, delta: 1e-6 }, running: 2, test-every: 1 } }
      contributions: { per-window: 1000, per-period: 1000 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: "2023-11-14T22:13:20Z" }
      budget: { name: page-terms, unit: user, epsilon: 900000, delta: 1e-6, period: 1m }
      releases:
        - top: { name: best, k: 30, of: words }
      """;

  private static final String LONG = "what somebody typed into a search box and more, volume ";

  private static final List<String> NAMES =
      List.of(
          "crime novels",
          "  spaces",
          "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd!",
          "\ud83d\ude00 faces",
          LONG + 1,
          LONG + 2);

  /** Five thousand names with eight users each: a list of two records. */
  private static final int MANY = 5_000;

  @TempDir Path folder;

  private static String padded(int i) {
    return "%050d".formatted(i);
  }

  @Test
  void shouldShowTheLargestOfLongListsWhateverTheirNames(TestCluster cluster) throws Exception {
    try (Watched watched = new Watched(cluster, folder, YAML);
        Browser browser = new Browser(folder.resolve("profile"))) {
      List<String> events = new ArrayList<>();
      for (int name = 0; name < NAMES.size(); name++) {
        for (int user = 0; user < 40 - name; user++) {
          events.add(event("reader " + user, NAMES.get(name)));
        }
      }
      IntStream.range(0, 8 * MANY)
          .forEach(i -> events.add(event("many " + i / 500, padded(i % MANY))));
      watched.send(0, events);
      browser.size(1280, 900);
      browser.open(watched.url("/"));
      await().atMost(TestCluster.PATIENCE).until(() -> browser.all("#latest article").size() == 2);
      for (String card : List.of("words", "best")) {
        judge(browser, card);
      }
      assertThat(browser.text("#latest article:first-child"))
          .contains("running since 2023-11-14 22:13:20 (1 window)");
      assertThat(browser.text("#outputs"))
          .as("what charges are counted in")
          .contains("1,000 records");
      assertThat(browser.complaints()).isEmpty();
      fits(browser);
    }
  }

  private static void judge(Browser browser, String output) {
    int place = output.equals("words") ? 1 : 2;
    String card = "#latest article:nth-child(%d)".formatted(place);
    assertThat(browser.text(card + " h3")).isEqualTo(output + ", west");
    assertThat(browser.all(card + " th")).hasSize(8);
    for (int name = 0; name < NAMES.size(); name++) {
      assertThat(browser.text("%s tr:nth-child(%d)".formatted(card, name + 1)))
          .contains(40 - name + ", found");
    }
    assertThat(browser.text(card + " tr:nth-child(2) th")).isEqualTo("␣␣spaces");
    assertThat(browser.text(card + " tr:nth-child(3) th")).isEqualTo(NAMES.get(2));
    assertThat(browser.text(card + " tr:nth-child(6) th")).isEqualTo("what somebo…, volume 2");
    // At once: the page is drawn anew every second.
    assertThat(
            browser.run(
                "return document.querySelector('%s tr:nth-child(6) th').title".formatted(card)))
        .isEqualTo(LONG + 2);
    assertThat(browser.text(card))
        .contains(
            "and %,d smaller ones"
                .formatted(output.equals("words") ? MANY + NAMES.size() - 8 : 30 - 8));
  }

  private static String event(String who, String what) {
    return "{\"who\":\"%s\",\"land\":\"west\",\"at\":%d,\"what\":\"%s\"}"
        .formatted(who, Watched.BASE, what);
  }

  private static void fits(Browser browser) throws Exception {
    for (int width : new int[] {1280, 400}) {
      browser.size(width, 900);
      assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
          .as("%d pixels", width)
          .isEqualTo(true);
      assertThat(browser.violations()).as("%d pixels", width).isEmpty();
      browser.size(width, browser.height());
      browser.screenshot(PageIT.SCREENSHOTS.resolve("names-" + width + ".png"));
    }
  }
}
