// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.release.count.CountSpec.Grouping;
import io.sfumato.release.count.CountSpec.Method;
import java.util.Map;
import java.util.Optional;

/** Reads {@code count:} of a pipeline file. */
final class CountReader {
  /** So that the file's other problems can still be told. */
  private static final Population NOBODY = new Population(InputSpec.RECORD_KEY, 1, 1);

  /** Counts that learn from earlier releases. */
  static final String HISTORY = "history";

  private CountReader() {}

  static CountSpec count(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    Optional<Population> population = release.population();
    if (population.isEmpty()) {
      fields.conflict(
          "name",
          "is a count",
          "only with 'input.user' and 'contributions': elsewhere the number of records is public");
    }
    if (input.category().isEmpty()) {
      fields.conflict("by", "is a count", "only where 'input.category' is named");
    }
    Grouping grouping =
        fields.choice("by", EnumWords.of(Grouping.values()), Optional.of(Grouping.CATEGORY));
    if (grouping == Grouping.CATEGORY && input.category().isPresent()) {
      release.requireCategories("by", "is a count by category", ", or 'by: total'");
    }
    OverWindows over = OverWindows.read(fields);
    Reach reach =
        fields.has("post-processing")
            ? fields.choice(
                "post-processing", Map.of(HISTORY, Reach.HISTORY), Optional.of(Reach.HISTORY))
            : Reach.WINDOW;
    if (reach == Reach.HISTORY && over.needsPast()) {
      fields.conflict(
          "post-processing",
          "found 'history' with " + (over.running().isPresent() ? "'running'" : "'over'"),
          "for the windows' own counts only: sums over windows hold all earlier windows anyway");
    }
    return new CountSpec(
        release.head(),
        fields.choice("method", EnumWords.of(Method.values()), Optional.of(Method.GAUSSIAN)),
        grouping,
        over,
        reach,
        population.orElse(NOBODY));
  }
}
