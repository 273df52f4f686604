// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.audit.RandomFiles;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.release.Plans;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What plan and sheet say of files of every kind. Seeds are fixed. */
@Tag("deep")
class RandomFilesTest {
  private static final int FILES = Integer.getInteger("sfumato.files", 30);

  private static final Pattern YEAR =
      Pattern.compile(
          "365 days touch loses at most epsilon (\\S+), delta (\\S+), by basic composition");

  /** The running counts of some share noise, others have windows of their own. */
  private static String file(Random random) {
    String file = RandomFiles.of(random);
    return random.nextBoolean()
        ? file.replaceAll(
            "share: \\{ epsilon: (\\d), delta: 1e-6 }", "share: { epsilon: 0.0$1, delta: 1e-8 }")
        : file;
  }

  @Test
  void shouldSayTheSameOfAYearInPlanAndSheet() {
    Random random = new Random(5);
    int compared = 0;
    int planned = 0;
    for (int i = 0; i < FILES; i++) {
      Optional<Plan> plan = planned(file(random));
      if (plan.isEmpty()) {
        continue;
      }
      planned++;
      String text = PlanReport.text(plan.get());
      assertThat(PlanReport.json(plan.get()).toString()).isNotEmpty();
      Sheet sheet = Sheet.of(plan.get(), "random.yaml", "", "", Sheet.Beside.NOTHING);
      for (Form form : Form.values()) {
        assertThat(form.write(sheet, "docs/")).isNotEmpty();
      }
      Matcher said = YEAR.matcher(text);
      if (said.find()) {
        compared++;
        Total.Stretch year =
            sheet.total().longer().stream()
                .filter(stretch -> stretch.said().equals("365 days"))
                .findFirst()
                .orElseThrow();
        assertThat(new BigDecimal(said.group(1).replace(",", "")))
            .isEqualByComparingTo(year.run().epsilon());
        assertThat(new BigDecimal(said.group(2).replace(",", "")))
            .isEqualByComparingTo(year.run().delta());
      }
    }
    assertThat(planned).isGreaterThan(FILES / 2);
    assertThat(compared).isGreaterThan(FILES / 30);
  }

  /** Shares may be too small for what a file asks of them: then it is refused, in words. */
  private static Optional<Plan> planned(String file) {
    try {
      return Optional.of(Plans.fresh(file));
    } catch (PipelineFileException e) {
      assertThat(e.getMessage()).isNotBlank();
      return Optional.empty();
    }
  }
}
