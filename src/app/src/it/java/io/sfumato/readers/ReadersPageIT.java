// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.CommandResult;
import io.sfumato.ops.Browser;
import io.sfumato.ops.http.AccessToken;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The readers' page over a cluster's topics, and in a real browser. */
@ExtendWith(SharedBroker.class)
class ReadersPageIT {
  private static final int DAYS = 60;
  private static final int GROUPS = 50;
  private static final List<String> NAMES =
      IntStream.range(0, GROUPS).mapToObj("station %02d"::formatted).toList();

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Writes releases in transactions, as a pipeline does. */
  private static final class Writer implements AutoCloseable {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    Writer(TestCluster cluster, String topic) throws Exception {
      this.topic = topic;
      KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
      Map<String, Object> config = new HashMap<>(settings.all());
      config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic + "-writer");
      producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
      producer.initTransactions();
    }

    void begin(CountRelease... releases) {
      producer.beginTransaction();
      for (CountRelease release : releases) {
        producer.send(new ProducerRecord<>(topic, Outputs.encode(release)));
      }
      producer.flush();
    }

    void commit(CountRelease... releases) {
      begin(releases);
      producer.commitTransaction();
    }

    void abort(CountRelease... releases) {
      begin(releases);
      producer.abortTransaction();
    }

