// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.accounting.Period;
import io.sfumato.mechanism.count.DistinctUsers;
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
import io.sfumato.release.count.CountSpec.Counted;
import io.sfumato.release.count.CountSpec.Grouping;
import io.sfumato.release.count.CountSpec.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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

  private static final FieldSpec<Counted> OF =
      FieldSpec.word(
              "of",
              new Word<>(EnumWords.of(Counted.values()))
                  .means("records", "records, at most C of a user and window.")
                  .means(
                      "users",
                      "distinct users (active users): a user counts once, whatever the number of its"
                          + " records. With `by: category` once in each of at most G categories."))
          .byDefault(Counted.RECORDS, "records")
          .means(
              "Whether records or distinct users are counted"
                  + " ([guide](../guides/active-users.md)).")
          .example("users");

  private static final FieldSpec<Grouping> BY =
      FieldSpec.word(
              "by",
              new Word<>(EnumWords.of(Grouping.values()))
                  .means("category", "a count for each category.")
                  .means("total", "one count of all records.")
                  .means(
                      "left-out", "how many records `contributions` left out, at most D of a user.")
                  .means(
                      "beyond",
                      "how many users have more than C + D records (D is 0 without a count `by:"
                          + " left-out`): once in each of at most S subjects."))
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
          OF,
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
          "found a count without 'input.user'",
          "only with 'input.user' and 'contributions': elsewhere the number of records is public");
    }
    if (input.category().isEmpty()) {
      fields.conflict(
          "by",
          "found a count without 'input.category'",
          "only where 'input.category' is named, also with 'by: total'");
    }
    Grouping grouping = fields.get(BY);
    if (grouping == Grouping.CATEGORY && input.category().isPresent()) {
      release.requireCategories("by", "found a count by category", ", or 'by: total'");
    }
    OverWindows over = OverWindows.read(fields);
    Reach reach = fields.optional(POST_PROCESSING).orElse(Reach.WINDOW);
    if (reach == Reach.HISTORY && over.needsPast()) {
      fields.conflict(
          "post-processing",
          "found 'history' with " + (over.running().isPresent() ? "'running'" : "'over'"),
          "for the windows' own counts only: sums over windows hold all earlier windows anyway");
    }
    Population bounds = population.orElse(NOBODY);
    Optional<UserCounts> users =
        fields.get(OF) == Counted.USERS || grouping == Grouping.BEYOND
            ? Optional.of(users(release, grouping, over, bounds))
            : Optional.empty();
    return new CountSpec(release.head(), fields.get(METHOD), grouping, over, reach, bounds, users);
  }

  /** Users beyond the bounds are counted by windows: in each the bounds are others' again. */
  private static void beyond(Fields fields, OverWindows over) {
    if (fields.get(OF) == Counted.USERS) {
      fields.conflict(
          "of", "found 'users' with 'by: beyond'", "'by: beyond' alone, which counts users anyway");
    }
    if (over.needsPast()) {
      fields.conflict(
          "by",
          "found 'beyond' with " + (over.running().isPresent() ? "'running'" : "'over'"),
          "'by: beyond' alone: a user is beyond the bounds of a window");
    }
  }

  private static UserCounts users(
      ReleaseFields release, Grouping grouping, OverWindows over, Population bounds) {
    Fields fields = release.fields();
    boolean spans = release.period() instanceof Period.Span;
    if (grouping == Grouping.LEFT_OUT) {
      fields.conflict(
          "of", "found 'users' with 'by: left-out'", "'by: total' or 'by: category' of users");
    }
    if (grouping == Grouping.BEYOND) {
      beyond(fields, over);
    }
    if (over.running().isPresent() && grouping != Grouping.BEYOND) {
      fields.conflict(
          "of",
          "found 'users' with 'running'",
          "'over', for the distinct users of the last windows: a running sum counts a user again in"
              + " every window");
    }
    if (over.last().isPresent()
        && release.period() instanceof Period.Span span
        && span.pace().isPresent()) {
      fields.conflict(
          "over",
          "found with 'of: users' and 'period.pace'",
          "a period without a pace: users of windows that are not released do not count");
    }
    int categories =
        grouping == Grouping.CATEGORY ? Math.max(1, release.input().allCategories().size()) : 1;
    int most = grouping == Grouping.CATEGORY ? bounds.mostCells(categories) : bounds.subjects();
    // Of one subject that the file names all cells are known; of others nobody says here how many.
    OptionalLong all =
        release.input().constantSubject().isPresent()
            ? OptionalLong.of(categories)
            : OptionalLong.empty();
    long windows = release.head().horizon();
    return new UserCounts(
        new DistinctUsers(most, all),
        categories,
        windows,
        over.last(),
        spans ? OptionalLong.of(windows) : OptionalLong.empty());
  }
}
