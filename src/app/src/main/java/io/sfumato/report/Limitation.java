// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Something that the promise does not cover.
 *
 * @param what in short
 * @param why in a sentence or two
 */
public record Limitation(String what, String why) {
  /**
   * Of a pipeline.
   *
   * @param accepted budgets that had released about the same topic when this one began, with an
   *     operator's consent; empty where nobody looked
   */
  static List<Limitation> of(Pipeline pipeline, List<String> accepted) {
    List<Limitation> gaps = new ArrayList<>();
    gaps.add(ofUnit(pipeline));
    addOfBudget(gaps, pipeline, accepted);
    addOfPeople(gaps, pipeline);
    addOfMachines(gaps, pipeline);
    pipeline.population().ifPresent(users -> gaps.add(beyondBounds(pipeline, users)));
    return gaps;
  }

  private static void addOfBudget(List<Limitation> gaps, Pipeline pipeline, List<String> accepted) {
    if (!accepted.isEmpty()) {
      gaps.add(
          new Limitation(
              "Other budgets about the same topic",
              "When this budget started, these budgets had already released data of %s: %s. That history was released again, and an operator accepted the added loss (--accept-added-loss): add the totals of their reports to the totals of this one."
                  .formatted(pipeline.input().topics().quoted(), String.join(", ", accepted))));
    }
    if (pipeline.input().topics().pattern().isPresent()
        && pipeline.budget().unit() != PrivacyUnit.RECORD) {
      gaps.add(
          new Limitation(
              "Which topics there are",
              "The pattern '%s' selects topics by name, and their list is public. The promise holds only if somebody creates these topics in public, and no record makes one appear."
                  .formatted(pipeline.input().topics().pattern().get())));
    }
    if (pipeline.input().discovers()) {
      gaps.add(
          new Limitation(
              "Which names were selected",
              "Names that enough users have are published, and readers may keep them. A name "
                  + "that only one user has is almost never published: delta bounds the "
                  + "probability. A name that several users have is published unchanged, even if "
                  + "it identifies a person."));
    }
    if (!(pipeline.budget().period() instanceof Period.Lifetime)) {
      gaps.add(
          new Limitation(
              "Longer than a period",
              pipeline
                  .budget()
                  .anySpan()
                  .map(
                      span ->
                          "Spent budget returns after %s, so losses over longer times add up. See 'over longer times' for the totals; 'period: lifetime' would bound them."
                              .formatted(span.spoken()))
                  .orElse(
                      "The next period has a budget of its own. See 'over longer times' for what that comes to; 'period: lifetime' or 'period: {any: %s}' would bound more."
                          .formatted(pipeline.window().spanWord()))));
    }
  }

  private static void addOfPeople(List<Limitation> gaps, Pipeline pipeline) {
    if (pipeline.budget().account().isEmpty()) {
      gaps.add(
          new Limitation(
              "Other outputs about the same people",
              "Other pipelines, reports, exports or a breach add to these losses, and any exact "
                  + "figure about the same people can undo what noise hides. 'budget.account' "
                  + "bounds several pipelines together. If another budget has already released "
                  + "data of the same topic, a new budget needs a common account, or an operator "
                  + "who accepts the added loss; with --bootstrap-servers this report names those "
                  + "budgets. A copy of the topic under another name is not recognised."));
    } else {
      gaps.add(
          new Limitation(
              "Outputs of other systems",
              "The account bounds only its own pipelines. Reports and exports of other systems, "
                  + "and any exact figure about the same people, add to that loss."));
    }
    gaps.add(
        new Limitation(
            "Facts about groups",
            "Outputs describe groups: that is their purpose. A reader who knows that a person "
                + "belongs to a group can draw conclusions about that person, whether or not the "
                + "person's records were in the data."));
    gaps.add(
        new Limitation(
            "People who move together",
            "One "
                + noun(pipeline.budget().unit())
                + " is protected. Families, classes or shared devices are several, so their "
                + "losses add up; a person with several names or devices counts as several "
                + "people."));
  }

