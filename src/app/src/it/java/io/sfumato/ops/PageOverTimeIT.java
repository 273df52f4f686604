// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Running counts, those of the last windows, and what learned from history, on the operators' page
 * in a real browser.
 */
@ExtendWith(SharedBroker.class)
@Tag("browser")
class PageOverTimeIT {
  private static final int WINDOWS = 4;
  private static final int USERS = 50;

  /** The share is so large that the noise is 0 but for a chance below 1e-200. */
  private static final String YAML =
      """
      pipeline: page-overtime
      input: { topic: page-overtime-in, subject: what, user: who, time: at, category: what, categories: [north, south, accident and emergency] }
      contributions: { per-window: 1 }
      subjects: [north, south]
      window: { size: 10s, clock: ticks, begin: "2023-11-14T22:13:20Z" }
      budget: { name: page-overtime, unit: user, epsilon: 900004, delta: 4e-6, period: { any: 1m } }
      releases:
        - count: { name: visits, by: total, running: forever, over: 2, share: { epsilon: 900000, delta: 1e-6 } }
        - histogram: { name: page-mix, method: best, post-processing: history, plan-size: 50, share: { epsilon: 2, delta: 1e-6 } }
        - count: { name: learned, method: best, post-processing: history, share: { epsilon: 0.01, delta: 1e-6 } }
      """;

  private static final String NEWEST = "#latest article:first-child";

  @TempDir Path folder;

  @Test
  void shouldTellRunningCountsAndLastWindowsApart(TestCluster cluster) throws Exception {
    try (Watched watched = new Watched(cluster, folder, YAML);
        Browser browser = new Browser(folder.resolve("profile"))) {
      for (int window = 0; window < WINDOWS; window++) {
        watched.visit(window, USERS, "north", "south");
      }
      browser.size(1280, 900);
      browser.open(watched.url("/"));
      // Whichever subject came last.
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  browser.all("#latest article").size() == 18
                      && browser.text(NEWEST).contains("(4 windows)"));
      String latest = browser.text(NEWEST);
      assertThat(latest)
          .contains("running since 2023-11-14 22:13:20 (4 windows)")
          .contains("last 2 windows, since 2023-11-14 22:13:40")
          .contains("running since 2023-11-14 22:13:20: the last 4 windows")
          .contains(WINDOWS * USERS + " ± 0", 2 * USERS + " ± 0");
      assertThat(browser.text("#latest article:nth-child(2) h3")).isEqualTo("visits, south");
      assertThat(browser.text(NEWEST + " h3"))
          .as("the file lists its subjects")
          .isEqualTo("visits, north");
      assertThat(browser.text("#whose")).isEqualTo(", the newest of each subject first");
      assertThat(browser.text("#latest")).contains(", history of ");
      assertThat(browser.all(NEWEST + " caption")).hasSize(2);
      assertThat(browser.all(NEWEST + " svg.bar")).as("a bar in each group").hasSize(2);
      assertThat(browser.all(NEWEST + " svg.course polyline"))
          .as("one line of running counts")
          .hasSize(1);
      assertThat(
              browser.run(
                  "return document.querySelector('"
                      + NEWEST
                      + " polyline').getAttribute('points').split(' ').length"))
          .isEqualTo((long) WINDOWS);
      assertThat(browser.text("#scale"))
          .contains("noise can make counts negative, and running counts fall");
      promise(browser);
      assertThat(browser.source()).doesNotContain("visitor-");
      assertThat(browser.complaints()).isEmpty();
      fits(browser);
    }
  }

  private static void promise(Browser browser) {
    assertThat(browser.text("#headline"))
        .isEqualTo("Protected: all that any one user did, whatever 1 minute you take.");
    browser.run("document.querySelector('#exactly summary').click()");
    assertThat(browser.text("#promise")).contains("in 1 minute, whichever you take, by a factor");
    assertThat(browser.text("#sums")).startsWith("visits holds earlier windows too");
  }

  private static void fits(Browser browser) throws Exception {
    for (int width : new int[] {1280, 400}) {
      browser.size(width, 900);
      assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
          .as("%d pixels", width)
          .isEqualTo(true);
      assertThat(browser.violations()).as("%d pixels", width).isEmpty();
      browser.size(width, browser.height());
      browser.screenshot(PageIT.SCREENSHOTS.resolve("over-time-" + width + ".png"));
    }
  }
}
