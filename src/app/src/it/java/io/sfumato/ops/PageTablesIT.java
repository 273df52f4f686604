// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.table.MadeTables;
import io.sfumato.rows.LocalTimes;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Tables of several fields on the operators' page in a real browser. */
@ExtendWith(SharedBroker.class)
@Tag("browser")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageTablesIT {
  /** The share is so large that counts are off by a few records at most. */
  private static final String YAML =
      """
      pipeline: page-tables
      input:
        topic: page-tables-in
        subject: land
        user: who
        time: at
        category: [region, product, hour]
        categories:
          region: [north, south, east, west, "accident and emergency"]
          product: [tea, coffee, cocoa]
          hour: [%s]
      contributions: { per-window: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: "2023-11-14T22:13:20Z" }
      budget: { name: page-tables, unit: user, epsilon: 300, delta: 1e-6, period: 1m }
      releases:
        - table: { name: sales, share: { epsilon: 300, delta: 1e-6 } }
      """;

  private static final String[] REGIONS = {
    "north", "south", "east", "west", "accident and emergency"
  };
  private static final String[] PRODUCTS = {"tea", "coffee", "cocoa"};
  private static final int USERS = 2_000;
  private static final String CARD = "#latest article:first-child";

  @TempDir static Path folder;

  private static Browser browser;
  private static Watched watched;

  @BeforeAll
  static void start(TestCluster cluster) throws Exception {
    browser = new Browser(folder.resolve("profile"));
    List<String> hours = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      hours.add("\"%02d:00\"".formatted(hour));
    }
    watched = new Watched(cluster, folder, YAML.formatted(String.join(", ", hours)));
    sell(0);
    browser.size(1280, 900);
    browser.open(watched.url("/"));
    cards(1);
  }

  @AfterAll
  static void stop() {
    if (watched != null) {
      watched.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  /** More of the first regions and products, and most in the afternoon. */
  private static void sell(int window) throws Exception {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      events.add(
          "{\"who\":\"buyer-%d\",\"land\":\"west\",\"at\":%d,\"region\":\"%s\",\"product\":\"%s\",\"hour\":\"%02d:00\"}"
              .formatted(
                  i,
                  Watched.BASE + window * 10_000L,
                  REGIONS[i % 5 * (i % 7) % 5],
                  PRODUCTS[i % 11 % 3 * (i % 2)],
                  (i % 13 + i % 12) % 24));
    }
    watched.send(window, events);
  }

  private static void cards(int many) {
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all("#latest article").size() == many);
  }

  /** As if the newest card were this one, and no other came. */
  private static void draw(MadeTables tables, TableRelease release) throws Exception {
    ObjectNode json = new ObjectMapper().createObjectNode().put("output", "drawn");
    OutputCards.write(
        tables.planned(),
        OutputCards.card(tables.planned(), release).orElseThrow(),
        List.of(),
        LocalTimes.UTC,
        json);
    browser.run("source.close(); clearInterval(watch); keep('latest', [" + json + "], card)");
  }

  private static Object count(String css) {
    return browser.run("return document.querySelectorAll('" + CARD + " " + css + "').length");
  }

  @Test
  @Order(1)
  void shouldDrawTwoFieldsAsAMapOfColours() {
    assertThat(browser.text(CARD + " h3")).isEqualTo("sales, west");
    assertThat(browser.text(CARD)).contains("records", "Point at a cell");
    assertThat(browser.text(CARD + " .heat .corner")).matches("region ↓\\s+product →");
    assertThat(count(".heat tbody td")).isEqualTo(15L);
    assertThat(browser.all(CARD + " .legend li")).hasSizeBetween(2, 7);
    assertThat(browser.text(CARD + " .heat tbody tr:last-child th"))
        .isEqualTo("accident and emergency");
    assertThat(browser.complaints()).as("of the policy, too").isEmpty();
  }

  @Test
  @Order(2)
  void shouldTellTheIntervalOfTheCellThatOneWalksTo() {
    browser.run("document.querySelector('" + CARD + " td[tabindex=\"0\"]').focus()");
    browser.press(Keys.ARROW_RIGHT);
    browser.press(Keys.ARROW_DOWN);
    assertThat(browser.text(CARD + " .told")).matches("south, coffee: \\d+( \\(\\d+ to \\d+\\))?");
    browser.press(Keys.HOME);
    browser.press(Keys.ARROW_LEFT);
    browser.press(Keys.ARROW_UP);
    browser.press(Keys.ARROW_UP);
    assertThat(browser.text(CARD + " .told")).startsWith("north, tea: ");
  }

  @Test
  @Order(3)
  void shouldKeepWhatWasChosenWhenANewWindowComes() throws Exception {
    browser.run(
        "const choice = document.querySelector('"
            + CARD
            + " select');"
            + " choice.value = 'hour × region'; choice.dispatchEvent(new Event('change')); choice.focus()");
    assertThat(count(".heat tbody td")).isEqualTo(24 * 5L);
    sell(1);
    cards(2);
    assertThat(count(".heat tbody td")).as("of the new card").isEqualTo(24 * 5L);
    assertThat(browser.run("return document.activeElement.tagName")).isEqualTo("SELECT");
    browser.run(
        "const choice = document.querySelector('"
            + CARD
            + " select');"
            + " choice.value = 'hour'; choice.dispatchEvent(new Event('change'))");
    assertThat(browser.all("#latest .nested")).as("both cards").hasSize(2);
    assertThat(browser.text(CARD)).contains("and 12 smaller ones");
    fits("tables-hours");
    browser.run(
        "const choice = document.querySelector('"
            + CARD
            + " select');"
            + " choice.value = 'region × product'; choice.dispatchEvent(new Event('change'))");
    fits("tables-pair");
  }

  @Test
  @Order(4)
  void shouldDrawSmallAndLargeTables() throws Exception {
    MadeTables two = MadeTables.crossing(2, 2);
    draw(two, two.release((a, b) -> 3 * a + b));
    assertThat(count(".heat tbody td")).isEqualTo(4L);
    fits("tables-2");
    MadeTables wide = MadeTables.crossing(8, 30);
    draw(wide, wide.release((a, b) -> 1_000L * (a + 1) * (31 - b)));
    assertThat(count(".heat tbody tr")).isEqualTo(30L);
    fits("tables-8x30");
    MadeTables large = MadeTables.crossing(90, 100);
    draw(large, large.release((a, b) -> a * b * 7L % 1001));
    assertThat(browser.text(CARD))
        .contains("The largest 30 rows of 100 and 20 columns of 90:", "% of all.");
    fits("tables-large");
  }

  @Test
  @Order(5)
  void shouldDrawAPathAsBarsWithinBars() throws Exception {
    MadeTables path = MadeTables.path(4, 3, 3, 2);
    draw(path, path.release((a, b) -> 400L - 90 * a + 10 * b));
    assertThat(count(".nested tr")).isEqualTo(24L);
    assertThat(browser.text(CARD)).contains("and 100 smaller ones");
    fits("tables-path");
  }

  /** Names are others' choice. */
  @Test
  @Order(6)
  void shouldShowHostileNamesHarmlessly() throws Exception {
    browser.complaints(); // What the rules of accessibility draw to judge colours.
    String[] hostile = {
      "<img src=x onerror=alert(1)>",
      "\u202egnirts",
      "a\nb\n\tc",
      "x".repeat(1000),
      "</td></table>",
      ""
    };
    MadeTables tables = MadeTables.crossing(6, 6);
    TableRelease release = tables.release((a, b) -> 10L * a + b);
    for (CountTable table : release.getTables()) {
      table
          .getRows()
          .forEach(
              row ->
                  row.setValues(
                      row.getValues().stream()
                          .map(value -> hostile[Integer.parseInt(value.substring(1))])
                          .toList()));
    }
    draw(tables, release);
    assertThat(browser.text(CARD)).contains("<img src=x", "\\u202egnirts", "a\\u000ab");
    assertThat(count("img")).isEqualTo(0L);
    assertThat(count(".heat tbody td")).isEqualTo(36L);
    assertThat(browser.complaints()).isEmpty();
    fits("tables-hostile");
  }

  private static void fits(String name) throws Exception {
    for (int width : new int[] {1280, 400}) {
      String scheme = width == 1280 ? "light" : "dark";
      browser.scheme(scheme);
      browser.size(width, 900);
      assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
          .as("%s, %d pixels", name, width)
          .isEqualTo(true);
      assertThat(browser.violations()).as("%s, %s, %d pixels", name, scheme, width).isEmpty();
      browser.run("document.querySelector('#latest').scrollIntoView()");
      browser.screenshot(PageIT.SCREENSHOTS.resolve("%s-%s-%d.png".formatted(name, scheme, width)));
    }
    browser.scheme("light");
    browser.size(1280, 900);
  }
}
