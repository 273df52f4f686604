// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Selections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outputs of a file that are about something of their own. */
class QuestionsFileTest {
  private static final String YAML =
      """
      pipeline: shop
      input: { topic: in, subject: region, user: who, time: at, category: what, categories: [a, b, c], values: [x] }
      contributions: { per-window: 20, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: shop, unit: user, epsilon: 3, delta: 3e-6, period: 30d }
      releases:
        - count: { name: views, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: buyers, contributions: { per-window: 1 }, share: { epsilon: 1, delta: 1e-6 } }
        - mean: { name: revenue, value: x, bounds: [0, 500], contributions: { per-window: 3, per-period: 9 }, share: { epsilon: 1, delta: 1e-6 } }
      """;

  /** The same as in a file that has these bounds for all: mechanism, charge and share. */
  private static void requireSame(String output, String together, String alone) throws Exception {
    PlannedRelease one = plan(together).release(output);
    PlannedRelease other = plan(alone).release(output);
    assertThat(one.charge()).isEqualTo(other.charge());
    assertThat(one.share().canonical()).isEqualTo(other.share().canonical());
  }

  private static String alone(String contributions, int release) {
    String bounded = YAML.replace("per-window: 20, subjects: 2", contributions);
    List<String> lines = bounded.lines().toList();
    String own = lines.get(7 + release).replaceAll(" contributions: \\{[^}]*},", "");
    String head = String.join("\n", lines.subList(0, 7));
    // Numbers are refused where nothing is about them.
    return (release < 2 ? head.replace(", values: [x]", "") : head) + "\n" + own + "\n";
  }

  @Test
  void shouldPlanEachOutputByItsOwnBounds() throws Exception {
    requireSame("views", YAML, alone("per-window: 20, subjects: 2", 0));
    requireSame("buyers", YAML, alone("per-window: 1", 1));
    requireSame("revenue", YAML, alone("per-window: 3, per-period: 9", 2));
  }

  @Test
  void shouldPutOutputsOfTheSameBoundsIntoOneQuestion() throws Exception {
    String more =
        YAML.replace("epsilon: 3", "epsilon: 4").replace("delta: 3e-6", "delta: 4e-6")
            + "  - count: { name: people, by: total, contributions: { per-window: 1, subjects: 1 }, share: { epsilon: 1, delta: 1e-6 } }\n";
    Pipeline pipeline = plan(more).pipeline();
    assertThat(pipeline.questions().stream().map(OutputQuestion::outputs))
        .containsExactly(List.of("buyers", "people"), List.of("revenue"));
    assertThat(pipeline.parts())
        .extracting(part -> part.population().orElseThrow().records())
        .containsExactly(20, 1, 3);
    assertThat(Selections.of(pipeline).widest().orElseThrow().records()).isEqualTo(20);
  }

  @Test
  void shouldSayInThePlanWhatCountsInAnOutput() throws Exception {
    Plan plan = plan(YAML);
    assertThat(FactText.of(PlanReport.facts(plan.pipeline(), plan.release("revenue"))))
        .contains(
            "its own: at most 3 records of a user and window, for at most 1 subject, and 9 in a period");
    assertThat(FactText.of(PlanReport.facts(plan.pipeline(), plan.release("views"))))
        .doesNotContain("its own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 1 }|per-window: 1, subjects: 2 }|at most per-window, 1",
        "per-window: 1 }|per-window: 1, cells: 2 }|found without a count 'of: users' by category",
        "per-window: 1 }|per-window: 600, subjects: 20 }|per-window times subjects is at most 10000",
        "per-window: 1 }|per-window: 1000, subjects: 9 }, of: users|times the largest 'subjects'",
        "per-window: 3, per-period: 9|per-window: 3, per-period: 2|lower it to 2",
        "per-window: 1 }|per-window: 1, left-out: 2 }|left-out",
        "{ per-window: 1 }|{ }|per-window",
        "contributions: { per-window: 1 }|where: { what: { in: [a] } }, category: item|categories",
        "contributions: { per-window: 1 }|categories: [x, y]|category",
        "contributions: { per-window: 1 }|category: 'tags[]', categories: [x, y]|one field",
        "contributions: { per-window: 1 }|where: { $nothing: x }|$nothing",
        "contributions: { per-window: 1 }|window: 36h|a multiple of 'window.size', which is 1d",
        "contributions: { per-window: 1 }|window: 7d|a fixed 'budget.period' of whole windows",
        "contributions: { per-window: 1 }|window: 2d|a 'window.begin' at which a window of this output begins, such as 2026-11-03",
        "[north, south]|{ discover: { share: { epsilon: 1, delta: 1e-6 } } }|with 'subjects: discover'",
      })
  void shouldRefuseWhatCannotBeMeant(String old, String other, String message) {
    String yaml = YAML.replace(old, other);
    if (other.contains("of: users")) {
      yaml = yaml.replace("per-window: 20, subjects: 2", "per-window: 20, subjects: 20");
    }
    String refused = yaml;
    assertThatThrownBy(() -> plan(refused)).hasMessageContaining(message);
  }

  /** Names are bounded over all outputs. */
  @Test
  void shouldRefuseALongerWindowWhereNamesAreFound() {
    String yaml =
        """
        pipeline: shop
        input: { topic: in, subject: region, user: who, time: at, category: what, categories: { discover: { share: { epsilon: 1, delta: 1e-6 } } } }
        contributions: { per-window: 2 }
        subjects: [north, south]
        window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-11-02 }
        budget: { name: shop, unit: user, epsilon: 3, delta: 3e-6, period: 60s }
        releases:
          - count: { name: c, by: total, window: 30s, share: { epsilon: 1, delta: 1e-6 } }
        """;
    assertThatThrownBy(() -> plan(yaml)).hasMessageContaining("only with listed categories");
  }

