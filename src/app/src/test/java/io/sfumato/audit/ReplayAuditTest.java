// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.WARD;
import static io.sfumato.audit.AuditedFiles.ofRecords;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.AbstractDoubleAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole pipelines over neighbouring logs. No assertion can fail by chance: runs are compared byte
 * by byte, losses are computed from laws in closed form, and everything follows from its seed.
 */
@Tag("deep")
class ReplayAuditTest {
  /** What most audits here try. */
  private static final ReplayAudit USUAL = new ReplayAudit(8, 9, 2, 3);

  private static final String TWO_OF_USERS = "per-window: 2, subjects: 2";
  private static final String FIVE_OF_USERS = "per-window: 5, subjects: 2";
  private static final String NORTH_SOUTH = "[north, south]";
  private static final String WINDOW = "epsilon: 2, delta: 1e-6, period: window";

  private static ReplayAudit.Findings kept(Plan plan, String of, ReplayAudit audit) {
    ReplayAudit.Findings found = Audited.of(plan, audit);
    assertThat(found.violations()).as(of).isEmpty();
    assertThat(found.lossRatio()).as(of).isLessThanOrEqualTo(1 + 1e-9);
    assertThat(found.neighbours()).as(of).isPositive();
    return found;
  }

  /** The loss of a file that keeps its promise, as part of what is charged. */
  private static AbstractDoubleAssert<?> assertLoss(String yaml, ReplayAudit audit) {
    return assertLoss(Audited.plan(yaml), yaml, audit);
  }

