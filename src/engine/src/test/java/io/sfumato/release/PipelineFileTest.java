// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.pipeline.WindowSpec.Ticks;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.release.histogram.HistogramSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineFileTest {
  private static final String YAML =
      """
      pipeline: diary
      version: 3
      input: { topic: in, subject: who, time: at, category: what, categories: [33, b, c] }
      window: { size: 7d, grace: 1d }
      budget: { name: diary, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - histogram: { name: mix, share: { epsilon: 2.5, delta: 5e-7 }, windows: 10 }
        - histogram: { name: paper, calibration: paper, share: { epsilon: 1.5, delta: 5e-7 }, windows: 10, plan: [3, 2, 1], plan-size: 40 }
      kafka: { security.protocol: SSL }
      """;

  private static Pipeline parse(String yaml) {
    try {
      return PipelineFile.parse("p.yaml", yaml);
    } catch (PipelineFileException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** Topics were called so before budgets' were kept apart. */
  @ParameterizedTest
  @CsvSource({
    "topic: in, topic: sfumato-events",
    "topic: in, topic: sfumato-registry",
    "topic: in, topic: shop-changelog",
    "topic: in, topic: sfumato-accounts-2",
    "'name: mix,', 'name: mix, topic: sfumato-mix,'",
    "'name: mix,', 'name: mix, topic: other-registry,'",
    "'pipeline: diary', 'pipeline: sfumato'"
  })
  void shouldLetOtherTopicsBe(String good, String other) {
    assertThat(YAML).contains(good);
    assertThatCode(() -> PipelineFile.parse("p.yaml", YAML.replace(good, other)))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldReadEveryFieldAndFillInDefaults() {
    Pipeline pipeline = parse(YAML);
    assertThat(pipeline.version()).isEqualTo(3);
    assertThat(pipeline.input().categories()).containsExactly("33", "b", "c");
    assertThat(pipeline.input().maxBytes()).isEqualTo(1_000_000);
    assertThat(pipeline.window().grid().longest()).isEqualTo(Duration.ofDays(7));
    assertThat(pipeline.window().clock()).isEqualTo(Clock.RECORDS);
    assertThat(pipeline.window().grid().anchor()).isEqualTo(WindowSpec.MONDAY);
    assertThat(pipeline.subjects()).isEqualTo(Subjects.OBSERVED);
    assertThat(pipeline.budget().period()).isInstanceOf(Period.Lifetime.class);
    assertThat(pipeline.kafka()).containsEntry("security.protocol", "SSL");
    HistogramSpec paper = (HistogramSpec) pipeline.releases().get(1);
    assertThat(paper.accountant()).isEqualTo(Accountant.PAPER);
    assertThat(paper.topic()).isEqualTo("paper");
    assertThat(paper.model().shares()).containsExactly(0.5, 1 / 3.0, 1 / 6.0);
    assertThat(pipeline.applicationId()).isEqualTo("sfumato-diary");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pipeline: diary | pipeline: Diary! | field 'pipeline': found 'Diary!', allowed is"
            + " lower-case",
        "version: 3 | version: 0 | field 'version': found '0', allowed is a whole number from 1",
        "topic: in | topik: in | field 'input.topik': unknown, allowed are topic, format",
        "size: 7d | size: 7 days | field 'window.size': found '7 days', allowed is a length of"
            + " time",
        "size: 7d | size: 1ms | field 'window.size': found '1ms', allowed is",
        "grace: 1d | clock: wall | field 'window.clock': found 'wall', allowed is one of records,"
            + " ticks",
        "grace: 1d | ahead: 1d | field 'window.ahead': found with clock 'records'",
        "grace: 1d | ticks: any | field 'window.ticks': found 'any', allowed is one of here,"
            + " external, trusted",
        "grace: 1d | max-ahead: 3651d | field 'window.max-ahead': found more than 3650d, allowed is"
            + " at most",
        "grace: 1d | max-ahead: P99999999999D | field 'window.max-ahead': found more than 3650d",
        "grace: 1d | max-ahead: -1h | field 'window.max-ahead': found '-1h', allowed is a length of"
            + " time",
        "grace: 1d | origin: 2026-02-30 | field 'window.origin': found '2026-02-30'",
        "unit: record | unit: users | field 'budget.unit': found 'users', allowed is one of record,"
            + " user,",
        "unit: record | unit: user | with 'unit: user' alone",
        "epsilon: 4 | epsilon: 3 | field 'budget.epsilon': the shares add up to 4.0, the budget is"
            + " 3",
        "delta: 1e-6 | delta: 9e-7 | field 'budget.delta': the shares add up to 0.0000010",
        "epsilon: 4 | epsilon: -1 | field 'budget.epsilon': found '-1', allowed is a number above"
            + " 0",
        "epsilon: 4 | epsilon: .nan | line 5: not YAML: Malformed numeric value",
        "delta: 1e-6 | delta: 0 | field 'budget.delta': found '0', allowed is a number above 0 and"
            + " below 1",
        "name: paper | name: mix | two releases are named 'mix'",
        "name: mix, | name: mix, topic: in, | topic 'in' is used twice",
        "name: mix, | name: mix, topic: diary-registry, | topic 'diary-registry' is used twice",
        "name: mix, | name: diary-control, | topic 'diary-control' is used twice",
        "pipeline: diary | pipeline: sfumato-victim | field 'pipeline': found 'sfumato-victim',"
            + " allowed is lower-case",
        "topic: in | topic: sfumato-victim-journal-repartition | field 'input.topic': found"
            + " 'sfumato-victim-journal-repartition', allowed is any topic but",
        "topic: in | topic: sfumato-accounts | field 'input.topic': found 'sfumato-accounts'",
        "topic: in | topic: sfumato-diary-registry | field 'input.topic': found"
            + " 'sfumato-diary-registry'",
        "name: mix, | name: mix, topic: sfumato-victim-ledger-store-changelog, | field"
            + " 'releases[0].histogram.topic': found 'sfumato-victim-ledger-store-changelog',"
            + " allowed is",
        "name: mix, | name: sfumato-victim-ledger-store-changelog, | field"
            + " 'releases[0].histogram.name': found 'sfumato-victim",
        "name: mix, | name: mix, topic: sfumato-accounts, | field 'releases[0].histogram.topic':"
            + " found 'sfumato-accounts'",
        "name: mix, | name: mix, post-processing: history, | found 'history' with method"
            + " 'dirichlet', allowed is with methods gaussian and best",
        "name: mix, | name: mix, method: laplace, post-processing: floor, | found 'floor' with"
            + " method 'laplace', allowed is with methods",
        "name: mix, | name: mix, method: laplace, post-processing: past, | found 'past', allowed is"
            + " one of posterior-mean, floor, history",
        "name: mix, | name: mix, method: gauss, | found 'gauss', allowed is one of dirichlet",
        "[33, b, c] | [a] | field 'input.categories': found 1 usable item",
        "[33, b, c] | [a, a, b] | field 'input.categories': found 'a' twice or empty",
        "[33, b, c] | [1.50, b, c] | put it in quotes",
        "[3, 2, 1] | [3, 2] | field 'releases[1].histogram.plan': found 2 numbers",
        "[3, 2, 1] | [1, 1, 1] | for which ignoring the data would be best",
        "windows: 10 } | windows: 0 } | field 'releases[0].histogram.windows': found '0'",
        "- histogram | - pie | field 'releases[0].pie': unknown, allowed are histogram, count,"
            + " mean, bounds, quantile, table, features, abc, mollifier",
        "security.protocol: SSL | a: [1] | field 'kafka.a': found a list",
      })
  void shouldNameFieldFoundAndAllowedWhenSomethingIsWrong(
      String good, String bad, String expected) {
    assertThat(YAML).contains(good);
    assertThatThrownBy(
            () ->
                PipelineFile.parse(
                    "p.yaml",
                    YAML.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad))))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("p.yaml: ")
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 4 | per-window: 0 | field 'contributions.per-window': found '0'",
        "subjects: 2 } | subjects: 0 } | field 'contributions.subjects': found '0'",
        "subjects: 2 } | subjects: 5 } | found 5, allowed is at most per-window, 4",
        "per-window: 4, subjects: 2 | per-window: 500, subjects: 200 | at most 10000",
        "user: patient | values: [x] | field 'contributions': found without 'input.user'",
        "user: patient | user: ward | many users feed one subject",
        "clock: ticks | clock: records | 'user' hides who has records",
        "begin: 2026-11-02 | begin: 2026-11-02T12:00:00Z | within a window, allowed is a window's"
            + " start, such as 2026-11-02 or 2026-11-03",
        "begin: 2026-11-02 | begin: monday | 'window.begin': found 'monday', allowed is a day"
            + " (UTC)",
        "begin: 2026-11-02 | begin: 2026-11-31 | 'window.begin': found '2026-11-31'",
        "begin: 2026-11-02 | begin: 1899-11-02 | from 1900 on",
        "clock: ticks | clock: records | 'window.begin': found with clock 'records'",
        "[north, east, south, west] | observed | 'user' hides who has records",
        "[north, east, south, west] | [north, north] | found 'north' twice",
        "unit: user | unit: record | with 'unit: user' alone",
        "unit: user | unit: dataset | with 'unit: user' alone",
        "method: best | method: dirichlet, calibration: exact | renyi only",
        "running: 365 | running: 1 | running': found '1', allowed is a whole number from 2 to"
            + " 1048576, or forever",
        "running: 365 | running: ever | running': found 'ever', allowed is a whole number from 2 to"
            + " 1048576, or forever",
        "running: 365 | running: 2000000 | running': found '2000000', allowed is a whole number"
            + " from 2",
        "running: 365 | over: 1 | over': found '1', allowed is a whole number from 2 to 1024",
        "by: total | by: ward | found 'ward', allowed is one of category, total",
        "epsilon: 1, delta: 3e-7 | epsilon: 1e-9, delta: 3e-7 | cannot afford 1 releases",
      })
  void shouldSayWhatAPopulationNeeds(String good, String bad, String expected) throws Exception {
    String whole = Files.readString(Path.of("topology", "wards.yaml"));
    assertThat(whole).contains(good);
    String changed =
        whole.replaceFirst(
            Pattern.quote(good),
            Matcher.quoteReplacement(bad.replace(", calibration", "\n      calibration")));
    assertThatThrownBy(() -> Plans.plan(changed))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  /** An item's loss is that of the whole dataset: in S subjects a user would lose S times it. */
  @Test
  void shouldRefuseItemsWhereManyUsersFeedOneSubject() throws Exception {
    String wards = Files.readString(Path.of("topology", "wards.yaml"));
    assertThatThrownBy(
            () ->
                PipelineFile.parse(
                    "p.yaml",
                    wards.replace("epsilon: 3", "epsilon: 4")
                        + "  - mollifier: { name: item, share: { epsilon: 1 } }\n"))
        .hasMessageContaining("items are of subjects that are users");
  }

  @Test
  void shouldWarnOfSharesThatLastLonger() throws Exception {
    String wards = Files.readString(Path.of("topology", "wards.yaml"));
    assertThat(warnings(wards)).isEmpty();
    String unequal =
        wards
            .replace("period: window", "period: lifetime")
            .replaceAll("share: (.*)", "share: $1\n      windows: 10")
            .replaceFirst("windows: 10", "windows: 20");
    assertThat(warnings(unequal)).anyMatch(line -> line.contains("from 10 to 20 windows"));
  }

  /** Rows for Gaussian noise; for Laplace noise a tree where it pays, else independent sums. */
  @Test
  void shouldPlanRunningCountsByWhateverErrsLeast() throws Exception {
    String file =
        Files.readString(Path.of("topology", "wards.yaml")).replace("running: 365", "running: 64");
    assertThat(total(file))
        .contains("method     gaussian", "weighted by the square root of running sums")
        .contains("by a binary tree", "by independent Gaussian counts")
        .contains("'method: best' would have a root mean square error of");
    String laplace = file.replace("running: 64", "method: laplace\n      running: 64");
    assertThat(total(laplace))
        .contains("accounting: pure epsilon")
        .contains(
            "method     laplace",
            "the window's own count, because sums of these have the " + "least error");
    String many =
        file.replace("period: window", "period: lifetime")
            .replaceAll("share: (.*)", "share: $1\n      windows: 64");
    assertThat(total(many))
        .contains("at most 64 releases", "lasts 64 windows", "sums of these have the least error");
    assertThat(total(laplace.replace("running: 64", "running: 8192")))
        .contains("method     laplace, discrete noise on every count");
    assertThat(total(file.replace("running: 64", "running: forever\n      over: 7")))
        .contains("running forever", "after 1,000,000 +-", "of the last 7 windows, 95% within +-");
    assertThat(total(file.replace("running: 64", "over: 7")))
        .contains("a window's own counts within", "of the last 7 windows, 95% within +-");
  }

  /** Advice that a file already follows is none. */
  @Test
  void shouldAdviseOnlyWhatWouldHelp() throws Exception {
    String wards = Files.readString(Path.of("topology", "wards.yaml"));
    String over = wards.replace("running: 365", "over: 7");
    assertThat(warnings(over))
        .anyMatch(line -> line.contains("'method: best' would have a root mean square error of"))
        .noneMatch(line -> line.contains("use a separate release for them"));
    String best = wards.replace("running: 365", "method: best\n      over: 7");
    assertThat(warnings(best))
        .noneMatch(
            line -> line.contains("'method: best'") || line.contains("use a separate release"));
    String both = wards.replace("running: 365", "running: forever\n      over: 7");
    assertThat(warnings(both))
        .anyMatch(line -> line.endsWith("or leave out 'running', there with 'method: best'"));
  }

  /** What a plan says of the running count. */
  private static String total(String yaml) throws PipelineFileException {
    String text = PlanReport.text(Plans.plan(yaml));
    return text.substring(text.indexOf("count      ward-total"));
  }

  private static List<String> warnings(String yaml) throws PipelineFileException {
    return PlanReport.text(Plans.plan(yaml))
        .lines()
        .filter(line -> line.strip().startsWith("warning"))
        .toList();
  }

  /** What was meant by an unknown field looks missing, and what stands in for it fits nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topic: in | topik: in | field 'input.topik': unknown",
        "- histogram: { name: mix, | - sum: { name: mix, | field 'releases[0].sum': unknown",
        "releases: | releaces: | field 'releaces': unknown",
        "unit: record | unti: record | field 'budget.unti': unknown",
        "categories: [33, b, c] | categories: [a] | field 'input.categories': found 1 usable item",
        "size: 7d | size: week | field 'window.size': found 'week'",
        "epsilon: 4, | epsilon: four, | field 'budget.epsilon': found 'four'",
        "delta: 1e-6 } | delta: 1e-6, period: monthly } | field 'budget.period': found 'monthly'",
        "delta: 1e-6 } | delta: 1e-6, period: { ani: 30d } } | field 'budget.period.ani': unknown, allowed are any, pace",
        "delta: 1e-6 } | delta: 1e-6, period: { any: 30x } } | field 'budget.period.any': found '30x'",
        "delta: 1e-6 } | delta: 1e-6, period: { pace: 3 } } | field 'budget.period.any': is missing",
        "delta: 1e-6 } | delta: 1e-6, period: [30d] } | field 'budget.period': found a list",
        "unit: record, epsilon: 4, delta: 1e-6 | unit: week, epsilon: 4 | field 'budget.unit':"
            + " found 'week'",
        "{ size: 7d, grace: 1d } | 7d | field 'window': found '7d'",
      })
  void shouldTellOfOneMistakeOnce(String good, String bad, String expected) {
    assertThat(YAML).contains(good);
    assertThatThrownBy(() -> PipelineFile.parse("p.yaml", YAML.replace(good, bad)))
        .isInstanceOfSatisfying(
            PipelineFileException.class,
            e -> assertThat(e.problems()).singleElement().asString().startsWith(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "category: what | category: 'tags[]' | field 'input.category': found 'tags[]', allowed is"
            + " one item, such as 'tags[0]'",
        "subject: who | subject: 'a[*].id' | field 'input.subject': found 'a[*].id', allowed is one"
            + " item, such as 'a[0].id'",
        "time: at | time: $.meta.at | field 'input.time': found '$.meta.at', allowed is the path"
            + " from the record on: 'meta.at'",
        "subject: who | subject: 'tags[01]' | field 'input.subject': found 'tags[01]', allowed is"
            + " places from [0] to [9999]",
        "subject: who | subject: 'tags[-1]' | field 'input.subject': found 'tags[-1]', allowed is"
            + " places from [0] to [9999]",
        "category: what | category: 'a[10000].b' | field 'input.category': found 'a[10000].b',"
            + " allowed is places from [0] to [9999]",
      })
  void shouldRefusePathsThatNameNoSingleField(String good, String bad, String expected) {
    assertThat(YAML).contains(good);
    assertThatThrownBy(
            () -> PipelineFile.parse("p.yaml", YAML.replace(good, bad.replace("''", "'"))))
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "user.id, user id",
    "/user/id, user id",
    "tags[0], tags 0",
    "tags.0, tags 0",
    "/tags/0, tags 0",
    "a.b[2][1].c, a b 2 1 c",
    "tags[], tags []",
    "order.lines[].product, order lines [] product",
    "tags[*], ''",
    "[], ''",
    "/a~1b/c~0d, a/b c~d",
    "user, ''",
    "weight [kg], ''",
    "a..b, ''",
    "tags[x], ''",
    "income [2020] EUR, ''",
    "[5] rating, ''",
    "tags[9999], tags 9999",
    "tags[01], ''",
    "tags[10000], ''",
    "tags.007, tags 007"
  })
  void shouldReadPaths(String name, String steps) {
    assertThat(String.join(" ", FieldPath.of(name).steps())).isEqualTo(steps);
  }

  @Test
  void shouldSayWhatIsNoRelease() {
    String head = YAML.substring(0, YAML.indexOf("  - histogram"));
    for (String item : List.of("{}", "5", "{ histogram: {}, count: {} }")) {
      assertThatThrownBy(() -> PipelineFile.parse("p.yaml", head + "  - " + item + "\n"))
          .isInstanceOfSatisfying(
              PipelineFileException.class,
              e ->
                  assertThat(e.problems())
                      .singleElement()
                      .asString()
                      .startsWith("field 'releases[0]': found"));
    }
  }

  @Test
  void shouldReportAllProblemsAtOnce() {
    assertThatThrownBy(() -> PipelineFile.parse("p.yaml", "pipeline: x\nreleases: []\n"))
        .isInstanceOfSatisfying(
            PipelineFileException.class,
            e -> assertThat(e.problems().size()).isGreaterThanOrEqualTo(10));
  }

  @Test
  void shouldSayWhatIsGivenWhereAReservoirHasNoUse() {
    assertThatThrownBy(() -> parse(YAML + "reservoir: 2000\n"))
        .hasMessageContaining(
            "field 'reservoir': found '2000', allowed is only with 'input.values' and a release"
                + " 'mollifier'");
  }

  @Test
  void shouldRefuseWhatIsNoPipelineAtAll() {
    for (String text :
        List.of(
            "",
            "[]",
            "42",
            "a: b: c",
            "\u0000",
            "a: &x [*x]",
            "x: &a [1]\ny: *a\n",
            "a: 1\na: 2\n")) {
      assertThatThrownBy(() -> PipelineFile.parse("p.yaml", text))
          .as(text)
          .isInstanceOf(PipelineFileException.class);
    }
    assertThatThrownBy(() -> PipelineFile.read(Path.of("no/such.yaml")))
        .hasMessageContaining("no such file");
  }

  /** Any text is either a pipeline or a PipelineFileException. */
  @Property
  void shouldNeverFailOtherwise(
      @ForAll String text, @ForAll @IntRange(min = 0, max = 500) int cut) {
    String mutated = YAML.substring(0, Math.min(cut, YAML.length())) + text;
    assertThatCode(
            () -> {
              try {
                PipelineFile.parse("p.yaml", mutated);
              } catch (PipelineFileException e) {
                assertThat(e.problems()).isNotEmpty();
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseAPlanThatAffordsNothing() {
    Pipeline pipeline =
        parse(YAML.replace("epsilon: 2.5, delta: 5e-7", "epsilon: 1e-9, delta: 1e-12"));
    assertThatThrownBy(() -> Plan.of("p.yaml", pipeline))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("cannot afford 10 releases; raise the share");
  }

  @Test
  void shouldPlanAPeriodForAllWindowsThatStartInIt() {
    String yaml =
        YAML.replace("delta: 1e-6 }", "delta: 1e-6, period: 30d }").replace(", windows: 10", "");
    assertThat(((HistogramSpec) parse(yaml).releases().get(0)).horizon()).isEqualTo(5);
  }

  @Test
  void shouldChangeTheDigestWithAnythingThatBearsOnReleases() throws PipelineFileException {
    byte[] digest = Plans.plan(YAML).digest();
    assertThat(Plans.plan(YAML.replace("SSL", "PLAINTEXT")).digest()).isEqualTo(digest);
    for (String change :
        List.of(
            "grace: 2d",
            "grace: 1d, origin: 2026-01-06",
            "grace: 1d, max-jump: 9",
            "grace: 1d, max-ahead: 2d")) {
      assertThat(Plans.plan(YAML.replace("grace: 1d", change)).digest()).isNotEqualTo(digest);
    }
  }

  /** A state from before there were signed ticks goes on, with whichever its operator says. */
  @Test
  void shouldKeepTheDigestOfFilesFromBeforeTicksWereSigned() throws PipelineFileException {
    assertThat(parse(YAML).window().ticks()).isEqualTo(Ticks.EXTERNAL);
    assertThat(parse(YAML).window().maxAhead()).isEqualTo(Duration.ofDays(1));
    byte[] digest = Plans.plan(YAML).digest();
    for (String change :
        List.of("grace: 1d, ticks: trusted", "grace: 1d, ticks: external, max-ahead: 24h")) {
      assertThat(Plans.plan(YAML.replace("grace: 1d", change)).digest()).isEqualTo(digest);
    }
    assertThat(CanonicalText.of(parse(YAML).window()))
        .isEqualTo(
            "WindowSpec[size=PT168H, grace=PT24H, origin=345600000, clock=RECORDS, maxJump=400,"
                + " ahead=PT24H]");
  }

  @Test
  void shouldPrintAPlanForPeopleAndPrograms() throws PipelineFileException {
    Plan plan = Plans.plan(YAML);
    assertThat(PlanReport.text(plan))
        .contains("release    mix -> topic mix")
        .contains("the share lasts 10 windows")
        .contains("who has records, how many and when stays public");
    assertThat(PlanReport.json(plan)).contains("\"expected_kl\"").contains("\"alpha\"");
  }

  @Property
  void shouldPutEveryTimeIntoExactlyOneWindow(
      @ForAll @LongRange(min = -4_000_000_000_000L, max = 4_000_000_000_000L) long time,
      @ForAll @LongRange(min = 100, max = 10_000_000_000L) long size) {
    WindowSpec window =
        new WindowSpec(
            Duration.ofMillis(size),
            Duration.ZERO,
            WindowSpec.MONDAY,
            Clock.RECORDS,
            OptionalLong.empty(),
            400,
            Duration.ZERO,
            Ticks.EXTERNAL,
            WindowSpec.MAX_AHEAD);
    long start = window.startOf(time);
    assertThat(start).isLessThanOrEqualTo(time);
    assertThat(window.endOf(start)).isGreaterThan(time);
    assertThat(Math.floorMod(start - WindowSpec.MONDAY, size)).isZero();
    assertThat(window.boundaryOf(time)).as("the last end not after the clock").isEqualTo(start);
  }

  @Test
  void shouldStartWeeksOnMondays() {
    WindowSpec window = parse(YAML).window();
    long sunday = Instant.parse("2026-01-11T23:59:59Z").toEpochMilli();
    assertThat(Instant.ofEpochMilli(window.startOf(sunday)))
        .isEqualTo(Instant.parse("2026-01-05T00:00:00Z"));
  }

  private static final String QUERIES =
      """
      pipeline: q
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
      features: { bandwidth: 0.5, count: 50 }
      window: { size: 7d }
      budget: { name: q, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - abc: { name: fit, method: rejection, threshold: 0.2, clip: 0.5, share: { epsilon: 2, delta: 1e-7 }, queries: 3, candidates: 20 }
        - abc: { name: few, method: sparse-vector, acceptances: 4, distance: features, threshold: 0.2, share: { epsilon: 2, delta: 1e-7 }, queries: 3, waiting: { time: 5m } }
      """;

  @Test
  void shouldReadQueries() throws Exception {
    Pipeline pipeline = parse(QUERIES);
    AbcSpec fit = AbcSpec.of(pipeline).get(0);
    assertThat(fit.measure()).isEqualTo(DistanceMeasure.CATEGORIES);
    assertThat(fit.method()).isEqualTo(new AbcSpec.Method.Rejection());
    assertThat(fit.clip()).isEqualTo(0.5);
    assertThat(fit.waiting().entries()).isEqualTo(1000);
    AbcSpec few = AbcSpec.of(pipeline).get(1);
    assertThat(few.measure()).isEqualTo(DistanceMeasure.FEATURES);
    assertThat(few.method()).isEqualTo(new AbcSpec.Method.SparseVector(4, Threshold.KEPT));
    assertThat(few.waiting().time()).isEqualTo(Duration.ofMinutes(5));
    assertThat(pipeline.features()).contains(new FeatureSpec(50, 0.5, "sfumato"));
    assertThat(pipeline.keep()).isEqualTo(4);
    assertThat(AbcSpec.of(parse(QUERIES.replace("clip: 0.5, ", ""))).get(0).clip()).isEqualTo(0.4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "threshold: 0.2, clip | threshold: -0.2, clip | 'releases[0].abc.threshold': found '-0.2',"
            + " allowed is a number above 0",
        "threshold: 0.2, clip | threshold: .nan, clip | not YAML",
        "threshold: 0.2, clip | threshold: 1.5, clip | found 1.5, allowed is at most 1.41",
        "clip: 0.5 | clip: 0.1 | 'releases[0].abc.clip': found 0.1, allowed is at least the"
            + " threshold",
        "method: rejection | method: soft | 'releases[0].abc.clip': found with method 'soft'",
        "method: rejection | method: guess | one of rejection, soft, sparse-vector",
        "candidates: 20 | candidates: 0 | 'releases[0].abc.candidates': found '0'",
        "queries: 3, candidates | candidates | 'releases[0].abc.queries': is missing",
        "acceptances: 4, | ~~ | 'releases[1].abc.acceptances': is missing",
        "acceptances: 4 | acceptances: 4, calibration: exact | 'releases[1].abc.calibration': found"
            + " with 'sparse-vector'",
        "method: rejection | acceptances: 3 | 'releases[0].abc.acceptances': found with method"
            + " 'rejection'",
        "values: [x] | max-bytes: 100 | 'features': found without 'input.values'",
        "count: 50 | count: 51 | 'features.count': found 51, allowed is an even number",
        "bandwidth: 0.5 | bandwidth: 0 | 'features.bandwidth': found '0'",
        "bandwidth: 0.5, | ~~ | 'features.bandwidth': is missing",
        "name: few, | name: few, topic: q-candidates, | topic 'q-candidates' is used twice",
      })
  void shouldNameWhatIsWrongWithQueries(String good, String bad, String expected) {
    assertThat(QUERIES).contains(good);
    assertThatThrownBy(
            () -> PipelineFile.parse("q.yaml", QUERIES.replace(good, bad == null ? "" : bad)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void shouldRefuseAHistogramOfNumbersAlone() {
    assertThatThrownBy(
            () ->
                PipelineFile.parse(
                    "q.yaml",
                    QUERIES
                        .replace("category: what, categories: [a, b], ", "")
                        .replaceFirst(
                            "- abc: .*",
                            "- histogram: { name: fit, share: { epsilon: 2, delta: 1e-7 }, windows:"
                                + " 3 }")))
        .hasMessageContaining("found a histogram, allowed is only where 'input.category' is named");
  }

  @Test
  void shouldRefuseBombsAndAliases() {
    String bomb =
        """
        a: &a [x, x, x, x, x, x, x, x, x]
        b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
        c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
        d: [*c, *c, *c, *c, *c, *c, *c, *c, *c]
        """;
    for (String yaml :
        List.of(
            bomb,
            QUERIES.replace("name: fit", "name: &n fit"),
            QUERIES.replace("name: fit", "name: *n"),
            QUERIES.replace("[a, b]", "&c [a, b]"))) {
      assertThatThrownBy(() -> PipelineFile.parse("p.yaml", yaml))
          .isInstanceOf(PipelineFileException.class)
          .hasMessageContaining("anchors and aliases (&, *) are not allowed");
    }
    assertThatThrownBy(
            () -> PipelineFile.parse("p.yaml", "a: " + "[".repeat(50_000) + "]".repeat(50_000)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("nested deeper than 20 levels");
    assertThatThrownBy(() -> PipelineFile.parse("p.yaml", "a: " + "x".repeat(2 << 20)))
        .isInstanceOf(PipelineFileException.class);
    assertThatThrownBy(() -> PipelineFile.parse("p.yaml", "a: !!java.net.URL [http://x]"))
        .isInstanceOf(PipelineFileException.class);
  }

  @Test
  void shouldReadLedgersAndAccounts() throws Exception {
    Pipeline plain = parse(QUERIES);
    assertThat(plain.budget().account()).isEmpty();
    assertThat(plain.releases()).extracting(r -> r.share().ledger()).containsExactly("fit", "few");
    String shared =
        QUERIES
            .replace(
                "delta: 1e-6 }", "delta: 1e-6, account: { name: all, epsilon: 9, delta: 1e-5 } }")
            .replace(
                "name: fit, method: rejection, threshold: 0.2, clip: 0.5, share: {",
                "name: fit, method: rejection, threshold: 0.2, clip: 0.5, share: { ledger: old,");
    Pipeline pipeline = parse(shared);
    assertThat(pipeline.budget().account().orElseThrow().name()).isEqualTo("all");
    assertThat(pipeline.releases().get(0).share().ledger()).isEqualTo("old");
    assertThatThrownBy(
            () -> PipelineFile.parse("p.yaml", shared.replace("epsilon: 9", "epsilon: 3")))
        .hasMessageContaining("'budget.account': is smaller than the budget");
    assertThatThrownBy(
            () -> PipelineFile.parse("p.yaml", shared.replace("ledger: old", "ledger: few")))
        .hasMessageContaining("two releases spend the ledger 'few'");
  }
}
