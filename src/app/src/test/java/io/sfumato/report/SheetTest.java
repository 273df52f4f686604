// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Shell;
import io.sfumato.release.Plans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One sheet about a file: what it must say, to whom, in which forms. */
class SheetTest {
  private static final Path TOPOLOGY = Path.of("topology");
  private static final Path GOLDEN =
      Path.of("src/app/src/test/resources/io/sfumato/report/searches.md");
  private static final String TWO =
      """
        pipeline: two
        version: 1
        input:
          topic: visits
          subject: shop
          user: person
          time: at
          category: kind
          categories: [a, b]
        contributions: { per-window: 1, subjects: 1 }
        subjects: [north]
        window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-11-02 }
        budget: { name: two, unit: user, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - count: { name: one, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
          - count: { name: other, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
      """;

  /** Without further words of {@code discover}. */
  private static final String NAMES =
      """
        pipeline: two
        version: 1
        input:
          topic: visits
          subject: shop
          user: person
          time: at
          category: kind
          categories: { discover: { name: one, share: { epsilon: 2, delta: 1e-6 }%s } }
        contributions: { per-window: 3, per-name: 2, subjects: 1 }
        subjects: [north]
        window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-11-02 }
        budget: { name: two, unit: user, epsilon: 2, delta: 1e-6, period: window }
        releases: []
      """;