  private static AbstractDoubleAssert<?> assertLoss(Plan plan, String of, ReplayAudit audit) {
    ReplayAudit.Findings found = kept(plan, of, audit);
    assertThat(found.draws()).as(of).isPositive();
    return assertThat(found.lossRatio()).as("the largest loss among them, of " + of);
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "diary", "diary-model", "diary-taste", "wards", "ward-model"})
  void everyFileOfTheFolderKeepsItsPromise(String name) throws PipelineFileException {
    assertLoss(Plans.example(name + ".yaml"), name, new ReplayAudit(8, 20, 2, 3))
        .isGreaterThan(0.8);
  }

  /** Files of every unit and kind of release, over logs and neighbours of their own seeds. */
  @Test
  void randomPipelinesKeepTheirPromise() {
    for (int seed = 1; seed <= 24; seed++) {
      String yaml = RandomFiles.of(new Random(seed));
      kept(Audited.plan(yaml), yaml, new ReplayAudit(5, 9, 2, seed));
    }
  }

  /** Made-up records that a file refuses would show nothing: heavy ones are among those taken. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "format: json, subject: ward, user: who, category: what, weight: visit.minutes",
        "format: avro, subject: subject, user: $key, category: category, weight: values.2"
      })
  void recordsOfDifferentWeightKeepThePromise(String input) {
    String yaml =
        ofUsers(
            input + ", categories: [a, b]",
            FIVE_OF_USERS + ", max-weight: 9",
            NORTH_SOUTH,
            WINDOW,
            "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, USUAL).isGreaterThan(0.8);
  }

  /** Several fields are one category: crossed, as a path, or found together. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[region, product] | {region: [north, south], product: [tea, coffee]} | rest | count: { by: category",
        "{path: [land, town]} | {DE: [Bonn, Bern], FR: [Paris]} | rest | histogram: { method: laplace",
        "[region, product] | {region: [rome, bonn], discover: {share: {epsilon: 40, delta: 0.01}}} | rome | count: { by: total"
      })
  void crossedCategoriesKeepThePromise(
      String category, String categories, String other, String release) {
    String yaml =
        ofUsers(
            WARD
                + ", category: %s, categories: %s, other: %s"
                    .formatted(category, categories, other),
            TWO_OF_USERS,
            NORTH_SOUTH,
            "epsilon: 42, delta: 0.011, period: window",
            release + ", name: n, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, new ReplayAudit(10, 6, 2, 3)).isPositive();
  }

  /** Outputs with bounds of their own: each moves by no more than these, and is charged alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "period: window | per-window: 1 | per-window: 5, subjects: 2",
        "period: window | per-window: 3, subjects: 2 | per-window: 2",
        "period: 30s | per-window: 2, per-period: 3 | per-window: 1, per-period: 2",
        "'period: { any: 30s }' | per-window: 1 | per-window: 3, subjects: 2"
      })
  void outputsWithTheirOwnBoundsKeepThePromise(String period, String one, String other) {
    String yaml =
        ofUsers(
                WARD + ", " + A_OR_B + ", values: [x]",
                TWO_OF_USERS,
                NORTH_SOUTH,
                "epsilon: 6, delta: 3e-6, " + period,
                "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }",
                "count: { name: own, contributions: { %s }, share: { epsilon: 2, delta: 1e-6 } }"
                    .formatted(one),
                "mean: { name: means, value: x, bounds: [0, 8], contributions: { %s }, share: { epsilon: 2, delta: 1e-6 } }"
                    .formatted(other))
            .replace("clock: ticks", "clock: ticks, begin: 2026-01-05");
    assertLoss(yaml, USUAL).isGreaterThan(0.8);
  }

  /** Outputs about some of the records, or by another category. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", id: event"})
  void outputsAboutOtherRecordsKeepThePromise(String id) {
    String yaml =
        ofUsers(
            WARD + ", " + A_OR_B + ", values: [x]" + id,
            TWO_OF_USERS,
            NORTH_SOUTH,
            "epsilon: 6, delta: 3e-6, period: window",
            "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }",
            "count: { name: sold, where: { type: order }, category: item, categories: [x, y], share: { epsilon: 2, delta: 1e-6 } }",
            "mean: { name: means, value: x, bounds: [0, 8], where: { type: { not: order } }, contributions: { per-window: 3 }, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, USUAL).isGreaterThan(0.8);
  }

  /** Hours and days, in small: what a user did in a whole period is added or removed. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", over: 2", ", running: 3"})
  void outputsWithLongerWindowsKeepThePromise(String over) {
    String yaml =
        ofUsers(
                WARD + ", " + A_OR_B,
                TWO_OF_USERS,
                NORTH_SOUTH,
                "epsilon: 4, delta: 2e-6, period: 60s",
                "count: { name: short, share: { epsilon: 2, delta: 1e-6 } }",
                "count: { name: long, window: 20s, contributions: { per-window: 3 }%s, share: { epsilon: 2, delta: 1e-6 } }"
                    .formatted(over))
            .replace("clock: ticks", "clock: ticks, begin: 2026-01-05");
    assertLoss(yaml, USUAL).isGreaterThan(0.8);
  }

  /** All tables of a release for one charge: a record moves a cell in each of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user, who   | [region, product]   | {region: [north, south], product: [tea, coffee]}",
        "user, who   | [a, b, c]           | {a: [x, y], b: [x, y, z], c: [x, y]}",
        "user, who   | {path: [land, town]} | {DE: [Bonn, Bern], FR: [Paris]}",
        "record, ''  | [region, product]   | {region: [north, south], product: [tea, coffee]}",
        "record, ''  | {path: [land, town]} | {DE: [Bonn, Bern], FR: [Paris]}"
      })
  void tablesKeepThePromise(String unit, String category, String categories) {
    String input =
        "subject: ward, category: %s, categories: %s, other: rest".formatted(category, categories);
    String table = "table: { name: t, share: { epsilon: 2, delta: 1e-6 } }";
    String yaml =
        unit.startsWith("user")
            ? ofUsers(input + ", user: who", TWO_OF_USERS, NORTH_SOUTH, WINDOW, table)
            : ofRecords(input, WINDOW, table);
    assertLoss(yaml, new ReplayAudit(10, 6, 2, 3)).isGreaterThan(0.5);
  }

  /** With much noise next to nothing is found, with little what one user decides. */
  @ParameterizedTest
  @CsvSource({"2, 1e-6, 2, 100", "60, 1e-2, 1, 100", "200, 0.1, 2, 100", "200, 0.1, 2, 1"})
  void subjectsThatAreFoundKeepThePromise(String epsilon, String delta, int subjects, int most) {
    String share = "share: { epsilon: %s, delta: %s }".formatted(epsilon, delta);
    String yaml =
        ofUsers(
            WARD + ", " + A_OR_B,
            "per-window: 2, subjects: " + subjects,
            "{ discover: { name: places, forget-names: 2, most: %s, %s, windows: 4 } }"
                .formatted(most, share),
            "epsilon: 400, delta: 0.2, period: lifetime",
            "count: { name: n, by: total, running: 4, windows: 4, %s }".formatted(share));
    assertLoss(yaml, new ReplayAudit(24, 7, 3, 3)).isNotNegative();
  }

  /** Names that nobody listed: which exist may differ with the threshold's probability alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                  | ''              | 40   | 0.01",
        "'forget-names: 2,'                  | ', per-name: 2' | 4    | 0.1",
        "'noise: laplace, most: 2,'          | ''              | 40   | 0.01",
        "'other: counted, noise: laplace,'   | ', per-name: 2' | 40   | 0.01",
        "'other: counted, noise: gaussian,'  | ''              | 40   | 0.01",
        "'running: 4, test-every: 2,'        | ''              | 100  | 0.01",
        "'running: 3, test-every: 1,'        | ', per-period: 3' | 100 | 0.01"
      })
  void namesThatAreFoundKeepThePromise(
      String discover, String contributions, String epsilon, String delta) {
    boolean spans = contributions.contains("period");
    String yaml =
        ofUsers(
            WARD
                + ", category: what, categories: { discover: { %s share: { epsilon: %s, delta: %s }%s } }"
                    .formatted(discover, epsilon, delta, spans ? "" : ", windows: 4"),
            TWO_OF_USERS + contributions,
            "[north, south, west]",
            "epsilon: 400, delta: 0.2, period: " + (spans ? "30s" : "lifetime"));
    assertLoss(yaml, new ReplayAudit(24, 7, 3, 3)).isNotNegative();
  }

  /** Where a period bounds records every one is charged, wherever it lies. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | 3 | count: { by: total, method: laplace",
        "2 | 3 | count: { by: total, method: gaussian",
        "1 | 2 | count: { by: total, running: 3",
        "2 | 3 | count: { by: total, running: forever, over: 2",
        "2 | 3 | count: { by: total, method: laplace, running: 3"
      })
  void periodsThatBoundRecordsKeepThePromise(int records, int period, String release) {
    String yaml =
        ofUsers(
            WARD + ", " + A_OR_B,
            "per-window: %d, per-period: %d".formatted(records, period),
            NORTH_SOUTH,
            "epsilon: 2, delta: 1e-6, period: 30s",
            release + ", name: n, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, new ReplayAudit(16, 7, 3, 3)).isPositive();
  }

  /** Sums over windows begin anew where somebody is forgotten, wherever slices are cut. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "who, values: [x] | lifetime | mean: { value: x, bounds: [0, 2], running: forever, over: 2, windows: 4",
        "who, values: [x] | window | mean: { value: x, bounds: [0, 2], running: 4",
        "ward, user: who, category: what, categories: [a, b] | window | count: { by: total, running: forever, over: 2",
        "ward, user: who, values: [x] | lifetime | mean: { value: x, bounds: [0, 2], over: 2, windows: 3"
      })
  void whoIsForgottenKeepsThePromise(String subject, String period, String release) {
    String budget = "epsilon: 2, delta: 1e-6, period: " + period;
    String run = release + ", name: run, share: { epsilon: 2, delta: 1e-6 } }";
    String yaml =
        subject.contains("user")
            ? ofUsers("subject: " + subject, TWO_OF_USERS, NORTH_SOUTH, budget, run)
            : ofRecords("subject: " + subject, budget, run);
    assertThat(new Scenes(Audited.plan(yaml), 6).all(3, 0))
        .extracting(AuditScenario::name)
        .contains("forgotten among what is closed");
    assertLoss(yaml, new ReplayAudit(8, 6, 2, 3)).isNotNegative();
  }

  /** What was released before moves what is published, never the noise, nor what it costs. */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian", "best"})
  void sharesThatLearnKeepThePromise(String method) {
    String learning =
        ": { name: mix, method: %s, post-processing: history, share: { epsilon: 2, delta: 1e-6 } }"
            .formatted(method);
    String users = WARD + ", " + A_OR_B;
    for (String yaml :
        List.of(
            ofUsers(users, FIVE_OF_USERS, NORTH_SOUTH, WINDOW, "histogram" + learning),
            ofUsers(users, FIVE_OF_USERS, NORTH_SOUTH, WINDOW, "count" + learning),
            ofRecords("subject: who, " + A_OR_B, WINDOW, "histogram" + learning))) {
      assertLoss(yaml, USUAL).isGreaterThan(0.8);
    }
  }

  /**
   * Users beyond the bounds, distinct users and totals, with and without a ledger that is spent in
   * the middle: who is not charged is in no count.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "epsilon: 8, delta: 1e-5, period: window | laplace | ''",
        "epsilon: 8, delta: 1e-5, period: window | gaussian | ''",
        "epsilon: 8, delta: 1e-5, period: lifetime | laplace | ', windows: 2'",
        "epsilon: 8, delta: 1e-5, period: lifetime | gaussian | ', windows: 2'"
      })
  void usersBeyondTheBoundsKeepThePromise(String budget, String method, String windows) {
    String share = "method: " + method + ", share: { epsilon: 2, delta: 1e-6 }" + windows;
    String yaml =
        ofUsers(
            WARD + ", " + A_OR_B,
            "per-window: 2, subjects: 2, left-out: 3",
            NORTH_SOUTH,
            budget,
            "count: { name: n, by: total, %s }".formatted(share),
            "count: { name: lost, by: left-out, %s }".formatted(share),
            "count: { name: more, by: beyond, %s }".formatted(share),
            "count: { name: who, of: users, by: total, %s }".formatted(share),
            "total: { name: all, of: n, left-out: lost }");
    assertLoss(yaml, USUAL).isGreaterThan(0.4);
  }

  /** Sums of features add up in full where records are alike, which the target's are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "subject: ward, user: who, values: [x]",
        "subject: ward, user: who, values: [x, visit.y], category: what, categories: [a, b]",
        "format: avro, subject: subject, user: $key, values: [values.1, values.0]"
      })
  void featuresOfUsersKeepThePromise(String input) {
    String yaml =
        "features: { bandwidth: 0.6, count: 30 }\n"
            + ofUsers(
                input,
                FIVE_OF_USERS,
                NORTH_SOUTH,
                WINDOW,
                "features: { name: sums, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, USUAL).isGreaterThan(0.99);
  }

  /** What a user adds to means and quantiles is attained by records that are alike. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subject: ward, user: who, values: [x] | x | value: x, bounds: [-1, 4] | laplace",
        "subject: ward, user: who, values: [x] | x | value: x, bounds: [-1, 4], moments: 2 | gaussian",
        "subject: ward, user: who, values: [x, visit.y], category: what, categories: [a, b] | visit.y"
            + " | values: [x, visit.y], bounds: { x: [0, 1], visit.y: [3, 9] } | gaussian",
        "format: avro, subject: subject, user: $key, values: [values.1, values.0] | values.0"
            + " | value: values.1, bounds: [0, 100], moments: 2 | laplace"
      })
  void numbersOfUsersKeepThePromise(String input, String value, String measured, String method) {
    String yaml =
        ofUsers(
            input,
            FIVE_OF_USERS,
            NORTH_SOUTH,
            "epsilon: 4, delta: 2e-6, period: window",
            "mean: { name: means, %s, method: %s, share: { epsilon: 2, delta: 1e-6 } }"
                .formatted(measured, method),
            "quantile: { name: parts, value: %s, bounds: [-1, 20], bins: 64, share: { epsilon: 2, delta: 1e-6 } }"
                .formatted(value));
    assertLoss(yaml, USUAL).isBetween(0.98, 1.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "values: [x] | moments: 1, method: laplace",
        "values: [x] | moments: 1, method: gaussian",
        "values: [x] | moments: 2, method: laplace",
        "values: [x] | moments: 2, method: gaussian",
        "values: [x], category: what, categories: [a, b] | by: category, moments: 2, method: laplace"
      })
  void numbersOfRecordsKeepThePromise(String input, String measured) {
    String yaml =
        ofRecords(
            "subject: who, " + input,
            "epsilon: 4, delta: 2e-6, period: window",
            "mean: { name: means, value: x, bounds: [0, 3], %s, share: { epsilon: 2, delta: 1e-6 } }"
                .formatted(measured),
            "quantile: { name: parts, value: x, bounds: [0, 3], bins: 64, share: { epsilon: 2, delta: 1e-6 } }");
    assertLoss(yaml, USUAL).isBetween(0.5, 1.0);
  }

  /**
   * Each category, or cell of several fields, by itself for one charge. What is charged is attained
   * by users whose records are alike, and by a record that leaves its category for another one.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user | [region, product] | {region: [north, south], product: [tea, coffee]} | mean: { method: laplace, moments: 2",
        "user | {path: [land, town]} | {DE: [Bonn, Bern], FR: [Paris]} | mean: { method: gaussian",
        "user | [region, product] | {region: [north, south], product: [tea, coffee]} | quantile: { bins: 64",
        "record | [region, product] | {region: [north, south], product: [tea, coffee]} | quantile: { bins: 64",
        "record | what | [a, b] | quantile: { bins: 2"
      })
  void numbersOfCategoriesKeepThePromise(
      String unit, String category, String categories, String release) {
    String input =
        "subject: ward, values: [x], category: %s, categories: %s, other: rest"
            .formatted(category, categories);
    String of =
        release
            + ", name: n, by: category, value: x, bounds: [0, 3], share: { epsilon: 2, delta: 1e-6 } }";
    String yaml =
        unit.equals("user")
            ? ofUsers(input + ", user: who", "per-window: 3, subjects: 2", NORTH_SOUTH, WINDOW, of)
            : ofRecords(input, WINDOW, of);
    assertLoss(yaml, new ReplayAudit(8, 6, 1, 3)).isGreaterThan(0.5);
  }

  /** Laplace noise on each window's own parts, summed up: users whose records are all alike. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "running: 4, over: 2 | period: window | 1e-6",
        "running: forever, moments: 2, method: laplace | period: lifetime | 1e-6",
        "over: 3 | period: lifetime | 0",
      })
  void numbersOfUsersOverWindowsKeepThePromise(String over, String period, String delta) {
    String yaml =
        ofUsers(
            WARD + ", values: [x]",
            FIVE_OF_USERS,
            NORTH_SOUTH,
            "epsilon: 4, delta: 2e-6, " + period,
            "mean: { name: means, value: x, bounds: [-1, 4], %s, share: { epsilon: 2, delta: %s }%s }"
                .formatted(over, delta, period.endsWith("window") ? "" : ", windows: 2"));
    assertLoss(yaml, USUAL).isBetween(0.98, 1 + 1e-9);
  }

  /** Where the first parts follow from the number of records, and where they do not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "values: [x] | running: 4, over: 2 | 1e-6",
        "values: [x] | moments: 2, over: 3, method: laplace | 1e-6",
        "values: [x], category: what, categories: [a, b] | by: category, running: forever | 0"
      })
  void numbersOfRecordsOverWindowsKeepThePromise(String input, String over, String delta) {
    String yaml =
        ofRecords(
            "subject: who, " + input,
            "epsilon: 4, delta: 2e-6, period: window",
            "mean: { name: means, value: x, bounds: [0, 3], %s, share: { epsilon: 2, delta: %s } }"
                .formatted(over, delta));
    assertLoss(yaml, USUAL).isBetween(0.45, 1 + 1e-9);
  }

  private static final String RANGE = "bounds: { name: range, value: x, share: { epsilon: 400 } }";

  private static String meanWithinFoundBounds(String period, String measured) {
    return "mean: { name: means, value: x, bounds: auto, %s, share: { epsilon: 2, delta: 1e-6 }%s }"
        .formatted(measured, period.equals("lifetime") ? ", windows: 3" : "");
  }

  /**
   * Bounds that pass with a single record, so that means go by them; and a user's records move
   * parts of means by as much as within known bounds, at the bounds that were found.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "values: [x] | window | moments: 1, method: laplace",
        "values: [x] | 20s | moments: 2, method: gaussian",
        "values: [x, visit.y], category: what, categories: [a, b] | 30s | by: category, moments: 2",
        "values: [x] | lifetime | moments: 1"
      })
  void foundBoundsOfUsersKeepThePromise(String input, String period, String measured) {
    String yaml =
        ofUsers(
                WARD + ", " + input,
                FIVE_OF_USERS,
                NORTH_SOUTH,
                "epsilon: 500, delta: 2e-6, period: " + period,
                meanWithinFoundBounds(period, measured),
                RANGE)
            .replace("clock: ticks", "clock: ticks, begin: 2026-01-05");
    assertLoss(yaml, USUAL).isBetween(0.98, 1.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "values: [x] | window | moments: 1, method: laplace",
        "values: [x] | 20s | moments: 2, method: gaussian",
        "values: [x], category: what, categories: [a, b] | lifetime | by: category, moments: 2"
      })
  void foundBoundsOfRecordsKeepThePromise(String input, String period, String measured) {
    String yaml =
        ofRecords(
            "subject: who, " + input,
            "epsilon: 500, delta: 2e-6, period: " + period,
            RANGE,
            meanWithinFoundBounds(period, measured));
    assertLoss(yaml, USUAL).isBetween(0.5, 1.0);
  }

  @Test
  void theSameSeedFindsTheSame() {
    Plan plan = Audited.plan(RandomFiles.of(new Random(5)));
    ReplayAudit audit = new ReplayAudit(4, 5, 1, 9);
    assertThat(Audited.of(plan, audit)).isEqualTo(Audited.of(plan, audit));
  }

  @Test
  void progressIsAnnouncedAsItIsMade() {
    Plan plan = Audited.plan(RandomFiles.of(new Random(6)));
    ReplayAudit audit = new ReplayAudit(4, 5, 1, 9);
    List<Integer> steps = new ArrayList<>();
    audit.of(plan, Path.of("target", "audited"), () -> steps.add(1));
    assertThat(steps).hasSize((int) audit.steps(plan));
  }

  @Test
  void recordsOfARegistrysSchemaCannotBeMadeUp() {
    String yaml =
        ofRecords(
            "format: avro, subject: driver, category: category, categories: [a, b]",
            WINDOW,
            "histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }");
    assertThatThrownBy(() -> Audited.of(yaml, new ReplayAudit(1, 3, 0, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UserRecord");
  }
}
