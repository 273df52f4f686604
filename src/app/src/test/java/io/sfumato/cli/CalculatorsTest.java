// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that need no broker, as a user types them. */
class CalculatorsTest {
  private static final String PAPER =
      "--categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5 -o json";

  private CommandResult result;

  private int run(String arguments) {
    String[] words = arguments.split(" ");
    result = CommandResult.of(words);
    return result.code();
  }

  private JsonNode json(String arguments) throws Exception {
    assertThat(run(arguments)).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }

  @ParameterizedTest
  @CsvSource({
    "exact, 0.427, 6.26, 0.0078",
    "renyi, 0.396, 6.74, 0.0091",
    "paper, , , 0.0216",
  })
  void dirichletIsCalibratedAsInTheTable(String accountant, Double r, Double alpha, double kl)
      throws Exception {
    JsonNode found = json("calibrate dirichlet " + PAPER + " --accountant " + accountant);
    assertThat(found.get("expected_kl").asDouble()).isCloseTo(kl, within(0.01 * kl + 0.00005));
    if (r != null) {
      assertThat(found.get("r").asDouble()).isCloseTo(r, within(0.01 * r));
      assertThat(found.get("alpha").asDouble()).isCloseTo(alpha, within(0.01 * alpha));
    }
    assertThat(found.get("accountant").asText()).isEqualTo(accountant);
    assertThat(found.get("epsilon").asDouble()).isEqualTo(1);
    assertThat(found.get("delta").asDouble()).isEqualTo(1e-5);
    assertThat(found.get("order").asDouble()).isGreaterThan(1);
  }

  /** Remark 2 of the paper, exactly: counts of 13 and more halve the error. */
  @Test
  void aLeastCountIsCalibratedAndRecordsAreCounted() throws Exception {
    JsonNode found = json("calibrate dirichlet " + PAPER + " --least-count 13 --promise-kl 0.2");
    assertThat(found.get("expected_kl").asDouble()).isCloseTo(0.00376, within(0.00002));
    assertThat(found.get("mechanism").asText()).contains("least-count-13");
    double r = found.get("r").asDouble();
    double theorem2 = 2 * 2.2 * 4.6 / 0.04 * Math.log(20) / r;
    assertThat(found.get("records_by_theorem_2").asDouble()).isEqualTo(Math.ceil(theorem2));
    assertThat(found.get("records_for_the_plan").asDouble())
        .isLessThan(found.get("records_by_its_proof").asDouble());
    assertThat(found.get("kl_promised_95").asDouble()).isBetween(0.29, 0.30);
  }

  /** All tables for the price of one count; sigma(1, 1e-6) is 4.225 for one record. */
  @Test
  void tablesAreCalibrated() throws Exception {
    JsonNode found = json("calibrate tables --sizes 8,16,7 --epsilon 1 --delta 1e-6 -o json");
    assertThat(found.get("deviation").asDouble()).isCloseTo(4.225, within(0.001));
    assertThat(found.get("unit").asText()).isEqualTo("user");
    assertThat(found.get("tables")).hasSize(7);
    double share = 0;
    double combined = 8 * 16 * 7;
    for (int i = 0; i < 7; i++) {
      JsonNode table = found.get("tables").get(i);
      JsonNode others = found.get("combinations").get(i);
      share += table.get("share").asDouble();
      double ours = table.get("rms_error").asDouble();
      assertThat(table.get("error_95").asDouble()).isCloseTo(1.96 * ours, within(0.01));
      // Seven releases of noise 4.225 sqrt(7), and all combinations that a cell is the sum of.
      double separate = others.get("separate_rms_error").asDouble();
      assertThat(separate).isCloseTo(4.225 * Math.sqrt(7), within(0.01)).isGreaterThan(ours);
      assertThat(others.get("combinations_rms_error").asDouble())
          .isCloseTo(4.225 * Math.sqrt(combined / table.get("cells").asDouble()), within(0.1));
    }
    assertThat(share).isCloseTo(1, within(1e-4));
  }

