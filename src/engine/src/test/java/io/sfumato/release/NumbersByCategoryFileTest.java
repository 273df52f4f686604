// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.PipelineFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Means and quantiles of each category, or of each cell of several fields: what files may say. */
class NumbersByCategoryFileTest {
  private static final String CROSSED =
      "category: [region, product], categories: { region: [north, south], product: [tea, coffee] }";

  private static final String FILE =
      """
      pipeline: p
      input: { topic: in, subject: shop, user: who, time: at, %s, values: [x] }
      contributions: { per-window: 2 }
      subjects: [a, b]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: p, unit: user, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - %s, name: waits, value: x, bounds: [1, 300], share: { epsilon: 1, delta: 1e-7 } }
      format: avro
      """;

  private static final String BY = "quantile: { by: category, scale: log";

  private static Plan plan(String input, String release) throws PipelineFileException {
    return Plans.plan(FILE.formatted(input, release));
  }

  private static String listed(int categories) {
    return IntStream.range(0, categories)
        .mapToObj(i -> "c" + i)
        .collect(Collectors.joining(", ", "category: what, categories: [", "]"));
  }

  private static ObjectNode reported(Plan plan) {
    return FactJson.of(plan.releases().get(0).facts(plan.pipeline()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CROSSED,
        CROSSED + ", other: else",
        "category: { path: [land, town] }, categories: { DE: [Bonn, Ulm], FR: [Paris] }",
        "category: what, categories: [a, b]"
      })
  void takesEveryListedCategory(String input) throws Exception {
    int categories = plan(input, BY).pipeline().input().allCategories().size();
    assertThat(reported(plan(input, BY)).get("categories").asInt()).isEqualTo(categories);
    for (String release :
        List.of(
            "mean: { by: category",
            "mean: { by: category, moments: 2, method: gaussian",
            "mean: { by: category, running: 7, over: 3",
            "mean: { by: category, method: laplace")) {
      assertThatCode(() -> plan(input, release)).doesNotThrowAnyException();
    }
  }

  /** For the charge of all together: the noise of a category is that of one vector. */
  @Test
  void costsWhatOneVectorCosts() throws Exception {
    Plan apart = plan(CROSSED, BY);
    Plan together = plan(CROSSED, "quantile: { by: total, scale: log");
    assertThat(apart.releases().get(0).charge().mechanism())
        .isEqualTo(together.releases().get(0).charge().mechanism());
    assertThat(reported(apart).get("rank_rms_error").asDouble())
        .isEqualTo(reported(together).get("rank_rms_error").asDouble());
    assertThat(PlanReport.text(apart))
        .contains("of         x, in 4,096 bins, scale log, from ")
        .contains("records of a category, ranks err by ")
        .contains("of all 4 categories together, ");
    assertThat(PlanReport.text(together)).contains("records, ranks err by ");
    assertThat(reported(together).has("categories")).isFalse();
  }

  /** States that live go on: this is the digest of before there were categories. */
  @Test
  void changesNoDigestOfFilesThatDoNotAsk() throws Exception {
    String total = "quantile: { scale: log, bins: 64, of: [0.5, 0.9]";
    String before = "0a13843651c8a283935e3a32f1dfc04246a364c5753220e5b824bb27453bad6a";
    assertThat(plan(CROSSED, total).digestText()).isEqualTo(before);
    assertThat(plan(CROSSED, total + ", by: total").digestText()).isEqualTo(before);
    Set<String> digests = new HashSet<>();
    digests.add(before);
    digests.add(plan(CROSSED, total + ", by: category").digestText());
    digests.add(plan(CROSSED + ", other: else", total + ", by: category").digestText());
    assertThat(digests).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"2, 4096", "16, 4096", "17, 2048", "100, 512", "900, 64"})
  void hasFewerBinsWhereThereAreManyCategories(int categories, int bins) throws Exception {
    Plan plan = plan(listed(categories), BY + ", of: [0.5]");
    assertThat(reported(plan).get("bins").asInt()).isEqualTo(bins);
    assertThat(WorstCase.of(plan).problems()).isEmpty();
  }

  /** What is kept of a window must fit; what the error advises does, and one more does not. */
  @Test
  void refusesMoreBinsThanARowHoldsAndSaysHowManyItDoes() {
    String input = listed(100);
    Matcher advised = advised(input, BY + ", bins: 2000", "lower 'bins' from 2000 to (\\d+)");
    int most = Integer.parseInt(advised.group(1));
    assertThatCode(() -> plan(input, BY + ", bins: " + most)).doesNotThrowAnyException();
    assertThatThrownBy(() -> plan(input, BY + ", bins: " + (most + 1)))
        .hasMessageContaining("a row of 'dataset-store'");
  }

  /** So must what is published. */
  @Test
  void refusesMoreCategoriesThanAnOutputHolds() {
    String quantiles =
        IntStream.range(1, 60)
            .mapToObj(i -> "0.%02d".formatted(i))
            .collect(Collectors.joining(", ", ", bins: 4, of: [", "]"));
    Matcher advised =
        advised(
            listed(900),
            BY + quantiles,
            "a record of 'waits'.*lower 'input.categories' from 900 to (\\d+) or less, or ask for fewer quantiles");
    String fewer = listed(Integer.parseInt(advised.group(1)));
    assertThatCode(() -> plan(fewer, BY + quantiles)).doesNotThrowAnyException();
  }

  private static Matcher advised(String input, String release, String pattern) {
    String message = "";
    try {
      plan(input, release);
    } catch (PipelineFileException e) {
      message = e.getMessage();
    }
    Matcher advised = Pattern.compile(pattern).matcher(message);
    assertThat(advised.find()).as(message).isTrue();
    return advised;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "category: what, categories: [a, b] | by: item | field 'releases[0].quantile.by': found 'item', allowed is one of category, total",
        "category: what, categories: [a, b] | by: category, bins: 65537 | bins': found '65537', allowed is a whole number from 2 to 65536",
        "category: what, categories: { discover: { share: { epsilon: 1, delta: 1e-7 } } } | by: category | only where 'input.categories' lists them: what 'discover' finds has its counts in that output, or 'total'",
        "values: [y] | by: category | only where 'input.category' is named, or 'total'"
      })
  void saysWhatIsWrong(String input, String by, String message) {
    String yaml =
        FILE.formatted(input, "quantile: { " + by)
            .replace("values: [y], values: [x]", "values: [x]");
    assertThatThrownBy(() -> Plans.plan(yaml))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesBinsThatWouldTakeTooMuchNoise() {
    assertThatThrownBy(() -> plan(listed(300), BY + ", bins: 1000"))
        .hasMessageContaining(
            "found 1000, of each of 300 categories, allowed is 873 or fewer: at most 262,144 of all"
                + " categories together");
  }

  /** A crossing with more cells than are kept one by one. */
  @ParameterizedTest
  @ValueSource(strings = {"quantile: { by: category", "mean: { by: category"})
  void refusesWideCrossings(String release) throws Exception {
    String values =
        IntStream.range(0, 101).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    String wide = "category: [a, b], categories: { a: [%1$s], b: [%1$s] }".formatted(values);
    assertThatThrownBy(() -> plan(wide, release))
        .hasMessageContaining(
            "only for at most 10,000 categories, and the columns have 10,201 together: 'table'"
                + " tells of each two of them, or 'total'");
    assertThatCode(() -> plan(wide, release.replace("category", "total")))
        .doesNotThrowAnyException();
  }
}
