// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose means run over windows, or tell the last ones beside. */
class MeansOverWindowsFileTest {
  private static final String FILE =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, values: [x] }
      contributions: { per-window: 3 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-04 }
      budget: { name: p, unit: user, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - mean: { name: means, value: x, bounds: [0, 10], moments: 2, running: 64, over: 7, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final String GAUSSIAN = FILE.replace("running:", "method: gaussian, running:");

  private static JsonNode json(Plan plan) throws Exception {
    return new ObjectMapper().readTree(PlanReport.json(plan)).get("releases").get(0);
  }

  private static String mechanism(Plan plan) {
    return plan.releases().get(0).charge().mechanism();
  }

  @Test
  void shouldSayHowFarMeansAreOff() throws Exception {
    Plan plan = plan(GAUSSIAN);
    assertThat(PlanReport.text(plan))
        .contains(
            "its own and those of the 43 before it, weighted by the square root of "
                + "running sums")
        .contains("95% intervals of 1,000 records a window, reset every 64 windows")
        .contains(", mean of as many independent windows, added up, +-")
        .contains("of 1 window, ", "of 64 windows, ", "the last ones (of 7 windows, ")
        .contains(" in the middle of the range, mean +-", " at its ends, sum +-", ", variance +-");
    JsonNode json = json(plan);
    assertThat(json.get("running").asInt()).isEqualTo(64);
    assertThat(json.get("over").asInt()).isEqualTo(7);
    JsonNode errors = json.get("values").get(0).get("errors");
    assertThat(errors).hasSize(2);
    double first = errors.get(0).get("count_error_95").asDouble();
    // Of three parts with the noise of the first row.
    assertThat(first)
        .isCloseTo(1.95996 * Math.sqrt(3) * json.get("deviation").asDouble(), within(0.001));
    double all = errors.get(1).get("count_error_95").asDouble();
    assertThat(all / first).as("noise grows as ln 64 does, not as its root").isLessThan(2.5);
    assertThat(errors.get(1).get("mean_error_95").asDouble())
        .isCloseTo(errors.get(0).get("mean_error_95").asDouble() * all / first / 64, within(1e-4));
  }

  /** Laplace noise on each window is less where few are summed up, and taken: plans say both. */
  @Test
  void shouldTakeTheNoiseThatErrsLess() throws Exception {
    // Of 3 records of a user and the weights -1/2, 0 and 1/2 of three parts. Gaussian noise of one
    // record at (1, 1e-6) is 4.2248, Laplace noise of one has the root of 2.
    double unit = 3 * Math.sqrt(0.5) * 10;
    for (int windows : new int[] {4, 256}) {
      String file =
          FILE.replace("running: 64", "running: " + windows).replace("over: 7", "over: 2");
      JsonNode best = json(plan(file));
      double laplace = unit * Math.sqrt(2 * (windows + 1) / 2.0);
      assertThat(best.get("rms_error_by_method").get("laplace").asDouble())
          .as("the root mean square of sums of 1 to %s windows", windows)
          .isCloseTo(laplace, within(1e-3));
      assertThat(best.get("method").asText()).isEqualTo(windows == 4 ? "laplace" : "gaussian");
      JsonNode all = best.get("values").get(0).get("errors").get(1);
      JsonNode both = all.get("mean_error_95_by_method");
      assertThat(both.get(best.get("method").asText())).isEqualTo(all.get("mean_error_95"));
      // The 97.5% quantile of 2 n Laplace noises, in deviations: by the closed form of its tail.
      double normal = windows == 4 ? 1.98679 : 1.96036;
      assertThat(both.get("laplace").asDouble())
          .isCloseTo(unit * normal * Math.sqrt(2.0 / windows) / 1000, within(2e-5));
      String gaussian = file.replace("running:", "method: gaussian, running:");
      assertThat(
              json(plan(gaussian))
                  .findParent("independent_mean_error_95")
                  .get("independent_mean_error_95")
                  .asDouble())
          .as("of the first window")
          .isCloseTo(unit * 4.2248 * 1.95996 / 1000, within(1e-3));
      String worse =
          windows == 4 ? gaussian : file.replace("running:", "method: laplace, running:");
      assertThat(PlanReport.text(plan(worse)))
          .contains(
              "'method: best' would take " + (windows == 4 ? "Laplace" : "Gaussian") + " noise");
      assertThat(PlanReport.text(plan(file)))
          .contains("best of    root mean square error of sums (gaussian ")
          .doesNotContain("would take");
    }
    assertThat(PlanReport.text(plan(FILE.replace("running: 64, over: 7", "running: 4"))))
        .contains("3 parts of a record: the window's own parts\n", "mean by noise (gaussian +-");
    assertThat(PlanReport.text(plan(FILE.replace("running: 64", "running: 512"))))
        .contains("the sum of 7 independent windows has a smaller error, the mean of x +-");
  }

  /** No mean is published outside its range: an error that is wider says that nothing is known. */
  @Test
  void shouldWarnOfEveryStretchInWhichMeansAreHardlyKnown() throws Exception {
    String few = FILE.replace("over: 7,", "over: 7, plan-size: 5,");
    JsonNode json = json(plan(few));
    JsonNode value = json.get("values").get(0);
    double first = value.get("errors").get(0).get("mean_error_95").asDouble();
    double last = value.get("last_errors").get("mean_error_95").asDouble();
    assertThat(first).as("of a range of 10").isGreaterThan(10);
    assertThat(last).isBetween(1.0, 10.0);
    double all = value.get("errors").get(1).get("mean_error_95").asDouble();
    assertThat(all).isBetween(1.0, 10.0);
    assertThat(json.get("warnings").get(0).asText())
        .startsWith(
            "the mean of x is known within 100%% of its range after 1 window, %.0f%% of its range after 64 windows, %.0f%% of its range in the last 7 windows only: raise the share"
                .formatted(10 * all, 10 * last));
    assertThat(json(plan(FILE.replace("over: 7,", "over: 7, plan-size: 100000,"))).has("warnings"))
        .isFalse();
  }

  /** Up to so many windows Laplace noise errs less. */
  @ParameterizedTest
  @CsvSource({
    "1, running, 96",
    "1, over, 79",
    "4, running, 63",
    "4, over, 51",
  })
  void shouldTakeLaplaceNoiseForFewWindows(int ofUser, String which, int most) throws Exception {
    String file =
        FILE.replace("per-window: 3", "per-window: 1")
            .replace("period: window", "period: lifetime")
            .replace("running: 64, over: 7", which + ": MOST, windows: " + ofUser);
    assertThat(mechanism(plan(file.replace("MOST", "" + most)))).startsWith("discrete-laplace ");
    assertThat(mechanism(plan(file.replace("MOST", "" + (most + 1)))))
        .startsWith("discrete-gaussian ");
  }

  /** A share without a delta has Laplace noise, and pure losses. */
  @Test
  void shouldNeedNoDelta() throws Exception {
    for (String over : new String[] {"running: 512, over: 7", "running: forever", "over: 7"}) {
      String pure =
          FILE.replace("running: 64, over: 7", over)
              .replace("epsilon: 1, delta: 1e-6", "epsilon: 1");
      for (String file : new String[] {pure, pure.replace("moments: 2", "method: laplace")}) {
        Plan plan = plan(file);
        assertThat(json(plan).get("method").asText()).isEqualTo("laplace");
        assertThat(json(plan).get("rms_error_by_method")).isNull();
        PlannedRelease means = plan.releases().get(0);
        assertThat(means.charge().pure()).hasValue(1);
        assertThat(means.share().delta().value()).isZero();
      }
    }
  }

  /**
   * One window of a user has the scale C F / epsilon, one record of one group, whose first parts
   * follow, F / epsilon; with categories 2 F / epsilon.
   */
  @Test
  void shouldHaveAsMuchNoiseAsOneWindowByItself() throws Exception {
    double root = Math.sqrt(2);
    assertThat(json(plan(FILE)).get("deviation").asDouble()).isCloseTo(3 * root, within(1e-5));
    String records =
        """
        pipeline: p
        input: { topic: t, subject: shop, time: at, category: what, categories: [a, b], values: [x, y] }
        window: { size: 1d }
        budget: { name: p, unit: record, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - mean: { name: means, values: [x, y], bounds: { x: [0, 1], y: [0, 1] }, by: total, running: 4, share: { epsilon: 1, delta: 1e-6 } }
        """;
    assertThat(json(plan(records)).get("deviation").asDouble()).isCloseTo(2 * root, within(1e-5));
    assertThat(PlanReport.text(plan(records))).contains("one row a window of 1 parts of a record");
    assertThat(json(plan(records.replace("by: total", "by: category"))).get("deviation").asDouble())
        .isCloseTo(4 * root, within(1e-5));
  }

  /** Where users may count in all windows, sums of windows err least, and are taken. */
  @Test
  void shouldTakeWhateverErrsLeast() throws Exception {
    String many =
        FILE.replace("period: window", "period: lifetime").replace("over: 7", "windows: 64");
    assertThat(PlanReport.text(plan(many)))
        .contains("the window's own parts, because sums of these have the least error")
        .contains("the share lasts 64 windows, per user; later records of that user do not count");
    assertThat(PlanReport.text(plan(FILE.replace("running: 64", "running: forever"))))
        .contains(
            "weighted by a decaying square root", "running forever", "of 10,000 windows, with");
    assertThat(PlanReport.text(plan(GAUSSIAN.replace("running: 64, ", ""))))
        .contains("of 1 window, with 1,000 records", "the last ones (of 7 windows, ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bounds: [0, 10] | bounds: auto | parts of windows add up only within bounds that stay",
        "running: 64, over: 7, share: { epsilon: 1, delta: 1e-6 } | running: 64, method: gaussian,"
            + " share: { epsilon: 1 } | 'releases[0].mean.running': is told with Gaussian noise,"
            + " and the share has no delta, allowed is only with a 'share.delta' above 0, such as"
            + " 1e-6, or with 'method: laplace'",
        "running: 64, over: 7, share: { epsilon: 1, delta: 1e-6 } | over: 7, method: gaussian,"
            + " share: { epsilon: 1 } | 'releases[0].mean.over': is told with Gaussian noise",
        "running: 64 | running: 1 | a whole number from 2 to 1048576",
        "over: 7 | over: 2000 | a whole number from 2 to 1024",
        "epsilon: 1, delta: 1e-6 | epsilon: 1e-7, delta: 1e-12 | cannot afford 1 releases",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThat(FILE).contains(part);
    assertThatThrownBy(() -> plan(FILE.replace(part, other)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  /** Other windows are another output; old files say what they always did. */
  @Test
  void shouldDigestWhichWindows() throws Exception {
    assertThat(plan(FILE).digestText()).isEqualTo(plan(FILE).digestText());
    for (String other :
        new String[] {
          FILE.replace("running: 64", "running: 65"),
          FILE.replace("running: 64", "running: forever"),
          FILE.replace("over: 7", "over: 8"),
          FILE.replace("running: 64, ", ""),
          FILE.replace(", over: 7", ""),
          FILE.replace("running: 64, over: 7, ", "")
        }) {
      assertThat(plan(other).digestText()).isNotEqualTo(plan(FILE).digestText());
    }
  }

  /** A simulator of one window tells nothing of sums over several. */
  @Test
  void shouldNotBeAsked() throws Exception {
    PlannedRelease planned = plan(FILE).releases().get(0);
    assertThat(planned.hasLikelihood()).isFalse();
    assertThat(planned.inference(plan(FILE).pipeline())).isEmpty();
    assertThat(plan(FILE.replace("running: 64, over: 7, ", "")).releases().get(0).hasLikelihood())
        .isTrue();
  }

  /** Clipping is weighed against the noise of all windows together. */
  @Test
  void shouldCompareBoundsOfAnExample() throws Exception {
    Facts example =
        plan(FILE).releases().get(0).onExample(new double[][] {{1}, {2}, {30}}).orElseThrow();
    assertThat(FactText.of(example))
        .contains("[0, 10] (the file's); 33.3% of the numbers lie outside", "of 64,000 records");
  }
}
