// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.ValueType.Whole;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code contributions:} of a pipeline file. */
public final class ContributionsReader {
  private static final ObjectNode EXAMPLE_USER =
      FieldTypes.type("integer").put("minimum", 1).put("maximum", ExampleUsers.MOST_RECORDS);

  private static final FieldSpec<Integer> PER_WINDOW =
      FieldSpec.count("per-window", 1, Population.MOST)
          .means("C, the most records of one user that count in a window, over all subjects.")
          .example("4");

  private static final FieldSpec<Integer> SUBJECTS =
      FieldSpec.count("subjects", 1, Population.MOST)
          .byDefault(1)
          .means(
              "S, the most subjects that one user's records of a window count for: at most C, and C"
                  + " times S at most 10,000.")
          .example("2");

  private static final FieldSpec<Integer> LEFT_OUT =
      FieldSpec.count("left-out", 1, Population.MOST)
          .optional("none; required with a count `by: left-out`")
          .means(
              "D, the most left-out records of one user and window that such a count includes, over all"
                  + " subjects.")
          .where("with a count `by: left-out`")
          .example("10");

  private static final FieldSpec<Integer> CELLS =
      FieldSpec.count("cells", 1, Population.MOST)
          .optional("C, or S times the categories if these are fewer")
          .means(
              "G, the most categories, over all subjects, in which one user of a window counts as a"
                  + " distinct user. The noise of such counts grows with G and not with C.")
          .where("with a count `of: users` by category")
          .example("3");

  private static final FieldSpec<?> PLAN_RECORDS =
      FieldSpec.typed(
              "plan-records",
              FieldTypes.either(
                  ExampleUsers.ALLOWED, EXAMPLE_USER, FieldTypes.array(EXAMPLE_USER.deepCopy())))
          .optional()
          .means(
              "A public guess of how many records each of some example users has in a window. Outputs"
                  + " say how much of it C leaves out (`example_left_out`), so a change needs a new"
                  + " `version`.")
          .example("[1, 1, 2, 12]");

  private static final FieldSpec<Integer> PER_NAME =
      FieldSpec.count("per-name", 1, Population.MOST)
          .byDefault(1)
          .means(
              "k, the most records of one user and window that count for one name of a subject, up to"
                  + " C. With `per-period` of the whole period. With 1, users are counted.")
          .where("with `input.categories.discover`")
          .example("2");

  private static final FieldSpec<Integer> PER_PERIOD =
      FieldSpec.count("per-period", 1, Population.MOST_IN_PERIOD)
          .optional()
          .means(
              "P, the most records of one user that count in a whole period of the budget; the share is"
                  + " charged by the record. Not with `period: window` or `period: {any: …}`.")
          .where(
              "with `count`, `mean`, `quantile` or `table`, or with `input.categories.discover` and"
                  + " `running`")
          .example("30");

  /** The fields of {@code contributions:}. */
  public static final Section SECTION =
      Section.of(
          "How much of one user counts (contribution bounds).",
          PER_WINDOW,
          SUBJECTS,
          PLAN_RECORDS,
          LEFT_OUT,
          ArrayItems.MAX_ITEMS,
          ArrayItems.MAX_WEIGHT,
          PER_NAME,
          PER_PERIOD,
          CELLS);

  /** As a field of the file. */
  public static final FieldSpec<Section> FIELD =
      FieldSpec.section("contributions", SECTION)
          .optional("required with `input.user`")
          .means(SECTION.meaning())
          .units(PrivacyUnit.USER)
          .example("{per-window: 4, subjects: 2}");

  /** As a field of one output, in place of the file's. */
  public static final FieldSpec<Section> OWN =
      FieldSpec.section(
              "contributions",
              Section.of(
                  "How much of one user counts in this output, in place of the file's"
                      + " `contributions`.",
                  PER_WINDOW,
                  SUBJECTS,
                  PER_PERIOD.where("with `count`, `mean`, `quantile` or `table`"),
                  CELLS))
          .optional("the file's `contributions`")
          .means(
              "How much of one user counts in this output, in place of the file's `contributions`."
                  + " The output is then decided and charged by itself.")
          .units(PrivacyUnit.USER)
          .where("with listed categories and subjects")
          .example("{per-window: 1}");

