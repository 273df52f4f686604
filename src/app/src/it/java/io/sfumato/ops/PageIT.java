// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.runtime.ForkArchive;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The operators' page in a real browser. The broker dies in the last test. */
@Tag("browser")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageIT {
  static final Path SCREENSHOTS = Browser.SCREENSHOTS;

  @TempDir static Path folder;

  private static Browser browser;
  private static ForkedCluster brokers;
  private static Watched watched;

  @BeforeAll
  static void start() throws Exception {
    browser = new Browser(folder.resolve("profile"));
    brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    watched = Watched.histogramAndQuery(new TestCluster(brokers), folder, "watched");
    for (int window = 0; window < 3; window++) {
      watched.play(window, 25);
    }
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> watched.counts().refusals() == 25 && released("watched-mix") == 50);
    watched.ask();
    await().atMost(TestCluster.PATIENCE).until(() -> released("watched-fit") == 2);
    browser.size(1280, 900);
    browser.open(watched.url("/"));
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all("#latest article").size() > 0);
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all("[data-budget]").size() > 3);
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all("#answers tbody tr").size() == 2);
  }

  @AfterAll
  static void stop() {
    if (watched != null) {
      watched.close();
    }
    if (brokers != null) {
      brokers.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  @Order(1)
  void shouldShowTheNumbersOfTheMetrics() throws Exception {
    assertThat(browser.text("#state")).isEqualTo("running");
    assertThat(number("#accepted"))
        .isEqualTo(watched.metric("sfumato_records_total{outcome=\"accepted\"}"))
        .isEqualTo(3000);
    assertThat(number("#dead [data-code=unknown_category]"))
        .isEqualTo(watched.metric("sfumato_records_total{outcome=\"unknown_category\"}"))
        .isEqualTo(3);
    assertThat(number("[data-released=watched-mix]"))
        .isEqualTo(watched.metric("sfumato_releases_total{output=\"watched-mix\"}"))
        .isEqualTo(50);
    assertThat(number("#refusals [data-code=exhausted]"))
        .isEqualTo(
            watched.metric("sfumato_refusals_total{code=\"exhausted\",output=\"watched-mix\"}"))
        .isEqualTo(25);
  }

  @Test
  @Order(2)
  void shouldShowAnExhaustedBudget() throws Exception {
    assertThat(browser.text("[data-budget=all]")).isEqualTo("100%");
    assertThat(
            watched.metric(
                "sfumato_budget_spent_subjects_ratio{at_least=\"1.0\",share=\"watched-mix\"}"))
        .isEqualTo(1);
    assertThat(watched.metric("sfumato_budget_releases_left{share=\"watched-mix\"}")).isZero();
  }

  @Test
  @Order(2)
  void shouldLeadWithPlainWordsAndKeepTheExactOnesOneClickBehind() {
    assertThat(browser.text("#headline")).isEqualTo("Protected: the content of any single record.");
    assertThat(browser.text("#left")).startsWith("Left: nothing.");
    assertThat(browser.text("#protects")).isEmpty();
    browser.run("document.querySelector('#exactly summary').click()");
    assertThat(browser.text("#protects")).contains("reveal about one record's category");
    browser.run("document.querySelector('#exactly summary').click()");
  }

  @Test
  @Order(2)
  void shouldShowWhatAllSubjectsOfAWindowHaveInCommonAboveTheCards() {
    assertThat(browser.text("#together"))
        .contains("watched-mix, all together", "mean of 25 releases");
    assertThat(
            browser.run(
                "return document.querySelector('#together').getBoundingClientRect().bottom"
                    + " <= document.querySelector('#latest').getBoundingClientRect().top"))
        .isEqualTo(true);
  }

  @Test
  @Order(2)
  void shouldSayOneAndManyAndNothingOfWhatThereIsNot() {
    assertThat(browser.text("#brokers")).isEqualTo("1 broker");
    assertThat(browser.run("return document.querySelector('#unenrolled').hidden")).isEqualTo(true);
    assertThat(browser.run("return document.querySelector('#unselected').hidden")).isEqualTo(true);
    assertThat(browser.run("return document.querySelector('#scale').hidden"))
        .as("no counts")
        .isEqualTo(true);
  }

  @Test
  @Order(4)
  void shouldNeedNoSidewaysScrollingOnATelephone() {
    browser.size(400, 900);
    browser.run("location.reload()");
    await().until(() -> browser.all("#edges li").size() > 3);
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth >"
                    + " e.clientWidth).length"))
        .isEqualTo(0L);
    assertThat(browser.text("#outputs")).contains("Topic", "watched-mix", "Lasts");
    assertThat(browser.text("#edges")).contains("topic watched-in → records");
    browser.size(1280, 900);
    browser.run("location.reload()");
    await().until(() -> browser.all("#edges li").size() > 3);
  }

  @Test
  @Order(4)
  void shouldDrawTheTopologyAsWideAsTheScreenAtMost() {
    assertThat(browser.all("#topology g")).hasSizeGreaterThan(10);
    assertThat(
            browser.run(
                "return document.querySelector('#drawing').scrollWidth <="
                    + " document.querySelector('#drawing').clientWidth"))
        .isEqualTo(true);
  }

  @Test
  @Order(2)
  void shouldShowTheProgressAndTheAnswersOfQueries() throws Exception {
    assertThat(browser.text("#progress")).contains("2 of 4 candidates answered");
    assertThat(watched.metric("sfumato_query_candidates_total{output=\"watched-fit\"}"))
        .isEqualTo(4);
    assertThat(browser.text("#answers")).contains("2 of 4").containsPattern("accepted|rejected");
  }

  @Test
  @Order(2)
  void shouldNameNobody() throws Exception {
    for (String path : new String[] {"/", "/metrics", "/snapshot.json", "/page.js"}) {
      assertThat(watched.get(path)).as(path).doesNotContain(Watched.SECRET_NAME, "listener-");
    }
    assertThat(browser.source()).doesNotContain(Watched.SECRET_NAME, "listener-");
  }

  @Test
  @Order(3)
  void shouldAskNothingOfOthersAndBreakNoRuleOfItsOwn() {
    assertThat(browser.complaints()).isEmpty();
    assertThat(
            browser.run(
                "return performance.getEntriesByType('resource').map(r => new URL(r.name).host)"
                    + ".filter(h => h !== location.host).length"))
        .isEqualTo(0L);
  }

  @Test
  @Order(4)
  void shouldFitEveryScreenAndPassTheRulesOfAccessibility() throws Exception {
    for (String scheme : new String[] {"light", "dark"}) {
      browser.scheme(scheme);
      for (int width : new int[] {360, 400, 1000, 1280, 3840}) {
        browser.size(width, 900);
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
            .as("%d pixels", width)
            .isEqualTo(true);
        assertThat(browser.violations()).as("%s, %d pixels", scheme, width).isEmpty();
      }
    }
    browser.scheme("light");
  }

  @Test
  @Order(5)
  void shouldBeUsableByKeyboard() {
    browser.size(1280, 900);
    browser.run("document.body.focus()");
    browser.press(Keys.TAB);
    assertThat(browser.focused().getText()).contains("Skip");
    browser.press(Keys.ENTER);
    assertThat(browser.focused().getAttribute("id")).isEqualTo("main");
    browser.run("document.querySelector('#list summary').focus()");
    browser.press(Keys.ENTER);
    assertThat(browser.text("#edges")).contains("topic watched-in → records");
    browser.press(Keys.ENTER);
  }

  @Test
  @Order(7)
  void shouldBeDrawnForTheDocuments() throws Exception {
    browser.run("scrollTo(0, 0)");
    for (String scheme : new String[] {"light", "dark"}) {
      browser.scheme(scheme);
      browser.size(1280, 900);
      browser.size(1280, browser.height());
      browser.screenshot(SCREENSHOTS.resolve("page-" + scheme + ".png"));
    }
    browser.size(400, 900);
    browser.run("location.reload()");
    await().until(() -> browser.all("#edges li").size() > 3);
    browser.size(400, browser.height());
    browser.screenshot(SCREENSHOTS.resolve("page-narrow.png"));
  }

  @Test
  @Order(8)
  void shouldShowALostBroker() throws Exception {
    assertThat(watched.response("/readyz").statusCode()).isEqualTo(200);
    brokers.kill(0);
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> browser.text("#alert").contains("no Kafka broker reachable"));
    assertThat(browser.text("#state")).contains("not ready");
    assertThat(watched.metric("sfumato_brokers")).isZero();
    assertThat(watched.response("/readyz").statusCode()).isEqualTo(503);
    assertThat(watched.response("/livez").statusCode()).isEqualTo(200);
  }

  private static long released(String output) {
    return watched.counts().releasesByOutput().getOrDefault(output, 0L);
  }

  private static double number(String css) {
    return Double.parseDouble(browser.text(css).replace(",", ""));
  }
}
