// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.Selections;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What NIST SP 800-226, "Guidelines for Evaluating Differential Privacy Guarantees" (2025), asks of
 * a claim, from the tip of its pyramid to its base, and hazards that it warns of.
 *
 * @param about the guideline's word
 * @param asks in our words
 * @param answer of this file
 */
public record GuidelineQuestion(String about, String asks, String answer) {
  /** The kind whose outputs are made-up records. */
  private static final String MADE_UP = "mollifier";

  /** Where the guideline is. */
  static final String GUIDELINE = "https://doi.org/10.6028/NIST.SP.800-226";

  static List<GuidelineQuestion> of(Sheet sheet, Pipeline pipeline) {
    List<GuidelineQuestion> all = new ArrayList<>();
    addGuarantee(all, sheet, pipeline);
    addUse(all, sheet, pipeline);
    addSurroundings(all, sheet, pipeline);
    return all;
  }

  /** The tip of the pyramid. */
  private static void addGuarantee(List<GuidelineQuestion> all, Sheet sheet, Pipeline pipeline) {
    BudgetSpec budget = pipeline.budget();
    all.add(
        new GuidelineQuestion(
            "Privacy parameters",
            "How large are epsilon and delta, and what do they cover?",
            "epsilon %s, delta %s, for all outputs together, %s; %s. The guideline sets no limit for epsilon: judge by the odds."
                .formatted(
                    Figures.plain(budget.epsilon().value()),
                    Figures.plain(budget.delta().value()),
                    budget.period().during().replaceAll(",$", ""),
                    sheet.odds().guesses().stream()
                        .map(
                            guess ->
                                "the odds of %s change by a factor of at most %s%s"
                                    .formatted(
                                        guess.about(),
                                        Figures.atMost(guess.factor()),
                                        sheet.protection().apartFromDelta()))
                        .collect(Collectors.joining("; ")))));
    all.add(
        new GuidelineQuestion(
            "Unit of privacy",
            "Which change of the data do outputs hide?",
            "'%s': %s".formatted(budget.unit().word(), sheet.protection().neighbours())));
    all.add(
        new GuidelineQuestion(
            "Composition",
            "Does everything that is released count?",
            composition(sheet, pipeline)));
    all.add(
        new GuidelineQuestion(
            "Mechanisms",
            "Which algorithms, with which proofs?",
            sheet.outputs().stream()
                    .flatMap(output -> output.sources().stream())
                    .map(PrivacyRationale.Source::claim)
                    .distinct()
                    .collect(Collectors.joining("; "))
                + ". 'What is released' says which output rests on which, with papers and links to"
                + " proofs."));
  }

  private static void addUse(List<GuidelineQuestion> all, Sheet sheet, Pipeline pipeline) {
    all.add(
        new GuidelineQuestion(
            "Utility and bias",
            "How large are errors, and whom do they harm?",
            "Errors are planned without looking at data; each output states its own error. "
                + smallGroups(sheet)
                + (pipeline.population().isPresent()
                    ? " Contribution bounds drop records of users who have many; no stated "
                        + "error includes this bias."
                    : "")));
    all.add(
        new GuidelineQuestion(
            "Query model",
            "Who asks, and when?",
            pipeline.queries().isEmpty()
                ? "Nobody asks: the file fixes all releases, one per output and window."
                : "The file fixes the releases of each window; in addition, modellers may query %s, and a whole query is charged at its first candidate."
                    .formatted(
                        pipeline.queries().stream()
                            .map(query -> "'" + query.name() + "'")
                            .collect(Collectors.joining(", ")))));
    all.add(
        new GuidelineQuestion(
            "Trust model",
            "Who must be trusted?",
            "The central model: the operators of the pipeline and its cluster see records and "
                + "must be trusted, as must others named in 'who can learn what'. Readers of "
                + "outputs need not be trusted, whatever they know and even if they collude."));
  }

