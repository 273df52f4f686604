// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Word;
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

  private static final FieldSpec<Method> METHOD =
      FieldSpec.word(
              "method",
              new Word<>(EnumWords.of(Method.values())).means("best", "the narrower error bars."))
          .byDefault(Method.GAUSSIAN, "gaussian")
          .means("Distribution of the noise, which is a whole number.")
          .example("best");

  private static final FieldSpec<Grouping> BY =
      FieldSpec.word(
              "by",
              new Word<>(EnumWords.of(Grouping.values()))
                  .means("category", "a count for each category.")
                  .means("total", "one count of all records.")
                  .means(
                      "left-out",
                      "how many records `contributions` left out, at most D of a user."))
          .byDefault(Grouping.CATEGORY, "category")
          .means("What is counted.")
          .example("total");

  private static final FieldSpec<Reach> POST_PROCESSING =
      FieldSpec.word("post-processing", new Word<>(Map.of(HISTORY, Reach.HISTORY)))
          .optional()
          .means(
              "`history` combines each count with earlier releases, as `HistoryCountRelease`"
                  + " ([guide](../guides/categories.md#learn-from-earlier-releases)).")
          .where("without `running` and `over`")
          .example("history");

  static final Section SECTION =
      Section.of(
          "Numbers of records with whole-number noise (`CountRelease`,"
              + " [guide](../guides/active-users.md)).",
          METHOD,
          BY,
          POST_PROCESSING,
          OverWindows.RUNNING,
          OverWindows.OVER);

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
      fields.conflict(
          "by", "is a count", "only where 'input.category' is named, also with 'by: total'");
    }
    Grouping grouping = fields.get(BY);
    if (grouping == Grouping.CATEGORY && input.category().isPresent()) {
      release.requireCategories("by", "is a count by category", ", or 'by: total'");
    }
    OverWindows over = OverWindows.read(fields);
    Reach reach = fields.optional(POST_PROCESSING).orElse(Reach.WINDOW);
    if (reach == Reach.HISTORY && over.needsPast()) {
      fields.conflict(
          "post-processing",
          "found 'history' with " + (over.running().isPresent() ? "'running'" : "'over'"),
          "for the windows' own counts only: sums over windows hold all earlier windows anyway");
    }
    return new CountSpec(
        release.head(), fields.get(METHOD), grouping, over, reach, population.orElse(NOBODY));
  }
}