  private static final Map<String, Sheet> MADE = new HashMap<>();

  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(TOPOLOGY)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          // Two that publish nothing but histograms, as others do, and are long to plan.
          .filter(name -> !List.of("demo.yaml", "diary.yaml").contains(name))
          .sorted()
          .toList();
    }
  }

  private static Sheet sheet(String file) throws Exception {
    Sheet made = MADE.get(file);
    if (made == null) {
      made =
          Sheet.of(Plans.example(file), file, "0123abcd", "sfumato of tests", Sheet.Beside.NOTHING);
      MADE.put(file, made);
    }
    return made;
  }

  @Test
  void shouldSayTheSameOfEveryFileInAllForms() throws Exception {
    for (String file : files()) {
      Sheet sheet = sheet(file);
      String markdown = Form.MARKDOWN.write(sheet, "docs");
      String html = Form.HTML.write(sheet, "docs/");
      JsonNode json = new ObjectMapper().readTree(Form.JSON.write(sheet, "docs/"));
      assertThat(json.path("protection").path("epsilon").decimalValue())
          .isEqualByComparingTo(Plans.example(file).pipeline().budget().epsilon().value());
      for (OutputSpec output : Plans.example(file).pipeline().outputs()) {
        assertThat(markdown).contains("\n### " + output.name() + "\n");
        assertThat(html).contains("<h3>" + output.name() + "</h3>");
        assertThat(json.path("outputs").findValuesAsText("name")).contains(output.name());
      }
      assertThat(html).doesNotContain("<script", " src=", "@import").endsWith("</html>\n");
      assertThat(markdown).doesNotContain("\r").doesNotContain("null");
    }
  }

  @Test
  void shouldSayEveryLineOfEveryPlanAndEveryWarning() throws Exception {
    for (String file : files()) {
      String html = Form.HTML.write(sheet(file), "docs/");
      for (Output output : sheet(file).outputs()) {
        assertThat(output.plan()).as(output.name()).isNotEmpty();
        for (FactText.Labelled row : output.plan()) {
          if (Set.of("share", "loss").contains(row.label())) {
            continue; // said by the sheet's own figures
          }
          for (String line : row.lines()) {
            assertThat(html)
                .as(file)
                .contains(line.replaceAll(" +", " ").replace("'", "&#39;").replace(">", "&gt;"));
          }
        }
      }
    }
  }

  /** A kind that forgets to say on what its privacy rests is found here. */
  @Test
  void shouldNameAProofOfEveryOutput() throws Exception {
    Set<String> sections = sections();
    for (String file : files()) {
      for (Output output : sheet(file).outputs()) {
        assertThat(output.sources()).as(output.name()).isNotEmpty();
        output.sources().forEach(source -> assertThat(sections).contains(source.section()));
      }
    }
  }

  @Test
  void shouldNameTheProofOfQuantilesByCategoryToo() throws Exception {
    String orders = Files.readString(TOPOLOGY.resolve("orders.yaml"));
    String byCategory = orders.replace("scale: log", "scale: log\n      by: category");
    assertThat(byCategory).isNotEqualTo(orders);
    Sheet sheet = Sheet.of(Plans.plan(byCategory), "orders.yaml", "", "", Sheet.Beside.NOTHING);
    assertThat(sheet.outputs())
        .filteredOn(output -> output.name().equals("order-quantiles"))
        .singleElement()
        .satisfies(
            output -> {
              assertThat(output.publishes()).isEqualTo("quantiles of amount in each category");
              assertThat(output.sources()).isNotEmpty();
            });
  }

  /** Headings of the pages of theory, as links from docs name them. */
  private static Set<String> sections() throws IOException {
    Set<String> sections = new TreeSet<>();
    try (Stream<Path> pages = Files.list(Path.of("docs/theory"))) {
      for (Path page : pages.toList()) {
        Files.readAllLines(page).stream()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT))
            .map(line -> line.replaceAll("[^\\p{L}\\p{N} -]", "").replace(' ', '-'))
            .forEach(heading -> sections.add("theory/" + page.getFileName() + "#" + heading));
      }
    }
    return sections;
  }

  @Test
  void shouldWriteTheSameBytesInAnotherLanguage() throws Exception {
    Sheet sheet = written(TWO);
    Map<Form, String> written = new EnumMap<>(Form.class);
    for (Form form : Form.values()) {
      written.put(form, form.write(sheet, "docs/"));
    }
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      Sheet again = Sheet.of(Plans.fresh(TWO), "two.yaml", "", "", Sheet.Beside.NOTHING);
      for (Form form : Form.values()) {
        assertThat(form.write(again, "docs/")).isEqualTo(written.get(form));
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  /** To write it anew, if what it says was meant to change: -Dsfumato.golden=write. */
  @Test
  void shouldReadAsItDid() throws Exception {
    String written = Form.MARKDOWN.write(sheet("searches.yaml"), "docs/");
    if ("write".equals(System.getProperty("sfumato.golden"))) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, written);
    }
    assertThat(written).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void shouldNameTheBudgetsWhoseLossesWereAcceptedToAdd() throws Exception {
    Sheet adding =
        Sheet.of(
            Plans.fresh(TWO),
            "two.yaml",
            "",
            "",
            new Sheet.Beside(Optional.empty(), List.of("earlier"), List.of()));
    for (Form form : Form.values()) {
      assertThat(form.write(adding, "docs/"))
          .contains("Other budgets about the same topic")
          .contains("earlier")
          .contains("--accept-added-loss");
    }
  }

  /** Bayes' rule, by hand: even odds times e^3 are 20.0855 to 1. */
  @Test
  void shouldTellOddsByBayesRule() {
    Odds.Guess odds =
        Odds.of(PrivacyUnit.RECORD, Epsilon.of("3"), Delta.of("1e-6")).guesses().get(0);
    assertThat(odds.factor()).isEqualTo(20.0855, within(1e-4));
    Odds.Belief coin = odds.beliefs().get(3);
    assertThat(coin.before()).isEqualTo(0.5);
    assertThat(coin.afterAtMost()).isEqualTo(20.0855 / 21.0855, within(1e-5));
    assertThat(coin.afterAtLeast()).isEqualTo(1 / 21.0855, within(1e-5));
    assertThat(odds.tests().get(0).hitsAtMost()).isEqualTo(0.200856, within(1e-5));
    assertThat(odds.tests().get(1).hitsAtMost()).isEqualTo(1 - 0.949999 / 20.0855, within(1e-5));
  }

  /**
   * Two Laplace releases of pure epsilon 1 come to 2. Any 30 days, which may begin at noon, meet 31
   * days.
   */
  @Test
  void shouldAddUpWhatOutputsCost() throws Exception {
    Sheet sheet = written(TWO);
    double pure =
        sheet.outputs().stream()
            .flatMap(output -> output.spends().stream())
            .mapToDouble(
                spending ->
                    spending.lossOfPeriod().stream()
                        .filter(claim -> claim.accountant().equals("pure"))
                        .findFirst()
                        .orElseThrow()
                        .epsilon())
            .sum();
    assertThat(pure).isBetween(1.9, 2.0);
    assertThat(sheet.total().sharesEpsilon()).isEqualByComparingTo("2");
    assertThat(sheet.total().together().get(0).epsilon()).isLessThanOrEqualTo(pure * (1 + 1e-9));
    Total.Stretch month = sheet.total().longer().get(0);
    assertThat(month.run().periods()).isEqualTo(31);
    assertThat(month.run().delta()).isEqualByComparingTo("0.000031");
    assertThat(month.claims())
        .filteredOn(claim -> claim.accountant().equals("pure"))
        .singleElement()
        .satisfies(claim -> assertThat(claim.epsilon()).isEqualTo(31 * pure, within(1e-6)));
    assertThat(month.best().orElseThrow().epsilon()).isLessThan(31 * pure);
  }

  /**
   * Whoever says "365 days" may begin it on any day: weeks are counted by going through the hours.
   */
  @Test
  void shouldCountPeriodsOfStretchesWhereverTheyBegin() throws Exception {
    Sheet weekly = written(TWO.replace("size: 1d", "size: 7d"));
    assertThat(weekly.total().longer())
        .extracting(stretch -> stretch.run().periods())
        .containsExactly(weeksMet(30), weeksMet(365), weeksMet(3650))
        .startsWith(6L, 54L);
    Sheet any = written(TWO.replace("period: window", "period: { any: 30d }"));
    assertThat(any.total().longer())
        .extracting(stretch -> stretch.run().periods())
        .as("spans lie wherever one likes, and 13 of them hold a year")
        .startsWith(1L, 13L);
  }

  private static long weeksMet(int days) {
    int week = 7 * 24;
    return IntStream.range(0, week)
        .mapToLong(
            begin ->
                IntStream.range(begin, begin + days * 24)
                    .map(hour -> hour / week)
                    .distinct()
                    .count())
        .max()
        .orElseThrow();
  }

  @Test
  void shouldSayWhatItsWordsAreInTheRecords() throws Exception {
    assertThat(written(TWO).protection().fields())
        .isEqualTo(
            "A user is one value of the field 'person'. A subject is one value of the field "
                + "'shop': 1 listed in the file, all public ('north'). A category is the value of "
                + "the field 'kind': 2 listed in the file, all public ('a', 'b'). Event time is "
                + "the field 'at'.");
    for (String file : files()) {
      Pipeline pipeline = Plans.example(file).pipeline();
      assertThat(sheet(file).protection().fields())
          .as(file)
          .contains(
              pipeline.subjects() == Pipeline.Subjects.OBSERVED
                  ? "each output names its subject"
                  : pipeline.input().constantSubject().isPresent()
                      ? "All records have the subject "
                      : "A subject is one value of ");
      assertThat(Form.HTML.write(sheet(file), "docs/"))
          .as(file)
          .contains("<th scope=\"row\">In your records</th>");
    }
  }

  /** Days of which the deltas come to 1 or more are bounded by nothing, whatever epsilon is. */
  @Test
  void shouldBoundNothingWhereDeltasComeToOne() throws Exception {
    Sheet sheet =
        written(
            TWO.replace("epsilon: 2, delta: 1e-6", "epsilon: 0.002, delta: 0.02")
                .replace("method: laplace", "method: gaussian")
                .replace("epsilon: 1, delta: 5e-7", "epsilon: 0.001, delta: 0.01"));
    String markdown = Form.MARKDOWN.write(sheet, "docs/");
    assertThat(markdown)
        .contains("in any 365 days (at most 366 periods), composition gives no bound")
        .contains("| 365 days | 366 | no bound | no bound | 7.32 | no bound | no bound |");
    Total.Stretch month = sheet.total().longer().get(0);
    assertThat(month.isBounded()).isTrue();
    assertThat(markdown)
        .as("with delta 0.62 a guess is right in 81 of 100 cases; two steps have more than 1")
        .containsPattern(
            "\\| 30 days \\| 31 \\| 0\\.062 \\| .* \\| 0\\.62 \\| 8[1-3][.0-9]*% \\| no bound \\|");
  }

  /** A guess that says "yes" where it is told so, with chance delta, and tosses a coin else. */
  @Test
  void shouldCountDeltaAmongRightGuesses() {
    assertThat(Odds.rightFromEven(1, 0, 0)).isEqualTo(0.5);
    assertThat(Odds.rightFromEven(1, 0, 0.3)).isEqualTo(0.3 + 0.7 / 2, within(1e-12));
    assertThat(Odds.rightFromEven(1, StrictMath.log(3), 0)).isEqualTo(0.75, within(1e-12));
    assertThat(Odds.rightFromEven(1, 1, 1)).isEqualTo(1);
    assertThat(Odds.rightFromEven(1, 1000, 0)).isEqualTo(1);
    assertThat(Odds.rightFromEven(2, 1000, 1e-6)).isEqualTo(1);
    assertThat(Odds.rightFromEven(2, StrictMath.log(3), 0.01)).isEqualTo(9.04 / 10, within(1e-12));
  }

  /**
   * A user's value is -1 or 1, and the sum has discrete Laplace noise of epsilon 1 for what one
   * user adds. The likelier value is guessed right more often than presence may be, and less often
   * than a fact may be.
   */
  @Test
  void shouldBoundWhatIsGuessedOfAUserWhoIsThere() {
    double ratio = StrictMath.exp(-1);
    double weight = (1 - ratio) / (1 + ratio);
    double right = 0;
    for (int noisy = -60; noisy <= 60; noisy++) {
      double high = weight * StrictMath.pow(ratio, Math.abs(noisy - 1));
      double low = weight * StrictMath.pow(ratio, Math.abs(noisy + 1));
      right += Math.max(high, low) / 2;
    }
    List<Odds.Guess> said = Odds.of(PrivacyUnit.USER, Epsilon.of("1"), Delta.of("0")).guesses();
    assertThat(said).extracting(Odds.Guess::steps).containsExactly(1, 2);
    assertThat(said.get(0).rightFromEven()).isEqualTo(Math.E / (1 + Math.E), within(1e-12));
    assertThat(right).isBetween(said.get(0).rightFromEven() + 0.05, said.get(1).rightFromEven());
    for (PrivacyUnit unit : List.of(PrivacyUnit.RECORD, PrivacyUnit.DATASET)) {
      assertThat(Odds.of(unit, Epsilon.of("1"), Delta.of("0")).guesses())
          .extracting(Odds.Guess::steps)
          .containsExactly(1);
    }
  }

  /** What any span bounds covers days end to end; fixed periods meet one more. */
  @Test
  void shouldCoverDaysBySpansAndMeetOnePeriodMore() throws Exception {
    String lasting = TWO.replace("method: laplace,", "method: laplace, windows: 7,");
    assertThat(written(lasting.replace("period: window", "period: 7d")).total().longer())
        .extracting(stretch -> stretch.run().periods())
        .containsExactly(6L, 54L, 523L);
    assertThat(written(TWO.replace("period: window", "period: { any: 7d }")).total().longer())
        .extracting(stretch -> stretch.run().periods())
        .containsExactly(5L, 53L, 522L);
  }

  /**
   * Windows across the end of a period belong to the one before: 30 days that begin in such a
   * window and end behind the next period's end meet three budgets. Counted by hand, hour by hour.
   */
  @Test
  void shouldMeetThePeriodsOfAllWindowsThatDaysTouch() throws Exception {
    String weeks =
        TWO.replace("size: 1d", "size: 7d")
            .replace("method: laplace,", "method: laplace, windows: 1,");
    for (int period : new int[] {7, 10, 30}) {
      List<Total.Stretch> longer =
          written(weeks.replace("period: window", "period: " + period + "d")).total().longer();
      assertThat(longer.get(0).run().periods()).isEqualTo(periodsMet(30, period));
      assertThat(longer.get(1).run().periods()).isEqualTo(periodsMet(365, period));
    }
  }

  private static long periodsMet(int days, int period) {
    int monday = 4 * 24;
    int week = 7 * 24;
    return IntStream.range(0, week * period)
        .mapToLong(
            begin ->
                IntStream.iterate(
                        Math.floorDiv(begin - monday, week) * week + monday,
                        start -> start < begin + days * 24,
                        start -> start + week)
                    .map(start -> Math.floorDiv(start, period * 24))
                    .distinct()
                    .count())
        .max()
        .orElseThrow();
  }

  private static Sheet written(String yaml) throws Exception {
    return Sheet.of(Plans.plan(yaml), "two.yaml", "", "", Sheet.Beside.NOTHING);
  }

  /** Items, units of weight, and what is told as left out, are no records that do not count. */
  @Test
  void shouldSayWhatOfAUserCounts() throws Exception {
    assertThat(written(TWO).protection().neighbours())
        .endsWith(
            "at most 1 record counts, for at most 1 subject; what exceeds that does not count.");
    String three = TWO.replace("per-window: 1", "per-window: 3");
    assertThat(
            written(three.replace("category: kind", "category: 'tags[]'"))
                .protection()
                .neighbours())
        .contains("at most 3 items count, for at most 1 subject;");
    Sheet weights = written(three.replace("time: at", "time: at\n    weight: minutes"));
    assertThat(weights.protection().neighbours()).contains("at most 3 units of weight count,");
    assertThat(weights.gaps())
        .anyMatch(
            gap ->
                gap.why()
                    .startsWith(
                        "Per user and window, at most 3 units of weight count, for at most 1"
                            + " subject."));
    Sheet leftOut =
        written(
            three
                .replace("subjects: 1 }", "subjects: 1, left-out: 10 }")
                .replace("name: other, method: laplace", "name: other, by: left-out"));
    assertThat(leftOut.protection().neighbours())
        .endsWith("; what exceeds that is counted as left out, up to 10 more.")
        .doesNotContain("does not count");
    assertThat(
            written(three.replace("period: window", "period: { any: 7d }"))
                .protection()
                .neighbours())
        .contains("records of one user in 7 days, whichever you take. Per user");
    assertThat(written(three.replace("period: window", "period: { any: 7d }")).gaps())
        .as("spans have no next one")
        .noneMatch(gap -> gap.why().contains("next period"))
        .anyMatch(gap -> gap.why().startsWith("Spent budget returns after 7 days,"));
    assertThat(written(NAMES.formatted(", other: counted")).outputs().get(0).publishes())
        .endsWith(", and how many records had other names");
  }

  /** Hours beside days: a bound says of which windows it is. */
  @Test
  void shouldSayOfWhichWindowsAnOutputsBoundsAre() throws Exception {
    Sheet sheet =
        written(
            TWO.replace("begin: 2026-11-02", "begin: 2026-11-03")
                .replace("period: window", "period: 4d")
                .replace("name: other, method: laplace", "name: other, window: 2d"));
    String own =
        " In other, per user and window of 2d, instead at most 1 record counts, for at most 1 subject.";
    assertThat(sheet.protection().neighbours()).endsWith(own);
    assertThat(sheet.gaps()).anyMatch(gap -> gap.why().contains(own));
  }

  /** Names are published, and counted over windows: both concern whoever wrote one. */
  @Test
  void shouldSayWhatBecomesOfNamesThatNobodyListed() throws Exception {
    Sheet listed = written(TWO);
    Sheet found = written(NAMES.formatted(""));
    Sheet running = written(NAMES.formatted(", running: 7"));
    assertThat(gaps(listed)).doesNotContain("Which names were selected");
    assertThat(gaps(found)).contains("Which names were selected");
    assertThat(found.protection().stayPublic())
        .contains("Names stay public once they are published");
    assertThat(found.protection().neighbours()).contains("at most 2 of them for one name");
    assertThat(kept(found))
        .noneMatch(what -> what.startsWith("names counted over several windows"));
    assertThat(kept(running))
        .anyMatch(what -> what.startsWith("names counted over several windows"));
  }

  @Test
  void shouldSayWhichBoundsArePeriods() throws Exception {
    Sheet sheet =
        written(
            NAMES
                .formatted(", running: 7")
                .replace("per-window: 3", "per-window: 3, per-period: 5")
                .replace("period: window", "period: 7d"));
    assertThat(sheet.protection().neighbours())
        .contains(
            "for at most 1 subject, and per period at most 5 records, at most 2 of them for one "
                + "name; what");
  }

  /** There is no field "a / b". */
  @Test
  void shouldNameEveryFieldThatIsRead() throws Exception {
    assertThat(sheet("orders.yaml").guideline())
        .anyMatch(
            question ->
                question
                    .answer()
                    .contains(
                        "reads 'region', 'customer', 'at', 'channel', 'product', 'amount', 'items',"
                            + " and"));
  }

  private static List<String> gaps(Sheet sheet) {
    return sheet.gaps().stream().map(Limitation::what).toList();
  }

  private static List<String> kept(Sheet sheet) {
    return sheet.forgetting().stream().map(Forgetting::what).toList();
  }

  /** Their commands need the rights of the application, which reads records. */
  @Test
  void shouldNotHideFromSignersWhatOperatorsAndTickersCanReach() throws Exception {
    Sheet sheet = written(TWO);
    assertThat(holder(sheet, "operators").learns()).startsWith("everything");
    assertThat(sheet.access())
        .anyMatch(
            access ->
                access.role().equals("ticker")
                    && access.resource().equals("topic visits")
                    && access.operations().contains("WRITE"));
    assertThat(holder(sheet, "a ticker").learns()).contains("write what producers can write");
    assertThat(holder(sheet, "a ticker").holds()).startsWith("a tick key");
    assertThat(holder(sheet, "producers").learns())
        .contains("may displace that person's records")
        .doesNotContain("close windows");
    assertThat(holder(sheet("diary-taste.yaml"), "producers").learns())
        .as("a dataset is charged whether or not it has records")
        .contains("falsify statistics")
        .doesNotContain("budget");
    Sheet trusted = written(TWO.replace("clock: ticks,", "clock: ticks, ticks: trusted,"));
    assertThat(holder(trusted, "producers").learns()).contains("'ticks: trusted'", "close windows");
    assertThat(holder(trusted, "a ticker").holds()).startsWith("WRITE");
  }

  /** WRITE and READ hold DESCRIBE, by which Kafka shows where each partition ends. */
  @Test
  void shouldSayWhoCanCountRecordsWhereTheirNumberIsProtected() throws Exception {
    for (String who : List.of("producers", "a ticker", "auditors")) {
      RoleExposure ofUsers = holder(written(TWO), who);
      assertThat(ofUsers.learns())
          .as(who)
          .contains(
              who.equals("auditors")
                  ? "the numbers of records, journal entries and state rows"
                  : "the exact number of records at any time");
      assertThat(ofUsers.bound()).as(who).isFalse();
      RoleExposure ofRecords = holder(sheet("diary.yaml"), who);
      assertThat(ofRecords.bound()).as(who).isEqualTo(!who.equals("auditors"));
    }
    assertThat(holder(sheet("diary.yaml"), "producers").learns()).contains("which is public here");
    assertThat(holder(sheet("diary.yaml"), "auditors").learns())
        .as("bytes of a partition tell how long a category's name is")
        .contains("the bytes of each partition");
  }

  private static RoleExposure holder(Sheet sheet, String who) {
    return sheet.holders().stream().filter(one -> one.who().equals(who)).findFirst().orElseThrow();
  }

  /** What is found decides what is published: that does depend on people, within the promise. */
  @Test
  void shouldNotSayThatFoundOutputsDependOnNothing() throws Exception {
    String everything = "Which outputs exist does not depend on protected data.";
    assertThat(Form.MARKDOWN.write(written(TWO), "docs/")).contains(everything);
    String finds =
        TWO.replace(
                "subjects: [north]",
                "subjects: { discover: { name: shops, share: { epsilon: 1, delta: 5e-7 } } }")
            .replaceAll("(?m)^ *- count: \\{ name: other.*\n", "");
    assertThat(Form.MARKDOWN.write(written(finds), "docs/"))
        .doesNotContain(everything)
        .contains("depends only on earlier published (noisy) outputs");
    assertThat(Form.MARKDOWN.write(sheet("searches.yaml"), "docs/")).doesNotContain(everything);
    assertThat(Form.MARKDOWN.write(sheet("diary-model.yaml"), "docs/"))
        .as("after so many acceptances a query has no more answers")
        .doesNotContain(everything);
  }

  /** Windows of a running count share noise, so that their losses do not add up. */
  @Test
  void shouldLeaveWhatSharesNoiseOutOfLongerTimes() throws Exception {
    assertThat(sheet("wards.yaml").total().sharesNoise()).containsExactly("ward-total");
    assertThat(Form.MARKDOWN.write(sheet("wards.yaml"), "docs/"))
        .contains("the loss is at most:", "windows of 'ward-total' share noise");
    String alone =
        """
        pipeline: sums
        input: { topic: in, time: at, subject: clinic, values: [x] }
        window: { size: 1d, grace: 1h, clock: records }
        budget: { name: sums, unit: record, epsilon: 2, delta: 1e-6, period: 30d }
        releases:
          - mean: { name: last, value: x, bounds: [0, 10], over: 7, share: { epsilon: 2, delta: 1e-6 } }
        """;
    assertThat(Form.MARKDOWN.write(written(alone), "docs/"))
        .as("no bound is promised where none follows")
        .contains("windows of 'last' share noise", "no useful bound")
        .doesNotContain("the loss is at most:");
  }

  /** A name that one user alone has is no noise: its part of delta cannot be spent twice. */
  @Test
  void shouldTakeWhatThresholdsSpendFromDelta() throws Exception {
    Output.Spending terms = sheet("searches.yaml").outputs().get(0).spends().get(0);
    assertThat(terms.deltaBesides()).isPositive().isLessThan(terms.delta());
    assertThat(terms.lossOfPeriod().get(0).epsilon())
        .as("the noise at the rest of delta comes to the share")
        .isBetween(1.9, 2.0 + 1e-3);
  }

  @Test
  void shouldHaveNothingBeyondALifetime() throws Exception {
    Sheet forGood =
        written(
            TWO.replace("period: window", "period: lifetime")
                .replace("method: laplace,", "method: laplace, windows: 3,"));
    assertThat(forGood.outputs().get(0).spends().get(0).charges()).isEqualTo(3);
    assertThat(forGood.total().longer()).isEmpty();
    Sheet running =
        written(
            TWO.replace("period: window", "period: lifetime")
                .replace("method: laplace,", "by: total, running: 3, windows: 3,"));
    assertThat(running.total().sharesNoise()).as("nothing is beyond a lifetime").isEmpty();
    assertThat(forGood.gaps()).noneMatch(gap -> gap.what().equals("Longer than a period"));
    assertThat(sheet("searches.yaml").gaps())
        .anyMatch(gap -> gap.what().equals("Longer than a period"));
  }

  /** docs/guides/privacy-report.md says what each name of the JSON is. */
  @Test
  void shouldHaveTheNamesThatTheDocumentTells() throws Exception {
    String page = Files.readString(Path.of("docs/guides/privacy-report.md"));
    List<String> told =
        Pattern.compile("(?m)^\\| `(\\w+)` \\|")
            .matcher(page)
            .results()
            .map(found -> found.group(1))
            .toList();
    JsonNode json = new ObjectMapper().readTree(Form.JSON.write(sheet("searches.yaml"), ""));
    List<String> written = new ArrayList<>();
    json.fieldNames().forEachRemaining(written::add);
    assertThat(written).isEqualTo(told);
  }

  /** Names of files come from whoever wrote them. */
  @Test
  void shouldEscapeWhatComesFromFiles() throws Exception {
    Sheet sheet =
        Sheet.of(Plans.plan(TWO), "<img src=x>|`a`.yaml", "", "<b>", Sheet.Beside.NOTHING);
    assertThat(Form.HTML.write(sheet, "docs/"))
        .doesNotContain("<img", "<b>")
        .contains("&lt;img src=x&gt;");
    String markdown = Form.MARKDOWN.write(sheet, "docs/");
    assertThat(markdown).contains("\\<img src=x\\>\\|\\`a\\`.yaml");
    Pattern bars = Pattern.compile("(?<!\\\\)\\|");
    List<String> broken = new ArrayList<>();
    long columns = 0;
    for (String line : markdown.split("\n")) {
      long here = bars.matcher(line).results().count();
      if (line.startsWith("| ---")) {
        columns = here;
      } else if (line.startsWith("|") && columns > 0 && here != columns && !line.contains("---")) {
        broken.add(line);
      }
      if (!line.startsWith("|")) {
        columns = 0;
      }
    }
    assertThat(broken).isEmpty();
  }

  /** Commands are copied: a name is one word of them, and no option. */
  @Test
  void shouldQuoteNamesInCommands() throws Exception {
    Sheet sheet = Sheet.of(Plans.plan(TWO), "a b$(id)';x.yaml", "", "", Sheet.Beside.NOTHING);
    assertThat(sheet.repeats())
        .filteredOn(repeat -> repeat.command().contains("x.yaml"))
        .hasSameSizeAs(sheet.repeats())
        .allMatch(repeat -> repeat.command().contains(" 'a b$(id)'\\'';x.yaml'"));
    assertThat(Shell.file("-x.yaml")).isEqualTo("./-x.yaml");
    assertThat(Shell.file("wards.yaml")).isEqualTo("wards.yaml");
  }

  /** Entities and strokes are Markdown, too; a backslash would free the bar behind it. */
  @Test
  void shouldWriteNamesInMarkdownAsTheyAre() throws Exception {
    Sheet sheet =
        Sheet.of(
            Plans.plan(TWO.replace("user: person", "user: '&lt;~~p~~'")),
            "a\\|b.yaml",
            "",
            "",
            Sheet.Beside.NOTHING);
    assertThat(Form.MARKDOWN.write(sheet, "docs/"))
        .contains("'\\&lt;\\~\\~p\\~\\~'")
        .contains("| File | a\\\\\\|b.yaml |");
  }

  @Test
  void shouldNeverRoundABoundDown() {
    assertThat(Figures.atMost(2.0000000000000004)).isEqualTo("2");
    assertThat(Figures.atMost(2.00018)).isEqualTo("2.001");
    assertThat(Figures.atMost(2980.958)).isEqualTo("2,981");
    assertThat(Figures.atMost(Double.POSITIVE_INFINITY)).isEqualTo("no bound");
    assertThat(Figures.percentAtMost(0.95257)).isEqualTo("95.26%");
    assertThat(Figures.percentAtMost(0.99999)).isEqualTo("above 99.99%");
    assertThat(Figures.percentAtLeast(0.04743)).isEqualTo("4.74%");
    assertThat(Figures.percentAtLeast(0.00001)).isEqualTo("below 0.01%");
    assertThat(Figures.percent(0.001)).isEqualTo("0.1%");
  }
}
