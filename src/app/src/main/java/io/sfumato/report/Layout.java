// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Plurals;
import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Blanks;
import io.sfumato.report.Page.Block.Cautions;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Prose;
import io.sfumato.report.Page.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lays the facts of a sheet out, from what a signer asks first to what a reviewer looks up. */
final class Layout {
  private final Sheet sheet;
  private final OutputsLayout outputs;
  private final HandlingLayout handling;

  /**
   * @param docs where this program's documents are, with a slash at the end
   */
  Layout(Sheet sheet, String docs) {
    this.sheet = sheet;
    this.outputs = new OutputsLayout(sheet, docs);
    this.handling = new HandlingLayout(sheet);
  }

  Page page() {
    return new Page(
        "Privacy report: %s, version %s"
            .formatted(sheet.document().pipeline(), sheet.document().version()),
        List.of(
            new Section("summary", "In short", summary()),
            new Section("promise", "What is protected, and from whom", promise()),
            new Section("meaning", "What epsilon means here", new OddsLayout(sheet).blocks()),
            new Section("outputs", "What is released", outputs.outputs()),
            new Section("cost", "What it costs", outputs.cost()),
            new Section("gaps", "What is not covered", gaps()),
            new Section("people", "Who can learn what", handling.people()),
            new Section("keys", "Keys", handling.keys()),
            new Section("access", "Who may do what", handling.access()),
            new Section("data", "What lies where, and for how long", handling.data()),
            new Section("audit", "What the audit found", AuditLayout.of(sheet.audit())),
            new Section("guideline", "What NIST SP 800-226 asks", guideline()),
            new Section("check", "How to check each figure", check()),
            new Section("versions", "Versions", versions()),
            new Section("decision", "Decision", decision())));
  }

  static Prose say(String text) {
    return new Prose(Inline.of(text));
  }

  private List<Block> summary() {
    Protection promise = sheet.protection();
    long cautions =
        sheet.warnings().size()
            + sheet.outputs().stream().mapToLong(output -> output.warnings().size()).sum();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Grid(
            List.of("question", "answer"),
            List.of(
                row("Published", Inline.of(published())),
                row("In your records", Inline.of(promise.fields())),
                row("Protected", Inline.of(capital(promise.protects()))),
                row(
                    "Strength",
                    Inline.strong(strength())
                        .and(", for all outputs together. %s".formatted(promise.periodSaid()))),
                row("In plain words", Inline.of(new OddsLayout(sheet).inWords())),
                row("Over longer times", Inline.of(new LongerLayout(sheet).inShort())),
                row(
                    "Not covered",
                    Inline.of(
                        "%s limits: see 'what is not covered'. The plan has %s."
                            .formatted(
                                sheet.gaps().size(),
                                cautions == 0 ? "no warnings" : Plurals.of(cautions, "warning")))),
                row(
                    "Basis of this report",
                    Inline.of("the file ")
                        .and(Inline.code(sheet.document().file()))
                        .and(
                            " only; no records were read. Every figure can be recomputed: see "
                                + "'how to check each figure'.")))));
    return blocks;
  }

  private String published() {
    List<Output> all = sheet.outputs();
    return "%s: %s. %s."
        .formatted(
            all.size() == 1 ? "one output" : all.size() + " outputs",
            String.join(
                "; ", all.stream().map(o -> o.name() + " (" + o.publishes() + ")").toList()),
            "For each subject, in " + sheet.protection().windows());
  }

  private String strength() {
    return "epsilon %s, delta %s"
        .formatted(
            Figures.plain(sheet.protection().epsilon()), Figures.plain(sheet.protection().delta()));
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }

  static List<Inline> row(String label, Inline... cells) {
    return Stream.concat(Stream.of(Inline.of(label)), Stream.of(cells)).toList();
  }

  private List<Block> promise() {
    Protection promise = sheet.protection();
    return List.of(
        new Grid(
            List.of("question", "answer"),
            List.of(
                row("Promise", Inline.of(capital(promise.protects()))),
                row("Unit", Inline.code(promise.unit())),
                row(
                    "Neighbours (%s)".formatted(promise.change()),
                    Inline.of(
                        promise.neighbours()
                            + " No output is more than %s times as likely with one log as with the other%s."
                                .formatted(
                                    Figures.atMost(sheet.odds().guesses().get(0).factor()),
                                    promise.apartFromDelta()))),
                row("Stays public", Inline.of(promise.stayPublic())),
                row("Period", Inline.code(promise.period()).and(": " + promise.periodSaid())),
                row(
                    "Budget",
                    Inline.code(promise.budget())
                        .and(
                            ": %s. Ledgers record what is spent; no restart, new version or renamed output resets them. What exceeds the budget is refused or does not count."
                                .formatted(strength()))),
                row("Account", Inline.of(promise.account())),
                row("Windows", Inline.of(promise.windows())),
                row(
                    "From whom",
                    Inline.of(
                        "From everyone who sees outputs, whatever else they know and even if "
                            + "they collude, as long as the noise secret stays secret (and "
                            + "ChaCha20 and HMAC-SHA256 are not broken). Not from the operators "
                            + "of the pipeline: see 'who can learn what'.")))));
  }

  private List<Block> gaps() {
    List<Inline> cautions = new ArrayList<>();
    sheet.warnings().forEach(warning -> cautions.add(Inline.of(warning)));
    for (Output output : sheet.outputs()) {
      Stream.concat(output.warnings().stream(), output.caveats().stream())
          .forEach(text -> cautions.add(Inline.code(output.name()).and(": " + text)));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Grid(
            List.of("not covered", "why"),
            sheet.gaps().stream().map(gap -> row(gap.what(), Inline.of(gap.why()))).toList()));
    if (!cautions.isEmpty()) {
      blocks.add(say("For this file in particular:"));
      blocks.add(new Cautions(cautions));
    }
    return blocks;
  }

  private List<Block> guideline() {
    return List.of(
        new Prose(
            Inline.of("Answers for ")
                .and(
                    Inline.link(
                        "Guidelines for Evaluating Differential Privacy Guarantees",
                        GuidelineQuestion.GUIDELINE))
                .and(" (2025), from the top of its privacy pyramid to the base.")),
        new Grid(
            List.of("element", "asks", "answer"),
            sheet.guideline().stream()
                .map(
                    question ->
                        row(
                            question.about(),
                            Inline.of(question.asks()),
                            Inline.of(question.answer())))
                .toList()));
  }

  private List<Block> check() {
    return List.of(
        say("Run these commands in the folder of the file."),
        new Grid(
            List.of("figure", "command"),
            sheet.repeats().stream()
                .map(repeat -> row(repeat.figure(), Inline.code(repeat.command())))
                .toList()));
  }

  private List<Block> versions() {
    Sheet.Document document = sheet.document();
    return List.of(
        new Grid(
            List.of("what", "which"),
            List.of(
                row("File", Inline.code(document.file())),
                row("SHA-256 of the file", Inline.code(document.sha256())),
                row(
                    "Digest of the plan",
                    Inline.code(document.planDigest())
                        .and(": a running pipeline refuses a file with another digest")),
                row("Program", Inline.code(document.program())))));
  }

  private static List<Block> decision() {
    return List.of(
        new Blanks(
            List.of(
                "Purpose, legal basis and recipients of the outputs",
                "Other outputs about the same people",
                "Approved until, or refused because",
                "Name and office",
                "Date and signature")));
  }
}