  /** Quantiles of each category: the noise of one vector, the root of their number for all. */
  @ParameterizedTest
  @ValueSource(strings = {"--users 500 --per-window 2", "--records 500"})
  void quantilesOfCategoriesAreCalibrated(String whose) throws Exception {
    String asked = "calibrate quantile --epsilon 1 --delta 1e-6 -o json " + whose;
    JsonNode one = json(asked);
    JsonNode each = json(asked + " --categories 16");
    for (String same : List.of("deviation", "rank_rms_error", "bins")) {
      assertThat(each.get(same).asDouble()).as(same).isEqualTo(one.get(same).asDouble());
    }
    assertThat(each.get("rank_rms_error_of_all").asDouble())
        .isCloseTo(4 * each.get("rank_rms_error").asDouble(), within(1e-6));
    assertThat(one.has("categories")).isFalse();
    // How many records a category has is never public.
    double wider = each.get("rank_error_95").asDouble() / one.get("rank_error_95").asDouble();
    assertThat(wider)
        .isBetween(whose.contains("users") ? 1.0 : 1.03, whose.contains("users") ? 1.0 : 1.2);
    assertThat(json(asked + " --categories 100").get("bins").asInt()).isEqualTo(512);
  }

  @Test
  void levelsAreCalibrated() throws Exception {
    JsonNode found =
        json("calibrate tables --tree 4,3,5 --records 100 --epsilon 1 --delta 1e-6 -o json");
    assertThat(found.get("tables")).hasSize(4);
    assertThat(found.get("tables").get(0).get("rms_error").asDouble()).isZero();
    assertThat(found.at("/tables/3/columns/2").asText()).isEqualTo("level 3");
    assertThat(found.get("unit").asText()).isEqualTo("record");
  }

  @Test
  void aTopologyIsNodesAndEdges() throws Exception {
    JsonNode drawn = json("describe topology/diary.yaml -o json");
    Set<String> nodes = new HashSet<>();
    drawn.get("nodes").forEach(node -> nodes.add(node.get("id").asText()));
    assertThat(nodes).contains("topic:diary", "records", "keeper");
    assertThat(drawn.get("edges"))
        .isNotEmpty()
        .allSatisfy(edge -> assertThat(nodes).contains(edge.get(0).asText(), edge.get(1).asText()));
  }

  @ParameterizedTest
  @CsvSource({"clipped, 1.461", "mollifier, 1.803"})
  void oneItemSaysNoMoreThanKnown(String sampler, double kl) throws Exception {
    JsonNode found =
        json("calibrate mollifier --categories 10 --epsilon 1 -o json --sampler " + sampler);
    assertThat(found.get("worst_case_kl").asDouble()).isCloseTo(kl, within(0.0006));
    assertThat(found.get("expected_tries").asDouble()).isBetween(1.0, Math.exp(1));
    if (sampler.equals("mollifier")) {
      assertThat(found.at("/thetas/0/theta").asDouble())
          .isCloseTo(1 / (1 + 4 * Math.log(2)), within(1e-12));
      assertThat(found.get("thetas")).hasSize(3);
    }
    assertThat(run("calibrate mollifier --categories 1 --epsilon 1")).isEqualTo(2);
    assertThat(run("calibrate mollifier --categories 10 --epsilon 0")).isEqualTo(2);
  }

  @Test
  void aBandwidthIsDerivedFromPublicPseudoData(@TempDir Path folder) throws Exception {
    Path yaml =
        Files.writeString(
            folder.resolve("trips.yaml"),
            """
            pipeline: trips
            input: { topic: trips, subject: who, time: at, values: [x, y] }
            window: { size: 7d }
            budget: { name: trips, unit: record, epsilon: 4, delta: 1e-6 }
            releases:
              - abc: { name: check, method: soft, threshold: 0.2, share: { epsilon: 4, delta: 1e-6 }, queries: 3 }
            """);
    assertThat(run("plan " + yaml)).isEqualTo(3);
    assertThat(result.err()).contains("'features': is missing").contains("--pseudo-data");
    Path csv = Files.writeString(folder.resolve("p.csv"), "y,x\n0,0\n0,3\n4,0\n");
    JsonNode plan = json("plan " + yaml + " --pseudo-data " + csv + " -o json");
    assertThat(plan.at("/releases/0/distance").asText()).isEqualTo("features");
    assertThat(plan.at("/releases/0/queries").asLong()).isEqualTo(3);
    Files.writeString(csv, "y,x\n0,0\n0,wide\n");
    assertThat(run("plan " + yaml + " --pseudo-data " + csv)).isEqualTo(3);
    assertThat(result.err()).contains("line 3: column 'x' is no number");
  }