  /** What the file's filter decides no output decides otherwise. */
  @Test
  void shouldRefuseAConditionOfAFieldThatTheFileFiltersBy() {
    String yaml =
        YAML.replace("values: [x]", "values: [x], where: { type: order }")
            .replace("contributions: { per-window: 1 }", "where: { type: view }");
    assertThatThrownBy(() -> plan(yaml))
        .hasMessageContaining("of which 'input.where' says something too");
  }

  @Test
  void shouldReadCategoriesAndFiltersOfAnOutput() throws Exception {
    Pipeline pipeline =
        plan(YAML.replace(
                "contributions: { per-window: 1 }",
                "where: { type: order }, category: item, categories: [x, y], other: z"))
            .pipeline();
    assertThat(Selections.of(pipeline).all()).hasSize(2);
    assertThat(Selections.of(pipeline).asked()).containsExactly(0, 1);
    assertThat(pipeline.parts().get(1).input().allCategories()).containsExactly("x", "y", "z");
    assertThat(pipeline.parts().get(1).input().where().words()).isEqualTo("type is 'order'");
    assertThat(pipeline.parts().get(1).population()).isEqualTo(pipeline.population());
    assertThat(Selections.of(pipeline).widest(1).orElseThrow().records()).isEqualTo(20);
  }

  @Test
  void shouldCoverEachOutputsOwnWindowsOfAPeriod() throws Exception {
    String yaml =
        YAML.replace("contributions: { per-window: 1 }", "window: 3d")
            .replace("begin: 2026-11-02", "begin: 2026-10-31, origin: 2026-10-31");
    Plan plan = plan(yaml);
    assertThat(plan.release("views").spec().horizon()).isEqualTo(30);
    assertThat(plan.release("buyers").spec().horizon()).isEqualTo(10);
    assertThat(plan.pipeline().parts().get(1).window().sizeWord()).isEqualTo("3d");
  }

  /** Weeks begin on Mondays, and periods count from a Thursday. */
  @Test
  void shouldSayFromWhereWindowsMustCount() throws Exception {
    String weeks =
        YAML.replace("contributions: { per-window: 1 }", "window: 7d")
            .replace("period: 30d", "period: 35d");
    assertThatThrownBy(() -> plan(weeks))
        .hasMessageContaining("allowed is 'window.origin: 1970-01-01', from which");
    String counted = weeks.replace("begin: 2026-11-02", "begin: 2026-11-05, origin: 1970-01-01");
    assertThat(plan(counted).release("buyers").spec().horizon()).isEqualTo(5);
  }

  @Test
  void shouldRefuseALongerWindowWhereAPeriodIsOneWindow() {
    String yaml =
        YAML.replace("contributions: { per-window: 1 }", "window: 3d")
            .replace("per-window: 3, per-period: 9", "per-window: 3")
            .replace("period: 30d", "period: window");
    assertThatThrownBy(() -> plan(yaml)).hasMessageContaining("'budget.period: 3d'");
  }

  @Test
  void shouldRefuseBoundsThatAreFoundOfOtherRecords() {
    String found =
        YAML.replace(
                "bounds: [0, 500], contributions: { per-window: 3, per-period: 9 }",
                "bounds: auto, contributions: { per-window: 3 }")
            .replace("count: { name: views", "bounds: { name: views, value: x");
    assertThatThrownBy(() -> plan(found))
        .hasMessageContaining("it needs bounds that 'views' finds");
  }

  /** Days and hours: each share is compared with the windows that it is about. */
  @Test
  void shouldSayOfSpansWhatHoldsForWindowsOfEverySize() throws Exception {
    String file =
        """
        pipeline: shop
        input: { topic: in, subject: { constant: all }, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 1 }
        window: { size: 12h, grace: 2h, clock: ticks, begin: 2026-11-02 }
        budget: { name: shop, unit: user, epsilon: 2, delta: 2e-6, period: 4d }
        releases:
          - count: { name: halves, share: { epsilon: 1, delta: 1e-6 }, windows: 8 }
          - count: { name: days, window: 1d, share: { epsilon: 1, delta: 1e-6 }, windows: DAYS }
        """;
    assertThat(PlanReport.text(plan(file.replace("DAYS", "4"))))
        .contains(
            "the shares cover all windows of a period, hence of every 4d that starts with a window of every output")
        .contains("'period: {any: …}' needs outputs without a 'window' of their own");
    assertThat(PlanReport.text(plan(file.replace("DAYS", "3"))))
        .contains("can lose twice as much (days: 6 windows of 1d)")
        .doesNotContain("period: {any: 4d}");
  }

  /** A length that people use, if windows fit into it. */
  @ParameterizedTest
  @CsvSource({"12h, 30d", "2d, 30d", "10h, 30d", "14h, 35d", "7d, 35d"})
  void shouldSuggestAPeriodOfWholeWindows(String size, String period) {
    String file =
        """
        pipeline: shop
        input: { topic: in, subject: { constant: all }, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 1 }
        window: { size: 2h, grace: 2h, clock: ticks, begin: 2026-11-02 }
        budget: { name: shop, unit: user, epsilon: 2, delta: 2e-6, period: { any: 30d } }
        releases:
          - count: { name: n, window: SIZE, share: { epsilon: 1, delta: 1e-6 } }
        """;
    assertThatThrownBy(() -> plan(file.replace("SIZE", size)))
        .hasMessageContaining("whole windows of this output, such as '%s'".formatted(period));
  }
}