  private ContributionsReader() {}

  /** What one user may add; nothing where the file protects records or datasets. */
  public static Optional<Population> population(
      Fields file, Optional<String> user, InputSpec input) {
    if (!file.has(FIELD)) {
      user.ifPresent(
          field ->
              file.problem(
                  "contributions",
                  "is missing, with 'input.user'",
                  "what of a user counts in a window: {per-window: 4, subjects: 2}"));
      return Optional.empty();
    }
    Fields fields = file.section(FIELD);
    int records = fields.get(PER_WINDOW);
    int subjects = subjects(fields, records);
    OptionalInt leftOut = fields.count(LEFT_OUT);
    Optional<ExampleUsers> example = fields.list(PLAN_RECORDS).exampleUsers();
    OptionalInt items = ArrayItems.most(fields, input, records + leftOut.orElse(0));
    OptionalInt oneName = oneName(fields, input, records);
    OptionalInt perPeriod = fields.count(PER_PERIOD);
    OptionalInt cells = fields.count(CELLS);
    fields.refuseUnknown();
    if (user.isEmpty()) {
      file.conflict("contributions", "found without 'input.user'", "only where users are named");
    }
    return user.map(
        field ->
            new Population(
                field, records, subjects, leftOut, example, items, oneName, perPeriod, cells));
  }

  private static int subjects(Fields fields, int records) {
    int subjects = fields.get(SUBJECTS);
    if (subjects > records) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "at most per-window, " + records + ": each record has one subject");
    }
    if (records * subjects > Population.MOST_HELD) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "per-window times subjects is at most " + Population.MOST_HELD);
    }
    return subjects;
  }

  /**
   * What one user may add to an output: what the output says, or else the file.
   *
   * @param release that the output's section is
   * @param users of the file
   */
  public static Optional<Population> own(
      Fields release, Optional<Population> users, InputSpec input) {
    if (!release.has(OWN)) {
      return users;
    }
    Fields fields = release.section(OWN);
    int records = fields.get(PER_WINDOW);
    int subjects = subjects(fields, records);
    OptionalInt perPeriod = fields.count(PER_PERIOD);
    OptionalInt cells = fields.count(CELLS);
    fields.refuseUnknown();
    if (users.isEmpty()) {
      release.conflict("contributions", "found without 'input.user'", "only where users are named");
      return users;
    }
    if (input.discovers()) {
      release.conflict(
          "contributions",
          "found with 'input.categories.discover'",
          "one 'contributions' for the whole file, since names are bounded over all outputs");
    }
    users.get().items().stream()
        .filter(most -> most < records)
        .forEach(
            most ->
                fields.conflict(
                    PER_WINDOW.name(),
                    "found " + records,
                    "at most %d, the most that one record counts as; raise 'contributions.%s'"
                        .formatted(most, input.weight().isPresent() ? "max-weight" : "max-items")));
    Population own = users.get().bounded(records, subjects, perPeriod, cells);
    return own.boundsAs(users.get()) ? users : Optional.of(own);
  }

  /** One record a name, unless the file says otherwise: then users are counted. */
  private static OptionalInt oneName(Fields fields, InputSpec input, int records) {
    if (!input.discovers()) {
      if (fields.optional(PER_NAME.optional()).isPresent()) {
        fields.conflict(
            PER_NAME.name(),
            "found without 'input.categories.discover'",
            "only where names of categories are found");
      }
      return OptionalInt.empty();
    }
    return OptionalInt.of(fields.get(PER_NAME.within(new Whole<>(1, records, Math::toIntExact))));
  }
}