  @Tag("deep")
  @Test
  void aReferenceIsFittedToPublicData(@TempDir Path folder) throws Exception {
    StringBuilder csv = new StringBuilder("x,y\n");
    for (int i = 0; i < 200; i++) {
      // Two clouds around (-2, 0) and (2, 5), by a fixed pattern.
      double wobble = Math.sin(i * 12.9898) * 0.5;
      csv.append(i % 2 == 0 ? -2 + wobble : 2 + wobble)
          .append(',')
          .append(i % 2 == 0 ? Math.cos(i) * 0.5 : 5 + Math.cos(i) * 0.5)
          .append('\n');
    }
    Path file = Files.writeString(folder.resolve("public.csv"), csv);
    assertThat(run("fit-reference --data " + file + " --columns x,y --components 2")).isZero();
    assertThat(result.out()).contains("- { weight: 0.5").contains("reference:\n  gaussians:\n");
    // What it prints is what a pipeline file takes.
    Path yaml =
        Files.writeString(
            folder.resolve("p.yaml"),
            """
            pipeline: p
            input: { topic: in, subject: who, time: at, values: [x, y] }
            window: { size: 1d, clock: ticks, begin: 2026-01-05 }
            subjects: roster
            budget: { name: p, unit: dataset, epsilon: 2, period: window }
            releases:
              - mollifier:
                  name: taste
                  share: { epsilon: 2 }
            """
                + result.out().indent(6));
    JsonNode planned = json("plan " + yaml + " -o json").at("/releases/0");
    assertThat(planned.at("/best").asText()).startsWith("sampler: projection, band: ");
    assertThat(planned.at("/public_plan/expected_kl").asDouble())
        .isLessThan(planned.at("/public_plan/expected_kl_reference").asDouble());
    assertThat(run("fit-reference --data " + file + " --columns x,y --components 99")).isEqualTo(3);
    assertThat(result.err()).contains("needs more than 990 rows");
  }

  @Test
  void aFixedOrderIsKept() throws Exception {
    assertThat(
            json("calibrate dirichlet " + PAPER + " --accountant renyi --order 16")
                .get("order")
                .asDouble())
        .isEqualTo(16);
  }

  @Test
  void addOrRemoveCostsLessThanReplacing() throws Exception {
    JsonNode found =
        json("calibrate dirichlet " + PAPER + " --accountant renyi --neighbours add-or-remove");
    assertThat(found.get("expected_kl").asDouble()).isLessThan(0.0091);
    assertThat(found.get("mechanism").asText()).startsWith("dirichlet add-or-remove-1 ");
  }

  @Test
  void baselinesPrintTheirScale() throws Exception {
    assertThat(json("calibrate gaussian " + PAPER).get("sigma").asDouble()).isBetween(5.2, 5.4);
  }

  @Test
  void laplacePrintsItsScale() throws Exception {
    // (1, 1e-5) leaves next to nothing over pure 1: two counts at 1/b = 1/2 each.
    assertThat(json("calibrate laplace " + PAPER).get("scale").asDouble())
        .isCloseTo(2, within(0.001));
  }

  /** Twice 4.225, the analytic Gaussian's at (1, 1e-6), but for the grid's rounding. */
  @Test
  void featuresPrintTheirNoise() throws Exception {
    assertThat(
            json("calibrate features --epsilon 1 --delta 1e-6 -o json").get("deviation").asDouble())
        .isCloseTo(8.450, within(0.002));
  }