  /** The base of the pyramid, and hazards. */
  private static void addSurroundings(List<GuidelineQuestion> all, Sheet sheet, Pipeline pipeline) {
    all.add(
        new GuidelineQuestion(
            "Implementation",
            "Does the program do what the proof assumes?",
            "Exact integer samplers without rounding (StrictMath elsewhere). Randomness comes "
                + "from a keyed function of the release, so a retry draws the same bytes. Charge "
                + "and draw are one transaction, the charge first. The audit replays the whole "
                + "pipeline on neighbouring logs and compares the privacy loss with the charge: "
                + audited(sheet)));
    all.add(
        new GuidelineQuestion(
            "Side channels",
            "What do timing, errors and sizes reveal?",
            Limitation.exists(pipeline)
                + " Their order and the refusals reveal nothing more: the audit compares them "
                + "byte by byte. A dead letter reveals offset, time and error code of one "
                + "record, and is for operators only. Computing times are not hidden."));
    all.add(
        new GuidelineQuestion(
            "Security and access control",
            "Who can reach raw data and keys?",
            "See 'who may do what' and 'keys'. The program does not encrypt records, journal or "
                + "state at rest: encrypt the disks of brokers and machines."));
    all.add(
        new GuidelineQuestion(
            "Data collection exposure",
            "Where do raw data exist before noise is added?",
            "'%s' holds raw records until its retention limit; the journal holds the fields that the file names until they are processed. State, commands and dead letters hold some data too: see 'what lies where'. Of a record, the pipeline reads %s, and nothing else."
                .formatted(pipeline.input().topics().words(), fields(pipeline))));
    all.add(
        new GuidelineQuestion(
            "Known hazards", "Which ones apply to this file?", hazards(sheet, pipeline)));
  }

  /**
   * Noise weighs most where it hides few records; what is drawn from a band says as much of any.
   */
  private static String smallGroups(Sheet sheet) {
    return sheet.outputs().stream().anyMatch(output -> !output.kind().equals(MADE_UP))
        ? "The fewer records a group has, the larger is its relative error: small groups get "
            + "the least accurate outputs."
        : "Synthetic records follow a distribution within public bounds: they reveal little "
            + "about any group, however large.";
  }

  private static String composition(Sheet sheet, Pipeline pipeline) {
    return "Every draw is charged before it is made. The shares add up to epsilon %s, delta %s, of a budget of %s and %s %s. No restart, renaming or re-creation resets the budget. %s"
        .formatted(
            Figures.plain(sheet.total().sharesEpsilon()),
            Figures.plain(sheet.total().sharesDelta()),
            Figures.plain(pipeline.budget().epsilon().value()),
            Figures.plain(pipeline.budget().delta().value()),
            pipeline.budget().period().during().replaceAll(",$", ""),
            sheet.protection().account());
  }

  private static String audited(Sheet sheet) {
    return sheet.audit().isEmpty()
        ? "not part of this report, see 'how to check each figure'."
        : sheet.audit().get(0).kept() ? "every promise was kept." : "PROMISES WERE BROKEN.";
  }

  private static String fields(Pipeline pipeline) {
    List<String> fields = new ArrayList<>();
    fields.add(pipeline.input().subject());
    pipeline.population().ifPresent(users -> fields.add(users.user()));
    fields.add(pipeline.input().time());
    Selections.of(pipeline).inputs().forEach(records -> fields.addAll(records.categoryFields()));
    fields.addAll(pipeline.input().values());
    pipeline.input().weight().ifPresent(fields::add);
    pipeline.input().id().ifPresent(fields::add);
    Selections.of(pipeline).inputs().stream()
        .flatMap(records -> records.where().conditions().stream())
        .forEach(condition -> fields.add(condition.part()));
    return fields.stream()
        .distinct()
        .map(field -> "'" + field + "'")
        .collect(Collectors.joining(", "));
  }

  private static String hazards(Sheet sheet, Pipeline pipeline) {
    List<String> found = new ArrayList<>();
    if (pipeline.budget().unit() == PrivacyUnit.RECORD) {
      found.add("the unit is a record, which is weaker than protecting a person");
    }
    if (!(pipeline.budget().period() instanceof Period.Lifetime)) {
      found.add(
          "the budget is renewed, so the loss of people who stay in the data grows with " + "time");
    }
    if (pipeline.budget().account().isEmpty()) {
      found.add("losses by other outputs about the same people are not included");
    }
    long warnings = sheet.outputs().stream().mapToLong(output -> output.warnings().size()).sum();
    warnings += sheet.warnings().size();
    if (warnings > 0) {
      found.add("the plan has " + Plurals.of(warnings, "warning") + ", see 'what is not covered'");
    }
    if (sheet.outputs().stream().anyMatch(output -> !output.caveats().isEmpty())) {
      found.add("an output has its own caveats");
    }
    return found.isEmpty() ? "None visible to this report." : String.join("; ", found) + ".";
  }
}
