// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.PipelineFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A path that was meant otherwise is seen before anything runs. */
class PathReportTest {
  private static final String FILE =
      """
      pipeline: p
      input: { topic: t, subject: %s, time: at, category: "%s", categories: [a, b] }
      window: { size: 1h }
      budget: { name: p, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases: [ { histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, plan-size: 20 } } ]
      """;

  @ParameterizedTest
  @CsvSource({
    "user.id, field id within user",
    "/user/id, field id within user",
    "tags[0], first item of tags",
    "tags.007, field 007 within tags",
    "tags.2, item 3 of tags",
    "items[0].kind, field kind within first item of items",
    "/id, field id",
    "tags[], each item of tags",
    "order.lines[].product, field product within each item of field lines within order",
  })
  void shouldSayWhereAPathLeads(String name, String words) {
    assertThat(FieldPath.of(name).words()).contains(words);
  }

  @Test
  void shouldTellOnlyOfNamesThatAreNotPlain() throws Exception {
    Plan paths = plan("user.id", "tags[0]");
    assertThat(PlanReport.text(paths).lines())
        .contains("fields     subject: field id within user; category: first item of tags");
    assertThat(new ObjectMapper().readTree(PlanReport.json(paths)).get("fields").toString())
        .isEqualTo("{\"subject\":\"field id within user\",\"category\":\"first item of tags\"}");
    Plan other = plan("'tags[x]'", "weight [kg]");
    assertThat(PlanReport.text(other))
        .contains(
            "subject: a field named tags[x], as it stands; category: a field named weight [kg], as it stands");
    Plan plain = plan("$key", "kind");
    assertThat(PlanReport.text(plain)).doesNotContain("fields  ");
    assertThat(PlanReport.json(plain)).doesNotContain("\"fields\"");
  }

  private static Plan plan(String subject, String category) throws PipelineFileException {
    return Plans.plan(FILE.formatted(subject, category));
  }
}
