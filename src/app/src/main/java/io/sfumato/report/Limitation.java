// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Durations;
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
              "When this budget began, these budgets had released about topic '%s': %s. Its history was released again, and an operator accepted that the losses add (--accept-added-loss): add the totals of their sheets to the totals of this one."
                  .formatted(pipeline.input().topic(), String.join(", ", accepted))));
    }
    if (pipeline.input().discovers()) {
      gaps.add(
          new Limitation(
              "Which names were found",
              "Names that enough users have are published, and whoever reads them keeps them. A name that one user alone has is hardly ever published: delta bounds how often. A name that several users have is published as it stands, even if it is about somebody."));
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
                          "What is spent comes back after %s, so that losses of longer stretches add up. See 'over longer times' for what that comes to; 'period: lifetime' would bound more."
                              .formatted(span.spoken()))
                  .orElse(
                      "The next period has a budget of its own. See 'over longer times' for what that comes to; 'period: lifetime' or 'period: {any: %s}' would bound more."
                          .formatted(Durations.spanWord(pipeline.window().size())))));
    }
  }

  private static void addOfPeople(List<Limitation> gaps, Pipeline pipeline) {
    if (pipeline.budget().account().isEmpty()) {
      gaps.add(
          new Limitation(
              "Other outputs about the same people",
              "Other pipelines, reports, exports or a breach add to these losses, and any exact figure about the same people can undo what noise hides. 'budget.account' bounds pipelines together. A budget that begins about a topic which another one has released about needs a common account, or an operator who accepts the added loss; with --bootstrap-servers this sheet names those budgets. A copy of the topic under another name is not recognized."));
    } else {
      gaps.add(
          new Limitation(
              "Outputs of other systems",
              "The account bounds the pipelines that take part in it. Reports and exports of other systems, and any exact figure about the same people, add to that."));
    }
    gaps.add(
        new Limitation(
            "Facts about groups",
            "What is true of many is published: that is its purpose. Whoever knows that somebody belongs to a group may conclude from it, whether that person's records were in the data or not."));
    gaps.add(
        new Limitation(
            "People who move together",
            "One "
                + noun(pipeline.budget().unit())
                + " is protected. What families, classes or shared devices do together is several, and losses add up; a person with several names or devices counts as several."));
  }

  private static void addOfMachines(List<Limitation> gaps, Pipeline pipeline) {
    gaps.add(
        new Limitation(
            "Timing",
            "When an output appears is public, and how long a draw or a fit takes is not hidden from whoever watches the machine, or reads the topic as it is written. "
                + hiddenNames(pipeline)
                + exists(pipeline)));
    gaps.add(
        new Limitation(
            "Side channels of machines",
            "Memory, disks, processor caches, logs of other programs: whoever has the machine has the data. The operators' port and the logs tell exact numbers of records, and are for operators alone."));
    gaps.add(
        new Limitation(
            "A leaked noise secret",
            "The promise is computational: whoever gets the secret can take the noise out of everything that was drawn with it, in the past too."));
    gaps.add(
        new Limitation(
            "What producers write",
            "Nothing checks whether a record is true, or written by the person that it names. A person with several identifiers is protected as several people."));
  }

  private static Limitation beyondBounds(Pipeline pipeline, Population users) {
    return new Limitation(
        "Records beyond the bounds",
        "Of a user and window at most %s, for at most %s%s; errors say nothing of what is left out. Where users have more, outputs are about fewer records than there are."
            .formatted(
                Protection.counting(pipeline, users),
                Plurals.of(users.subjects(), "subject"),
                Protection.furtherBounds(pipeline, users)));
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
                    "Names that do not pass take time as well, some 15 microseconds each: those of one user, at most %,d of a window, can delay a list by %.2f ms. ",
                    users.records(),
                    0.015 * users.records()))
        .orElse("");
  }

  /** What decides which outputs there are. */
  static String exists(Pipeline pipeline) {
    return goesByOutputs(pipeline)
        ? "Which outputs exist, and what they are about, goes by what was found and published before, noise and all, and by public facts."
        : "Which outputs exist does not depend on what is protected.";
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
              "The unit is a record, not a person: that somebody has records, how many and when is public, and a person with several records in a window, or with records of several subjects, loses more: with k records %s, all of s subjects taken together, up to k s times epsilon, at a delta of up to k s e^((k s - 1) epsilon) times as much. 'input.user' with 'unit: user' would protect people."
                  .formatted(
                      pipeline.budget().period() instanceof Period.Window
                          ? "in one window"
                          : "in each window of a period"));
      case DATASET ->
          new Limitation(
              "Who is enrolled",
              "Which subjects there are is public: each gets an output, records or none. A person who feeds several subjects is several.");
      case USER ->
          pipeline.subjects() == Pipeline.Subjects.DISCOVERED
              ? new Limitation(
                  "Which subjects were found",
                  "Subjects that enough users have are published by name, and stay public. A subject that one user alone has is hardly ever published: delta bounds how often.")
              : new Limitation(
                  "Which subjects there are",
                  "The list of subjects is public: each gets an output, records or none. If a subject is itself a person, or so small that it stands for one, its name tells that it exists.");
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
