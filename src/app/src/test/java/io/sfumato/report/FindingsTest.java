// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an audit found, and what nobody may pass for it. */
class FindingsTest {
  private static final String FILE =
      """
        pipeline: one
        version: 1
        input: { topic: visits, subject: shop, time: at, category: kind, categories: [a, b] }
        window: { size: 1d }
        budget: { name: one, unit: record, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - histogram: { name: one, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static ObjectNode audit(String plan) {
    ObjectNode audit =
        new ObjectMapper()
            .createObjectNode()
            .put("plan", plan)
            .put("program", "sfumato 1")
            .put("replay_violations", 0)
            .put("slicing_violations", 0)
            .put("distance_violations", 0)
            .put("loss_violations", 0)
            .put("loss_ratio_max", 0.75)
            .put("replays", 40)
            .put("neighbours", 12)
            .put("draws_compared", 10)
            .put("seed", 7);
    audit
        .putObject("options")
        .put("draws", 1000)
        .put("failure", 1e-6)
        .put("neighbours", 12)
        .put("windows", 3)
        .put("random_logs", 0);
    audit.putArray("violations");
    audit
        .putArray("releases")
        .addObject()
        .put("release", "one")
        .put("epsilon_claimed", 1.0)
        .put("epsilon_at_least", 0.4)
        .put("draws", 1000)
        .put("kept", true);
    return audit;
  }

  private static Findings found(ObjectNode audit) {
    return Findings.of(audit, "p", "sfumato 1");
  }

  @Test
  void shouldTellWhatAnAuditFoundAndTheCommandThatRepeatsIt() throws Exception {
    Plan plan = Plans.plan(FILE);
    Findings kept = Findings.of(audit(plan.digestText()), plan.digestText(), "sfumato 1");
    assertThat(kept.kept()).isTrue();
    Sheet sheet =
        Sheet.of(
            plan,
            "one.yaml",
            "",
            "sfumato 1",
            new Sheet.Beside(Optional.of(kept), List.of(), List.of()));
    assertThat(Form.MARKDOWN.write(sheet, "docs/"))
        .contains(
            "**Every promise was kept.**", "the privacy loss was at most 0.7500 of the charge.");
    assertThat(sheet.repeats())
        .extracting(Reproduction::command)
        .contains(
            "sfumato audit one.yaml --seed 7 --draws 1000 --failure 1.0E-6 --neighbours 12"
                + " --windows 3 --random-logs 0 -o json > audit.json",
            "sfumato report one.yaml -o html --audit audit.json",
            "sfumato report one.yaml --audit audit.json")
        .as("what gives another sheet is none of its commands")
        .doesNotContain("sfumato report one.yaml", "sfumato report one.yaml -o html");
  }

  @Test
  void shouldRefuseWhatIsAboutAnotherPlanOrOfAnotherProgram() {
    assertThatThrownBy(() -> found(audit("another"))).hasMessageContaining("about another file");
    assertThatThrownBy(() -> found(audit("p").put("program", "sfumato 0")))
        .hasMessageContaining("another version of the program");
    assertThatThrownBy(() -> found(audit("p").put("former_plan", "o")))
        .hasMessageContaining("audit this file without --former");
    for (String name :
        List.of("plan", "program", "loss_violations", "loss_ratio_max", "neighbours", "options")) {
      ObjectNode lacking = audit("p");
      lacking.remove(name);
      assertThatThrownBy(() -> found(lacking))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "' is missing");
    }
    ObjectNode lacking = audit("p");
    ((ObjectNode) lacking.path("options")).remove("failure");
    assertThatThrownBy(() -> found(lacking))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'options.failure' is missing");
  }

  /** One line that says otherwise is enough: an edited audit must be edited throughout. */
  @Test
  void shouldNotCallKeptWhatSaysOtherwiseAnywhere() {
    assertThat(found(audit("p")).kept()).isTrue();
    assertThat(found(audit("p").put("loss_ratio_max", 1)).kept()).isTrue();
    assertThat(found(audit("p").put("loss_ratio_max", 5)).kept()).isFalse();
    assertThat(found(audit("p").put("replay_violations", 3)).kept()).isFalse();
    assertThat(found(audit("p").put("loss_violations", 1)).kept()).isFalse();
    assertThat(found(audit("p").put("draws_compared", 0)).kept()).as("nothing tested").isFalse();
    ObjectNode violated = audit("p");
    violated.withArray("violations").addObject().put("where", "a log").put("what", "differ");
    assertThat(found(violated).kept()).isFalse();
    ObjectNode attacked = audit("p");
    ((ObjectNode) attacked.path("releases").path(0)).put("epsilon_at_least", 1.5);
    assertThat(found(attacked).kept()).isFalse();
  }
}