    @Override
    public void close() {
      producer.close();
    }
  }

  private static ReadersPage open(TestCluster cluster, Pipeline pipeline) throws Exception {
    return open(cluster, pipeline, 0, Optional.empty());
  }

  private static ReadersPage open(
      TestCluster cluster, Pipeline pipeline, int port, Optional<String> token) throws Exception {
    return ReadersPage.open(
        pipeline,
        TestCluster.settings(cluster.servers(), Map.of()),
        new HttpSettings(HttpSettings.LOOPBACK, port, false, token.map(AccessToken::new)),
        "--port");
  }

  private String get(ReadersPage page, String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static CountRelease day(String pipeline, String subject, int day, long... counts) {
    return Released.counts(pipeline, subject, day, List.of("a", "b"), counts);
  }

  @Test
  void shouldShowCommittedReleasesOfItsOwnPipelineAlone(TestCluster cluster) throws Exception {
    Pipeline pipeline = Released.pipeline("readers-committed");
    String topic = "readers-committed-visits";
    try (ReadersPage page = open(cluster, pipeline)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> get(page, "/overview.json").contains("\"missing\":true"));
      cluster.createTopic(topic, 1);
      try (Writer writer = new Writer(cluster, topic)) {
        writer.commit(day("readers-committed", "north", 0, 101, 1));
        writer.abort(day("readers-committed", "north", 1, 102, 2));
        writer.commit(day("somebody-else", "north", 2, 103, 3));
        writer.commit(day("readers-committed", "south", 3, 104, 4));
        writer.begin(day("readers-committed", "south", 4, 105, 5));
        // The open transaction is the last: all that is committed has been read by then.
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> get(page, "/overview.json").contains("\"changes\":2"));
        String rows = get(page, "/rows.csv?output=visits&measure=0&lines=0,1,2,3,4,5");
        assertThat(rows.lines().skip(1).map(line -> line.split(",")[6]))
            .containsExactly("101", "1", "104", "4");
        assertThat(get(page, "/overview.json")).contains("\"foreign\":1", "\"missing\":false");
        writer.producer.commitTransaction();
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> get(page, "/overview.json").contains("\"changes\":3"));
      }
    }
  }

  /** What lies behind a record in its topic waits, and nothing is taken for foreign. */
  @Test
  void shouldWaitForARegistryThatDoesNotAnswer(TestCluster cluster) throws Exception {
    Pipeline pipeline = Released.pipeline("readers-registry");
    CountRelease first = day("readers-registry", "north", 0, 1, 2);
    cluster.createTopic("readers-registry-visits", 1);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      byte[] encoded = Outputs.encode(first);
      ByteBuffer registered = ByteBuffer.allocate(encoded.length - 5).put((byte) 0).putInt(7);
      registered.put(encoded, 10, encoded.length - 10);
      producer.send(new ProducerRecord<>("readers-registry-visits", registered.array()));
      byte[] second = Outputs.encode(day("readers-registry", "north", 1, 3, 4));
      producer.send(new ProducerRecord<>("readers-registry-visits", second)).get();
    }
    AtomicBoolean answers = new AtomicBoolean();
    SchemaSource registry =
        id -> {
          if (!answers.get()) {
            throw new SchemasUnavailableException("silent");
          }
          return Optional.of(first.getSchema()).filter(schema -> id == 7);
        };
    PublishedWindows windows =
        new PublishedWindows(List.of(Released.OUTPUT), PublishedWindows.MOST_BYTES);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (ReleaseFollower follower = new ReleaseFollower(settings, registry, pipeline, windows)) {
      await().until(() -> follower.progress().state() == ReleaseFollower.State.NO_SCHEMAS);
      assertThat(windows.changes()).isZero();
      answers.set(true);
      await().until(() -> follower.progress().state() == ReleaseFollower.State.CURRENT);
      assertThat(windows.changes()).isEqualTo(2);
      assertThat(follower.progress().foreign()).isZero();
    }
  }

  private static void publish(TestCluster cluster, String pipeline, int from, int to)
      throws Exception {
    try (Writer writer = new Writer(cluster, pipeline + "-visits")) {
      for (int day = from; day < to; day++) {
        int today = day;
        long[] counts = LongStream.range(0, GROUPS).map(i -> 10 * i + today % 7).toArray();
        writer.commit(Released.counts(pipeline, "north", day, NAMES, counts));
      }
    }
  }

  @Test
  @Tag("browser")
  void shouldShowOutputsOverTimeInABrowser(TestCluster cluster) throws Exception {
    String name = "readers-browser";
    cluster.createTopic(name + "-visits", 1);
    try (ReadersPage page = open(cluster, Released.pipeline(name));
        Browser browser = new Browser(folder.resolve("profile"))) {
      browser.size(1280, 900);
      browser.open("http://127.0.0.1:" + page.port() + "/");
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> browser.text("#empty").contains("Nothing has been released yet"));
      assertThat(browser.text("#empty"))
          .contains("from 2026-01-01 00:00 to 2026-01-02 00:00 (UTC)")
          .contains("event time passes 2026-01-02 00:00");
      assertThat(isShown(browser, "#loading")).isFalse();
      assertThat(browser.violations()).isEmpty();
      publish(cluster, name, 0, DAYS);
      // It shows them by itself.
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> browser.text("#range").startsWith(DAYS + " windows from 2026-01-01"));
      assertThat(browser.all(".chart canvas")).hasSize(12);
      assertThat(browser.text("#promise")).contains("in a window", "(epsilon 1)", "1e-6 (delta)");
      saysTheSameOfChartsTableAndFile(browser);
      chooses(browser);
      goesByKeys(browser);
      downloads(browser, page, cluster);
      pagesOfTheTable(browser);
      assertThat(browser.complaints()).isEmpty();
      fits(browser);
    }
  }

  /** Seven of 42 windows: two side by side, and five each between two gaps. */
  @Test
  @Tag("browser")
  void shouldDrawWindowsThatStandAlone(TestCluster cluster) throws Exception {
    String name = "readers-gaps";
    cluster.createTopic(name + "-visits", 1);
    List<Integer> some = List.of(3, 4, 10, 15, 20, 30, 36);
    try (Writer writer = new Writer(cluster, name + "-visits")) {
      for (int day = 0; day < 42; day++) {
        writer.commit(
            some.contains(day)
                ? Released.counts(name, "north", day, List.of("a", "b"), 30 + day, 90 - day)
                : Released.counts(name, "north", day, List.of("a"), 30 + day));
      }
    }
    try (ReadersPage page = open(cluster, Released.pipeline(name));
        Browser browser = new Browser(folder.resolve("profile"))) {
      browser.size(700, 900);
      browser.open("http://127.0.0.1:" + page.port() + "/");
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> browser.text("#range").startsWith("42 windows from 2026-01-01"));
      browser.run("document.querySelector('#picker').open = true");
      assertThat(browser.text("#groups"))
          .contains("73 (7 of 42 windows)")
          .doesNotContain("(42 of 42");
      assertThat(
              browser.run("return JSON.stringify(charts.all.map(({plot}) => edges(plot.data[3])))"))
          .as("what stands at a gap is drawn as a point")
          .isEqualTo("[[3,4,10,15,20,30,36],[]]");
      browser.screenshot(Browser.SCREENSHOTS.resolve("readers-gaps.png"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static boolean isShown(Browser browser, String css) {
    return (boolean)
        browser.run("return document.querySelector('%s').offsetParent !== null".formatted(css));
  }

  private static void saysTheSameOfChartsTableAndFile(Browser browser) {
    String rule = "12 of 50 groups: those with the largest average.";
    assertThat(browser.text("#range")).contains("(UTC)", rule);
    assertThat(browser.text("#held")).contains(rule);
    assertThat(browser.text("#download"))
        .isEqualTo("Download CSV: count, 12 groups, " + DAYS + " windows");
    assertThat(browser.text("#export"))
        .isEqualTo("sfumato export readers-browser-visits --to visits.csv");
    assertThat(browser.run("return charts.all[0].plot.axes.map(axis => axis.label).join()"))
        .isEqualTo("start of the window (UTC),count");
    assertThat(
            browser.run(
                "return charts.all.every(({plot, courses}) => courses[0].lows.every((low, i) =>"
                    + " low >= plot.scales.y.min && courses[0].highs[i] <= plot.scales.y.max))"))
        .as("intervals lie within the chart")
        .isEqualTo(true);
    browser.run("document.querySelector('[value=lines]').click()");
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all(".chart canvas").size() == 1);
    assertThat(browser.all("#legend li")).hasSize(12);
    browser.run("document.querySelector('[value=small]').click()");
  }

  private static void chooses(Browser browser) {
    browser.run(
        "const search = document.querySelector('#search'); search.value = 'STATION 09';"
            + " search.dispatchEvent(new Event('input'))");
    assertThat(browser.all("#groups li")).hasSize(1);
    browser.run("document.querySelector('#none').click()");
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> browser.text("#range").startsWith("No group is chosen"));
    browser.run("document.querySelector('#groups input').click()");
    await().atMost(TestCluster.PATIENCE).until(() -> browser.all(".chart canvas").size() == 1);
    assertThat(browser.text(".chart h3 bdi")).isEqualTo("station 09");
  }

  /** The last day is day 59, of which 59 mod 7 is 3. */
  private static void goesByKeys(Browser browser) {
    browser.run("document.querySelector('.chart').focus()");
    assertThat(value(browser)).isEqualTo("2026-03-01: 93 (89 to 97)");
    browser.press(Keys.ARROW_LEFT);
    assertThat(value(browser)).isEqualTo("2026-02-28: 92 (88 to 96)");
    assertThat(browser.text(".chart h3 span")).isEqualTo("92 (88 to 96)");
    browser.press(Keys.HOME);
    assertThat(value(browser)).isEqualTo("2026-01-01: 90 (86 to 94)");
    assertThat(browser.text("#hint")).isEqualTo("Numbers of the window from 2026-01-01.");
    browser.press(Keys.ESCAPE);
    assertThat(value(browser)).startsWith("2026-03-01");
  }

  private static String value(Browser browser) {
    return browser.focused().getAttribute("aria-valuetext");
  }

  private void downloads(Browser browser, ReadersPage page, TestCluster cluster) throws Exception {
    Path downloads = Files.createDirectories(folder.resolve("downloads"));
    browser.downloadsTo(downloads);
    browser.run("document.querySelector('#download').click()");
    Path file = downloads.resolve("visits.csv");
    await().atMost(TestCluster.PATIENCE).until(() -> Files.exists(file));
    String rows = Files.readString(file);
    String link = (String) browser.run("return document.querySelector('#download').href");
    assertThat(rows).isEqualTo(get(page, link.replaceFirst("https?://[^/]+", "")));
    assertThat(rows.lines()).hasSize(1 + DAYS);
    assertThat(rows.lines().skip(1)).allMatch(line -> line.contains(",station 09,count,"));
    CommandResult consumed =
        CommandResult.of(
            "consume",
            "readers-browser-visits",
            "-o",
            "csv",
            "--bootstrap-servers",
            cluster.servers());
    assertThat(consumed.out().lines().filter(line -> line.matches("subject,.*|.*,station 09,.*")))
        .containsExactlyElementsOf(rows.lines().toList());
  }

  private static void pagesOfTheTable(Browser browser) {
    assertThat(browser.all("#table tbody tr")).hasSize(DAYS);
    browser.run(
        "const search = document.querySelector('#search'); search.value = '';"
            + " search.dispatchEvent(new Event('input')); document.querySelector('#largest').click()");
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> browser.text("#page").equals("rows 1 to 100 of 720"));
    assertThat(browser.text("#table tbody tr:first-child"))
        .contains("2026-03-01", "station 49", "493", "489 to 497");
    browser.run("document.querySelector('#table-older').click()");
    assertThat(browser.text("#page")).isEqualTo("rows 101 to 200 of 720");
  }

  @Test
  @Tag("browser")
  void shouldSayThatItIsOutOfDateAndGoOnAfterARestart(TestCluster cluster) throws Exception {
    String name = "readers-restart";
    String token = "0123456789abcdef";
    cluster.createTopic(name + "-visits", 1);
    Pipeline pipeline = Released.pipeline(name);
    publish(cluster, name, 0, 3);
    try (Browser browser = new Browser(folder.resolve("profile"))) {
      browser.size(1280, 900);
      int port;
      try (ReadersPage page = open(cluster, pipeline, 0, Optional.of(token))) {
        port = page.port();
        browser.open("http://anybody:%s@127.0.0.1:%d/".formatted(token, port));
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> browser.text("#range").startsWith("3 windows"));
        assertThat(isShown(browser, "#alert")).isFalse();
      }
      awaitProblem(browser, "The server does not answer.");
      assertThat(browser.text("#problem")).contains("Charts and numbers below are as of");
      assertThat(isShown(browser, "#retry")).isTrue();
      try (ReadersPage page = open(cluster, pipeline, port, Optional.of(token))) {
        publish(cluster, name, 3, 4);
        browser.run("document.querySelector('#retry').click()");
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> browser.text("#range").startsWith("4 windows"));
        assertThat(isShown(browser, "#alert")).isFalse();
        assertThat(browser.text("#news")).contains("window 2026-01-04");
      }
      try (ReadersPage page = open(cluster, pipeline, port, Optional.of(token + "2"))) {
        awaitProblem(browser, "The server refuses the access token.");
        assertThat(browser.violations()).isEmpty();
      }
    }
  }

  private static void awaitProblem(Browser browser, String words) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> isShown(browser, "#alert") && browser.text("#problem").startsWith(words));
  }

  private static void fits(Browser browser) throws Exception {
    for (int width : new int[] {1280, 400}) {
      for (String scheme : List.of("light", "dark")) {
        browser.size(width, 900);
        browser.scheme(scheme);
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
            .as("%d pixels", width)
            .isEqualTo(true);
        assertThat(browser.violations()).as("%d pixels, %s", width, scheme).isEmpty();
        browser.size(width, Math.min(2_600, browser.height()));
        browser.screenshot(
            Browser.SCREENSHOTS.resolve("readers-%d-%s.png".formatted(width, scheme)));
      }
    }
  }
}
