// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.PrivacyRationale;
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
            "How large are epsilon and delta, of what?",
            "epsilon %s, delta %s: of all outputs together, %s; %s. The guideline sets no limit for epsilon: judge by the odds."
                .formatted(
                    Figures.plain(budget.epsilon().value()),
                    Figures.plain(budget.delta().value()),
                    budget.period().during().replaceAll(",$", ""),
                    sheet.odds().guesses().stream()
                        .map(
                            guess ->
                                "odds of %s move by a factor of %s at most%s"
                                    .formatted(
                                        guess.about(),
                                        Figures.atMost(guess.factor()),
                                        sheet.protection().apartFromDelta()))
                        .collect(Collectors.joining("; ")))));
    all.add(
        new GuidelineQuestion(
            "Unit of privacy",
            "Whose data may change without outputs telling?",
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
                + ". 'What is released' says which output rests on which, with papers and links to proofs."));
  }

  private static void addUse(List<GuidelineQuestion> all, Sheet sheet, Pipeline pipeline) {
    all.add(
        new GuidelineQuestion(
            "Utility and bias",
            "How wrong are outputs, and to whose harm?",
            "Errors are planned without data; each output says what is known of its own. "
                + smallGroups(sheet)
                + (pipeline.population().isPresent()
                    ? " Bounds of contributions leave out records of whoever has many, which no error contains."
                    : "")));
    all.add(
        new GuidelineQuestion(
            "Query model",
            "Who asks, and when?",
            pipeline.queries().isEmpty()
                ? "Nobody: what is released is fixed by the file, once for each window."
                : "The file fixes what is released of each window; modellers may ask %s, whole queries being charged at their first candidate."
                    .formatted(
                        pipeline.queries().stream()
                            .map(query -> "'" + query.name() + "'")
                            .collect(Collectors.joining(", ")))));
    all.add(
        new GuidelineQuestion(
            "Trust model",
            "Who must be trusted?",
            "The central model: whoever runs the pipeline and its cluster sees records and is trusted, and so are others, as 'who can learn what' says. Readers of outputs are not, whatever they know and however they work together."));
  }

  /** The base of the pyramid, and hazards. */
  private static void addSurroundings(List<GuidelineQuestion> all, Sheet sheet, Pipeline pipeline) {
    all.add(
        new GuidelineQuestion(
            "Implementation",
            "Does the program do what the proof assumes?",
            "Whole-number samplers without rounding (StrictMath elsewhere); randomness from a keyed function of the release, so that a retry has the same bytes; charge before draw, in one transaction. The audit replays the whole pipeline over neighbouring logs and compares what is lost with what is charged: "
                + audited(sheet)));
    all.add(
        new GuidelineQuestion(
            "Side channels",
            "What do time, errors and sizes tell?",
            Limitation.exists(pipeline)
                + " Their order and refusals tell no more: the audit compares them byte by byte. A dead letter tells place, time and reason of the one record that it is about, and is for operators alone. How long computations take is not hidden."));
    all.add(
        new GuidelineQuestion(
            "Security and access control",
            "Who can reach raw data and keys?",
            "See 'who may do what' and 'keys'. The program encrypts no records, journal or state at rest: disks of brokers and machines must be."));
    all.add(
        new GuidelineQuestion(
            "Data collection exposure",
            "What lies in the open before any noise?",
            "'%s' holds raw records until its retention deletes them, and the journal those of their fields that the file names until they are processed. State, commands and dead letters hold some as well: see 'what lies where'. Of what a record holds the pipeline reads %s, and nothing else."
                .formatted(pipeline.input().topic(), fields(pipeline))));
    all.add(
        new GuidelineQuestion(
            "Known hazards", "Which of them meet this file?", hazards(sheet, pipeline)));
  }

  /**
   * Noise weighs most where it hides few records; what is drawn from a band says as much of any.
   */
  private static String smallGroups(Sheet sheet) {
    return sheet.outputs().stream().anyMatch(output -> !output.kind().equals(MADE_UP))
        ? "The fewer records a group has, the more noise weighs: small groups are told least exactly."
        : "Made-up records follow a law within public bounds: they say little of any group, however large it is.";
  }

  private static String composition(Sheet sheet, Pipeline pipeline) {
    return "Every draw is charged before it is made; the shares add up to epsilon %s, delta %s, of a budget of %s and %s %s, which nothing that is restarted, renamed or made anew resets. %s"
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
        ? "not on this sheet, see 'how to check'."
        : sheet.audit().get(0).kept() ? "every promise was kept." : "PROMISES WERE BROKEN.";
  }

  private static String fields(Pipeline pipeline) {
    List<String> fields = new ArrayList<>();
    fields.add(pipeline.input().subject());
    pipeline.population().ifPresent(users -> fields.add(users.user()));
    fields.add(pipeline.input().time());
    fields.addAll(pipeline.input().categoryFields());
    fields.addAll(pipeline.input().values());
    pipeline.input().weight().ifPresent(fields::add);
    return fields.stream().map(field -> "'" + field + "'").collect(Collectors.joining(", "));
  }

  private static String hazards(Sheet sheet, Pipeline pipeline) {
    List<String> found = new ArrayList<>();
    if (pipeline.budget().unit() == PrivacyUnit.RECORD) {
      found.add("the unit is a record, which is weaker than a person");
    }
    if (!(pipeline.budget().period() instanceof Period.Lifetime)) {
      found.add("the budget begins anew, so that losses of those who stay grow with time");
    }
    if (pipeline.budget().account().isEmpty()) {
      found.add("other outputs about the same people are not counted");
    }
    long warnings = sheet.outputs().stream().mapToLong(output -> output.warnings().size()).sum();
    warnings += sheet.warnings().size();
    if (warnings > 0) {
      found.add("the plan has " + Plurals.of(warnings, "warning") + ", see 'what is not covered'");
    }
    if (sheet.outputs().stream().anyMatch(output -> !output.caveats().isEmpty())) {
      found.add("an output has caveats of its own");
    }
    return found.isEmpty() ? "None that this sheet can see." : String.join("; ", found) + ".";
  }
}
