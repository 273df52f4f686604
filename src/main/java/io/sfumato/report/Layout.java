// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

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
        "Privacy sheet: %s, version %s"
            .formatted(sheet.document().pipeline(), sheet.document().version()),
        List.of(
            new Section("summary", "In short", summary()),
            new Section("promise", "What is protected, from whom", promise()),
            new Section("meaning", "What epsilon means here", meaning()),
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
    Odds.Belief coin = sheet.odds().beliefs().get(sheet.odds().beliefs().size() - 1);
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
                row(
                    "In words",
                    Inline.of(
                        "Somebody who gives a fact about what is protected an even chance (50%%), whatever else he knows, gives it at most %s after he has seen all outputs of a period%s."
                            .formatted(
                                Figures.percentAtMost(coin.afterAtMost()),
                                promise.delta().signum() > 0
                                    ? ", apart from what delta allows"
                                    : ""))),
                row("Over longer times", Inline.of(new LongerLayout(sheet).inShort())),
                row(
                    "Not covered",
                    Inline.of(
                        "%s things, below; the plan warns of %s."
                            .formatted(sheet.gaps().size(), cautions == 0 ? "nothing" : cautions))),
                row(
                    "Written from",
                    Inline.of("the file ")
                        .and(Inline.code(sheet.document().file()))
                        .and(
                            " alone: no record was looked at. Every figure has a command: 'how to check each figure'.")))));
    return blocks;
  }

  private String published() {
    List<Output> all = sheet.outputs();
    return "%s: %s. %s."
        .formatted(
            all.size() == 1 ? "one output" : all.size() + " outputs",
            String.join(
                "; ", all.stream().map(o -> o.name() + " (" + o.publishes() + ")").toList()),
            "Of each subject, in " + sheet.protection().windows());
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
                            + " Whatever is published is almost as likely of either.")),
                row("Stays public", Inline.of(promise.stayPublic())),
                row("Period", Inline.code(promise.period()).and(": " + promise.periodSaid())),
                row(
                    "Budget",
                    Inline.code(promise.budget())
                        .and(
                            ": %s. It is kept in ledgers that no restart, new version or renamed output resets; what does not fit is refused."
                                .formatted(strength()))),
                row("Account", Inline.of(promise.account())),
                row("Windows", Inline.of(promise.windows())),
                row(
                    "From whom",
                    Inline.of(
                        "From everybody who sees outputs, whatever else they know and however they work together, as long as the noise secret is kept (and ChaCha20 and HMAC-SHA256 are not broken). Not from whoever runs the pipeline: see 'who can learn what'.")))));
  }

  private List<Block> meaning() {
    Odds odds = sheet.odds();
    boolean slack = sheet.protection().delta().signum() > 0;
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        say(
            "Epsilon bounds how far outputs can change anybody's mind about what is protected. Odds (yes against no) move by a factor of %s at most, e to the power of epsilon, in either direction%s."
                .formatted(
                    Figures.atMost(odds.factor()),
                    slack
                        ? "; delta is slack beyond that: outcomes whose probability it bounds may say more"
                        : "")));
    blocks.add(
        new Grid(
            List.of("sure of something before", "at least after", "at most after"),
            odds.beliefs().stream()
                .map(
                    belief ->
                        List.of(
                            Inline.of(Figures.percent(belief.before())),
                            Inline.of(Figures.percentAtLeast(belief.afterAtLeast())),
                            Inline.of(Figures.percentAtMost(belief.afterAtMost()))))
                .toList()));
    String factor = "F = e^" + Figures.plain(sheet.protection().epsilon());
    blocks.add(
        say(
            "By hand: a chance p becomes p F / (p F + 1 - p) at most, p / (p + (1 - p) F) at least, with %s; the table rounds to the careful side."
                .formatted(factor)));
    blocks.add(
        say(
            "The same for somebody who tests all outputs of a period for one thing, delta included: a rule that raises a false alarm so often finds what is there at most so often."));
    // Read without its head, too: narrow screens hide those of two columns.
    blocks.add(
        new Grid(
            List.of("a rule with", "finds what is there"),
            odds.tests().stream()
                .map(
                    test ->
                        row(
                            Figures.percent(test.falseAlarms()) + " false alarms",
                            Inline.of(
                                "finds at most "
                                    + Figures.percentAtMost(test.hitsAtMost())
                                    + " of what is there")))
                .toList()));
    blocks.add(
        say(
            "By hand: with false alarms a it finds at most the smaller of F a + delta and 1 - (1 - delta - a) / F."));
    return blocks;
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
      blocks.add(say("Of this file in particular:"));
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
                        Question.GUIDELINE))
                .and(" (2025), from the tip of its pyramid to its base.")),
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
        say("Run them where the file lies."),
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
                        .and(": a running pipeline refuses any other")),
                row("Program", Inline.code(document.program())))));
  }

  private static List<Block> decision() {
    return List.of(
        new Blanks(
            List.of(
                "Purpose, and who gets the outputs",
                "Other outputs about the same people",
                "Approved until, or refused because",
                "Name and office",
                "Date and signature")));
  }
}
