// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

  private static Plan plan(String yaml) throws PipelineFileException {
    return Plan.of("p", PipelineFile.parse("p", yaml));
  }

  private static JsonNode json(Plan plan) throws Exception {
    return new ObjectMapper().readTree(PlanReport.json(plan)).get("releases").get(0);
  }

  @Test
  void shouldSayHowFarMeansAreOff() throws Exception {
    Plan plan = plan(FILE);
    assertThat(PlanReport.text(plan))
        .contains("its own and those of the 43 before it, weighed by the root of running sums")
        .contains("of 1,000 records a window, 95%, running over 64 windows, then anew")
        .contains("(64 independent windows, added up: mean +-", "(a window by itself: mean +-")
        .contains("after 1    mean x +-", "after 64   mean x +-", "last 7     mean x +-")
        .contains(" in the middle of its range, +-", " at the ends, sum +-", ", variance +-");
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

  /** Laplace noise on each window may be less where few are summed up: then the plan says so. */
  @Test
  void shouldCompareWithWindowsByThemselves() throws Exception {
    // sigma of one record at (1, 1e-6) is 4.2248, Laplace noise of one has sqrt(2): 3 records of a
    // user, and the weights -1/2, 0 and 1/2 of three parts.
    double unit = 3 * Math.sqrt(0.5) * 1.95996 * 10 / 1000;
    for (int windows : new int[] {4, 256}) {
      String file =
          FILE.replace("running: 64", "running: " + windows).replace("over: 7", "over: 2");
      JsonNode errors = json(plan(file)).get("values").get(0).get("errors").get(1);
      assertThat(errors.get("independent_mean_error_95").asDouble())
          .isCloseTo(unit * Math.sqrt(2.0 / windows), within(1e-4));
      String gaussian = file.replace("running:", "method: gaussian, running:");
      assertThat(
              json(plan(gaussian))
                  .findParent("independent_mean_error_95")
                  .get("independent_mean_error_95")
                  .asDouble())
          .as("of the first window")
          .isCloseTo(unit * 4.2248, within(1e-3));
      boolean better =
          errors.get("independent_mean_error_95").asDouble()
              < errors.get("mean_error_95").asDouble();
      assertThat(better).isEqualTo(windows == 4);
      assertThat(PlanReport.text(plan(file)).contains("drawn each by itself err less"))
          .isEqualTo(better);
    }
  }

  /** Where users may count in all windows, sums of windows err least, and are taken. */
  @Test
  void shouldTakeWhateverErrsLeast() throws Exception {
    String many =
        FILE.replace("period: window", "period: lifetime").replace("over: 7", "windows: 64");
    assertThat(PlanReport.text(plan(many)))
        .contains("the window's own parts, since sums of these err least")
        .contains("the share lasts 64 windows of a user");
    assertThat(PlanReport.text(plan(FILE.replace("running: 64", "running: forever"))))
        .contains("weighed by a root that fades", "running without an end", "after 10,000 mean x");
    assertThat(PlanReport.text(plan(FILE.replace("running: 64, ", ""))))
        .contains("each       mean x +-", "last 7     mean x +-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "moments: 2 | method: laplace | 'releases[0].mean.method': found 'laplace', allowed is 'gaussian' or 'best' with 'running'",
        "bounds: [0, 10] | bounds: auto | parts of windows add up only within bounds that stay",
        "epsilon: 1, delta: 1e-6 | epsilon: 1 | 'releases[0].mean.running': is told with Gaussian noise, and the share has no delta, allowed is only with a 'share.delta' above 0",
        "running: 64, over: 7, share: { epsilon: 1, delta: 1e-6 } | over: 7, share: { epsilon: 1 } | 'releases[0].mean.over': is told with Gaussian noise",
        "running: 64 | running: 1 | a whole number from 2 to 1048576",
        "over: 7 | over: 2000 | a whole number from 2 to 1024",
        "epsilon: 1, delta: 1e-6 | epsilon: 1e-5, delta: 1e-12 | cannot afford 1 releases",
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
    assertThat(planned.canBeAsked()).isFalse();
    assertThat(planned.inference(plan(FILE).pipeline())).isEmpty();
    assertThat(plan(FILE.replace("running: 64, over: 7, ", "")).releases().get(0).canBeAsked())
        .isTrue();
  }

  /** Clipping is weighed against the noise of all windows together. */
  @Test
  void shouldCompareBoundsOfAnExample() throws Exception {
    StringBuilder text = new StringBuilder();
    plan(FILE)
        .releases()
        .get(0)
        .onExample(new double[][] {{1}, {2}, {30}})
        .orElseThrow()
        .text(text);
    assertThat(text).contains("33.3% of 3 public numbers lie outside [0, 10]", "of 64,000 records");
  }
}
