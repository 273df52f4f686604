// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReportText;
import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Heading;
import io.sfumato.report.Page.Block.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Lays out what is released, and what it costs. */
final class OutputsLayout {
  /** Lines of plans that are said elsewhere. */
  private static final Set<String> SAID =
      Set.of("share", "warning", "error", "noise", "promise", "loss");

  private final Sheet sheet;
  private final String docs;

  OutputsLayout(Sheet sheet, String docs) {
    this.sheet = sheet;
    this.docs = docs;
  }

  List<Block> outputs() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Prose(
            Inline.of(
                "Errors are those of noise, for the planned number of records; 95% means at "
                    + "least 19 of 20 releases. Half-widths of counts come from continuous noise "
                    + "and are rounded up to whole records, so they can be slightly wider than "
                    + "needed. KL divergence, in nats, measures how far published shares are from "
                    + "true ones: 0 is exact.")));
    for (Output output : sheet.outputs()) {
      blocks.add(new Heading(output.name()));
      List<List<Inline>> rows = new ArrayList<>();
      rows.add(row("publishes", Inline.of(output.publishes())));
      rows.add(row("topic", Inline.code(output.topic())));
      output.spends().forEach(spending -> mechanism(rows, spending));
      if (!output.madeOf().isEmpty()) {
        rows.add(
            row(
                "cost",
                Inline.of(
                    "none: computed from the output '"
                        + output.madeOf().replace(", ", "' and '")
                        + "'")));
      }
      for (PrivacyRationale.Source source : output.sources()) {
        rows.add(row("rests on", cited(source)));
      }
      if (!output.errors().isEmpty()) {
        rows.add(row("expected error", Inline.of(together(output.errors()))));
      } else if (!output.spends().isEmpty()) {
        rows.add(row("expected error", Inline.of("see 'method'")));
      }
      for (FactText.Labelled said : output.plan()) {
        if (!SAID.contains(said.label())) {
          rows.add(row(said.label(), Inline.of(together(said.lines()))));
        }
      }
      rows.add(
          row(
              "schema",
              Inline.code(output.schema())
                  .and(", fingerprint ")
                  .and(Inline.code(output.schemaFingerprint()))));
      blocks.add(new Grid(List.of("what", "which"), rows));
    }
    return blocks;
  }

  private static String together(List<String> lines) {
    return String.join("; ", lines).replaceAll(" +", " ");
  }

  private static void mechanism(List<List<Inline>> rows, Output.Spending spending) {
    rows.add(
        row(
            "may spend",
            Inline.of(
                "epsilon %s, delta %s of the budget; admitted by %s"
                    .formatted(
                        Figures.plain(spending.epsilon()),
                        Figures.plain(spending.delta()),
                        spending.countedBy()))));
    rows.add(row("mechanism", Inline.code(spending.mechanism())));
  }

  private Inline cited(PrivacyRationale.Source source) {
    Inline claim =
        source.section().isEmpty()
            ? Inline.of(source.claim())
            : Inline.link(source.claim(), docs + source.section());
    return claim.and(" (" + source.work() + ")");
  }

  private static List<Inline> row(String label, Inline cell) {
    return List.of(Inline.of(label), cell);
  }

  List<Block> cost() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Prose(
            Inline.of(
                "Per period. The share is the guarantee, which ledgers enforce. The last two "
                    + "columns give each accountant's upper bound on the actual loss, the "
                    + "smallest first: 'pure' adds up epsilons (basic composition), 'loss "
                    + "distribution' composes privacy loss distributions, and 'renyi' composes "
                    + "Rényi divergences of many orders.")));
    List<List<Inline>> rows = new ArrayList<>();
    for (Output output : sheet.outputs()) {
      for (Output.Spending spending : output.spends()) {
        rows.add(
            List.of(
                Inline.code(output.name()),
                Inline.of(share(spending)),
                Inline.of(String.format(Locale.ROOT, "%,d", spending.charges())),
                Inline.of(claims(spending.lossOfOne())),
                Inline.of(claims(spending.lossOfPeriod()))));
      }
    }
    rows.add(
        List.of(
            Inline.strong("all together"),
            Inline.strong(
                "epsilon %s, delta %s"
                    .formatted(
                        Figures.plain(sheet.total().sharesEpsilon()),
                        Figures.plain(sheet.total().sharesDelta()))),
            Inline.of(""),
            Inline.of(""),
            Inline.strong(claims(sheet.total().together()))));
    blocks.add(
        new Grid(
            List.of(
                "output",
                "share",
                "charges in a period, at most",
                "epsilon of one",
                "epsilon of a period"),
            rows));
    blocks.add(new Prose(Inline.of(besides())));
    blocks.addAll(new LongerLayout(sheet).blocks());
    curves(blocks);
    return blocks;
  }

  private static String share(Output.Spending spending) {
    return "epsilon %s, delta %s"
        .formatted(Figures.plain(spending.epsilon()), Figures.plain(spending.delta()));
  }

  private String besides() {
    String names =
        sheet.outputs().stream()
            .flatMap(
                output ->
                    output.spends().stream()
                        .filter(spending -> spending.deltaBesides().signum() > 0)
                        .map(
                            spending ->
                                "%s reserves %s of it for names that only one user has"
                                    .formatted(
                                        output.name(),
                                        Figures.atMost(spending.deltaBesides().doubleValue()))))
            .collect(Collectors.joining("; "));
    return "Losses of one output are stated at its share's delta%s, those of all together at the budget's delta."
        .formatted(names.isEmpty() ? "" : " (" + names + ")");
  }

  private static String claims(List<Claim> claims) {
    return claims.isEmpty()
        ? "no bound at this delta"
        : claims.stream()
            .map(claim -> Figures.atMost(claim.epsilon()) + " by " + claim.accountant())
            .collect(Collectors.joining(", "));
  }

  private void curves(List<Block> blocks) {
    List<Output.RenyiFilter> first =
        sheet.outputs().stream()
            .flatMap(output -> output.spends().stream())
            .flatMap(spending -> spending.renyi().stream())
            .toList();
    if (first.isEmpty()) {
      return;
    }
    List<Double> orders =
        first.stream().map(Output.RenyiFilter::order).distinct().sorted().toList();
    List<String> columns = new ArrayList<>(List.of("output"));
    orders.forEach(order -> columns.add("order " + ReportText.number(order)));
    List<List<Inline>> rows = new ArrayList<>();
    for (Output output : sheet.outputs()) {
      for (Output.Spending spending : output.spends()) {
        List<Inline> row = new ArrayList<>(List.of(Inline.code(output.name())));
        for (double order : orders) {
          row.add(
              Inline.of(
                  spending.renyi().stream()
                      .filter(at -> at.order() == order)
                      .map(at -> Figures.atMost(at.nats()))
                      .findFirst()
                      .orElse("infinite")));
        }
        rows.add(row);
      }
    }
    blocks.add(new Heading("For reviewers: Rényi divergence of one charge, in nats"));
    blocks.add(new Grid(columns, rows));
  }
}