  @Test
  void featuresOfUsersPrintTheNoiseOfTheirNumber() throws Exception {
    assertThat(
            json("calibrate features --features 16 --records 3 --epsilon 1 --delta 1e-6 -o json")
                .get("records_deviation")
                .asDouble())
        .as("a record counts half as much as its features' norm: sqrt(5/4) C, twice")
        .isCloseTo(3 * 4.225 * Math.sqrt(1.25) * 2, within(0.01));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "calibrate dirichlet --categories 1 --epsilon 1 --delta 1e-5|--categories: found 1, allowed"
            + " is 2 to 10000",
        "calibrate dirichlet --categories 3 --epsilon 0 --delta 1e-5|epsilon must be above 0",
        "calibrate gaussian --categories 3 --epsilon 1 --delta 0|allowed is above 0 and below 1",
        "calibrate gaussian --categories 3 --epsilon 1 --delta 1e-5 --accountant paper|allowed is"
            + " exact or renyi",
        "calibrate laplace --categories 3 --epsilon 1 --delta 1e-5 --windows 0|allowed is 1 to"
            + " 1000000000",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --accountant renyi --order"
            + " 70|not on the grid",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --neighbours"
            + " add-or-remove|has a proof for renyi only",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --records 2|allowed with"
            + " replace-one is 1",
        "calibrate dirichlet --categories 2 --plan 9,90 --epsilon 1 --delta 1e-5 --least-count"
            + " 10|the plan has a count of 9",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --promise-kl 0|--promise-kl:"
            + " eta must be above 0",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --largest-weight 0|allowed is"
            + " 1 to 1048576",
        "calibrate dirichlet --categories 3 --epsilon 1 --delta 1e-5 --largest-weight 5"
            + " --accountant paper|accountants exact and renyi",
        "calibrate features --features 3 --epsilon 1 --delta 1e-6|allowed is an even number, 2 to"
            + " 10000",
        "calibrate features --epsilon 1 --delta 1e-6 --records 0|contributes at least 1 record",
        "calibrate tables --sizes 3,4 --epsilon 1|tables use Gaussian noise, which needs "
            + "--delta, such as --delta 1e-6",
        "calibrate tables --sizes 3,1 --epsilon 1 --delta 1e-6|a column has at least 2 values, was"
            + " 1",
        "calibrate tables --tree 400,400 --epsilon 1 --delta 1e-6|levels have 1 to 100000 nodes",
        "calibrate quantile --epsilon 1|quantiles use Gaussian noise, which needs --delta, such "
            + "as --delta 1e-6",
        "calibrate quantile --epsilon 1 --delta 1e-6 --categories 0|--categories: found 0, allowed"
            + " is 1 to 131072",
        "calibrate quantile --epsilon 1 --delta 1e-6 --categories 300 --bins 1000|--bins: found"
            + " 1000, allowed is 2 to 873",
        "calibrate running-count --windows 0 --epsilon 1 --delta 1e-6|--windows: found 0, allowed"
            + " is 1 to 1048576",
        "calibrate running-count --windows 9 --epsilon 1 --delta 0|delta must be above 0 and below"
            + " 1",
        "calibrate running-count --windows ever --epsilon 1 --delta 1e-6|--windows: found 'ever',"
            + " allowed is 1 to 1048576, or forever",
        "calibrate running-count --windows 9 --user-windows 10 --epsilon 1 --delta"
            + " 1e-6|--user-windows: found 10, allowed is 1 to 9",
        "calibrate running-count --windows 9 --user-windows 0 --epsilon 1 --delta"
            + " 1e-6|--user-windows: found 0, allowed is 1 to 9",
        "calibrate running-count --windows 9 --over 10 --epsilon 1 --delta 1e-6|--over: found 10,"
            + " allowed is 2 to 9",
        "calibrate rejection --threshold 0.2 --epsilon 1|--records (at least 1) is needed",
        "calibrate rejection --records 10 --threshold 3 --bound 2 --epsilon 1|threshold must be"
            + " above 0 and at most the bound",
        "calibrate rejection --records 10 --threshold 0.2 --epsilon 1 --candidates 5|allowed with"
            + " --candidates is above 0",
        "calibrate soft --candidates 0 --sensitivity 1 --epsilon 4 --delta 1e-4|at least 1"
            + " candidate",
        "calibrate sparse-vector --acceptances 0 --sensitivity 1 --epsilon 1|at least 1 acceptance",
        "audit topology/diary.yaml --draws 5|draws must be 1000 to 100000000",
        "audit topology/diary.yaml --windows 2|windows must be 3 to 10000"
      })
  void badArgumentsNameTheirRange(String arguments, String message) {
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  /** A bar is 1.95996 standard deviations, rounded up. */
  @Test
  void runningCountsHaveBarsWithOrWithoutAnEnd() throws Exception {
    JsonNode forever =
        json("calibrate running-count --windows forever --over 7 --epsilon 1 --delta 1e-6 -o json");
    double before = forever.get("error_95").asDouble();
    for (JsonNode later : forever.get("error_95_after")) {
      assertThat(later.asDouble()).isGreaterThan(before);
      before = later.asDouble();
    }
    assertThat(forever.get("last_error_95").asDouble())
        .isGreaterThan(forever.get("error_95").asDouble());
    JsonNode until =
        json("calibrate running-count --windows 1024 --epsilon 1 --delta 1e-6 -o json");
    double bar = 1.95996 * until.get("worst_error").asDouble();
    assertThat(until.get("largest_error_95").asDouble()).isBetween(bar, bar + 2);
  }

  @Test
  void countsOfTheLastWindowsAreRunningOnesWhileThereAreNoMore() throws Exception {
    JsonNode seven =
        json("calibrate running-count --windows 7 --over 7 --epsilon 1 --delta 1e-6 -o json");
    assertThat(seven.get("last_error_95"))
        .as("all of them")
        .isEqualTo(seven.get("largest_error_95"));
  }

  @Test
  void auditIsOneObjectWithTheReplayAndEveryHistogram() throws Exception {
    JsonNode found =
        json("audit topology/diary.yaml --draws 1000 --neighbours 6 --windows 4 -o json");
    assertThat(found.get("replay_violations").asLong()).isZero();
    assertThat(found.get("distance_violations").asLong()).isZero();
    assertThat(found.get("loss_ratio_max").asDouble()).isBetween(0.5, 1 + 1e-9);
    assertThat(found.get("violations")).isEmpty();
    assertThat(found.get("replays").asLong()).isGreaterThan(found.get("neighbours").asLong());
    JsonNode release = found.get("releases").get(0);
    assertThat(release.get("release").asText()).isEqualTo("weekly-mix");
    assertThat(release.get("kept").asBoolean()).isTrue();
    assertThat(release.get("epsilon_at_least").asDouble())
        .isLessThan(release.get("epsilon_claimed").asDouble());
  }

  /** Neighbours of all kinds, most of them with counts below the least one. */
  @Test
  void auditFindsALeastCountToHoldWithoutItsPromise(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("p.yaml"),
            """
            pipeline: wards
            input: { topic: in, subject: ward, time: at, category: what, categories: [a, b, c] }
            window: { size: 1d }
            budget: { name: wards, unit: record, epsilon: 1, delta: 1e-6, period: window }
            releases:
              - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 }, plan-size: 9, plan: [4, 3, 2], least-count: 2 }
            """);
    JsonNode found = json("audit " + file + " --draws 1000 --neighbours 30 --windows 4 -o json");
    assertThat(found.get("violations")).isEmpty();
    assertThat(found.get("distance_violations").asLong()).isZero();
    assertThat(found.get("loss_ratio_max").asDouble()).isBetween(0.5, 1 + 1e-9);
  }

  /** Items have no histogram to draw from: they are replayed all the same. */
  @Test
  void auditReplaysFilesWithoutHistograms() {
    assertThat(run("audit topology/diary-taste.yaml --neighbours 4 --windows 3")).isZero();
    assertThat(result.out()).contains("replay: ").contains("kept").doesNotContain("BROKEN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rejection --records 1000 --sensitivity 0.002 --bound 2 --threshold 0.2 --epsilon"
            + " 0.1|sigma|0.191",
        "rejection --records 1000 --threshold 0.2 --epsilon 0.1|sigma|0.066",
        "rejection --records 1000 --sensitivity 0.002 --bound 2 --threshold 0.2 --epsilon 0.1"
            + " --accountant paper|sigma|0.777",
        "soft --candidates 200 --sensitivity 1 --epsilon 4 --delta 1e-4|sigma|13.56",
        "sparse-vector --acceptances 10 --sensitivity 0.002 --epsilon 1|b|0.022",
        "sparse-vector --acceptances 10 --sensitivity 0.002 --epsilon 1 --redraw|b|0.04"
      })
  void abcNoiseIsCalibrated(String arguments, String field, double value) throws Exception {
    assertThat(json("calibrate " + arguments + " -o json").get(field).asDouble())
        .isCloseTo(value, within(0.0006 * Math.max(1, value * 10)));
  }

  /** Rows that a pipeline could not read bear on no bound. */
  @Test
  void planShowsWhatBoundsDoToTheRowsThatCanBeRead(@TempDir Path folder) throws Exception {
    List<String> rows = new ArrayList<>(List.of("amount,items"));
    for (int i = 0; i < 100; i++) {
      rows.add(6 * i + ",2");
    }
    Path clean = Files.write(folder.resolve("clean.csv"), rows);
    rows.addAll(List.of("n/a,1", ",3", "5", "2e12,1"));
    Path dirty = Files.write(folder.resolve("dirty.csv"), rows);
    String plan = "plan topology/orders.yaml -o json --example ";
    assertThat(run(plan + clean)).as(result.err()).isZero();
    String expected = result.out();
    assertThat(expected).contains("\"examples\"");
    assertThat(run(plan + dirty)).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo(expected);
    Path useless =
        Files.write(folder.resolve("useless.csv"), List.of("amount,items", "n/a,1", "1e13,1"));
    assertThat(run(plan + useless)).isEqualTo(2);
    assertThat(result.err()).contains("not one of 2 rows of").contains("holds usable numbers");
  }

  @Test
  void planReportsEveryAccountantErrorBarsAndWarnings(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("p.yaml"),
            """
            pipeline: test
            input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
            window: { size: 1d }
            budget: { name: test, unit: record, epsilon: 0.2, delta: 1e-6 }
            releases:
              - histogram: { name: mix, method: best, share: { epsilon: 0.2, delta: 1e-6 }, windows: 3, plan-size: 1 }
            """);
    JsonNode release = json("plan " + file + " -o json").get("releases").get(0);
    assertThat(release.get("loss_of_all_releases").findValuesAsText("accountant"))
        .contains("renyi", "loss distribution");
    assertThat(release.get("loss_of_all_releases").get(0).get("epsilon").asDouble())
        .isLessThanOrEqualTo(0.2);
    assertThat(release.get("expected_kl_by_method").size()).isEqualTo(3);
    assertThat(release.get("error_bars").get(0).get("low").asDouble())
        .isLessThan(release.get("error_bars").get(0).get("high").asDouble());
    assertThat(release.get("warnings").toString()).contains("close to uniform", "first week");
  }

  /** Over several windows: every test has a threshold, and the plan says both noises. */
  @Test
  void namesThatAreCountedOverWindowsHaveAThresholdForEveryTest() throws Exception {
    JsonNode found =
        json(
            "calibrate discovery --running 100 --test-every 30 --per-period 32 --per-name 1"
                + " --epsilon 6 --delta 1e-9 -o json");
    assertThat(found.get("tests").findValuesAsText("after"))
        .containsExactly("30", "60", "90", "100");
    assertThat(found.get("half_point").asLong())
        .isEqualTo(found.at("/tests/3/threshold").asLong())
        .isBetween(45L, 73L);
    assertThat(found.get("coarse_deviation").asDouble())
        .isLessThan(found.get("deviation").asDouble());
    assertThat(found.get("largest_error_95").asDouble())
        .isGreaterThan(found.get("error_95_found_last").asDouble());
    assertThat(found.get("threshold_delta").asDouble()).isBetween(1e-15, 1e-9);
  }

  @Test
  void oneWindowHasTheThresholdOfNamesThatAreCountedAlone() throws Exception {
    String bounds =
        "--names 4 --per-window 4 --per-name 1 --windows 7 --epsilon 1 --delta 1e-6 -o json";
    JsonNode alone = json("calibrate discovery --noise gaussian " + bounds);
    JsonNode running = json("calibrate discovery --running 1 " + bounds);
    assertThat(running.get("half_point")).isEqualTo(alone.get("half_point"));
    assertThat(running.get("deviation").asDouble())
        .isCloseTo(alone.get("deviation").asDouble(), within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({
    "--test-every 3, --test-every: only with --running",
    "--per-period 3, --per-period: only with --running",
    "--running 5 --test-every 6, --test-every: found 6",
    "--running 5 --per-period 3 --windows 2, not together with --names",
    "--running 5 --noise laplace, have gaussian noise",
    "--running 70000, --running: found 70000"
  })
  void namesThatAreCountedOverWindowsAreAskedForInOneWay(String options, String said) {
    assertThat(run("calibrate discovery --epsilon 1 --delta 1e-6 " + options)).isEqualTo(2);
    assertThat(result.err()).contains(said);
  }
}