  private static void addOfMachines(List<Limitation> gaps, Pipeline pipeline) {
    gaps.add(
        new Limitation(
            "Timing",
            "The time of an output is public, and observers of the machine or of the topic can "
                + "see how long a draw or a fit takes. "
                + hiddenNames(pipeline)
                + exists(pipeline)));
    gaps.add(
        new Limitation(
            "Side channels of machines",
            "Memory, disks, processor caches, logs of other programs: anyone with access to the "
                + "machine has the data. The status page and the logs contain exact numbers of "
                + "records, and are for operators only."));
    gaps.add(
        new Limitation(
            "A leaked noise secret",
            "The guarantee is computational: anyone who obtains the secret can remove the noise "
                + "from everything drawn with it, including past releases."));
    gaps.add(
        new Limitation(
            "What producers write",
            "The program cannot check whether a record is true, or comes from the person that "
                + "it names. A person with several identifiers is protected as several people."));
  }

  private static Limitation beyondBounds(Pipeline pipeline, Population users) {
    return new Limitation(
        "Records beyond the bounds",
        "Per user and window, at most %s, for at most %s%s.%s Records beyond these bounds are dropped: outputs are then too small, and no stated error includes this bias."
            .formatted(
                Protection.counting(pipeline, users),
                Plurals.of(users.subjects(), "subject"),
                Protection.furtherBounds(pipeline, users),
                Protection.ownBounds(pipeline)));
  }

  /** Names that nobody may know are tested like others: that takes time. */
  private static String hiddenNames(Pipeline pipeline) {
    boolean finds =
        pipeline.subjects() == Pipeline.Subjects.DISCOVERED || pipeline.input().discovers();
    return pipeline
        .population()
        .filter(users -> finds)
        .map(
            users ->
                String.format(
                    Locale.ROOT,
                    "Unpublished names take time too, some 15 microseconds each: the names of "
                        + "one user, at most %,d per window, can delay a list by %.2f ms. ",
                    users.records(),
                    0.015 * users.records()))
        .orElse("");
  }

  /** What decides which outputs there are. */
  static String exists(Pipeline pipeline) {
    return goesByOutputs(pipeline)
        ? "Which outputs exist, and for which names, depends only on earlier published (noisy) "
            + "outputs and on public facts."
        : "Which outputs exist does not depend on protected data.";
  }

  private static boolean goesByOutputs(Pipeline pipeline) {
    return pipeline.subjects() == Pipeline.Subjects.DISCOVERED
        || pipeline.input().discovers()
        || pipeline.releases().stream()
            .anyMatch(spec -> !spec.boundsWanted().isEmpty() || spec.stopsAdaptively());
  }

  private static Limitation ofUnit(Pipeline pipeline) {
    return switch (pipeline.budget().unit()) {
      case RECORD ->
          new Limitation(
              "Who is in the data",
              "The unit is a record, not a person. That a person has records, how many and when, is public. A person with several records in a window, or with records of several subjects, loses more: with k records %s for each of s subjects, up to k s times epsilon, at up to k s e^((k s - 1) epsilon) times delta. 'input.user' with 'unit: user' would protect people."
                  .formatted(
                      pipeline.budget().period() instanceof Period.Window
                          ? "in one window"
                          : "in each window of a period"));
      case DATASET ->
          new Limitation(
              "Who is enrolled",
              "The roster of subjects is public: each gets an output, even without records. A "
                  + "person with data under several subjects counts as several.");
      case USER ->
          pipeline.subjects() == Pipeline.Subjects.DISCOVERED
              ? new Limitation(
                  "Which subjects were selected",
                  "Subjects that enough users have are published by name, and stay public. A "
                      + "subject that only one user has is almost never published: delta bounds "
                      + "the probability.")
              : new Limitation(
                  "Which subjects there are",
                  "The list of subjects is public: each gets an output, even without records. "
                      + "If a subject is itself a person, or so small that it identifies one, "
                      + "publishing its name reveals that it exists.");
    };
  }

  private static String noun(PrivacyUnit unit) {
    return switch (unit) {
      case RECORD -> "record";
      case DATASET -> "subject's set of records";
      case USER -> "user";
    };
  }
}
