// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Cautions;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays out what an audit found. */
final class AuditLayout {
  private AuditLayout() {}

  /** What it found; how it is run where it was not. */
  static List<Block> of(List<Findings> audit) {
    if (audit.isEmpty()) {
      return List.of(
          Layout.say(
              "No audit was run for this report (it takes minutes). The audit replays the whole"
                  + " pipeline on neighbouring synthetic logs with a fixed seed. It compares all"
                  + " outputs byte by byte, and checks draw by draw that the privacy loss is at"
                  + " most what was charged (sparse vector answers are only compared). 'How to"
                  + " check each figure' has the command, and the one that adds its findings"
                  + " here."));
    }
    Findings found = audit.get(0);
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Prose(
            Inline.strong(found.kept() ? "Every promise was kept." : "PROMISES WERE BROKEN.")
                .and(
                    String.format(
                        Locale.ROOT,
                        " %,d runs of the pipeline on %,d pairs of neighbouring logs (seed %d); %,d"
                            + " draws differed; the privacy loss was at most %.4f of the charge.",
                        found.replays(),
                        found.neighbours(),
                        found.seed(),
                        found.draws(),
                        found.largestLoss()))));
    List<Inline> cautions = new ArrayList<>();
    found.violations().forEach(text -> cautions.add(Inline.of(text)));
    found
        .notJudged()
        .forEach(
            output ->
                cautions.add(
                    Inline.code(output)
                        .and(
                            ": its loss was not checked, because its distribution has no "
                                + "closed form")));
    if (!cautions.isEmpty()) {
      blocks.add(new Cautions(cautions));
    }
    if (!found.attacks().isEmpty()) {
      blocks.add(
          new Grid(
              List.of("output attacked with draws", "claimed", "found at least", "draws of each"),
              found.attacks().stream()
                  .map(
                      attack ->
                          List.of(
                              Inline.code(attack.output()),
                              Inline.of(Figures.atMost(attack.claimed())),
                              Inline.of(Figures.atMost(attack.atLeast())),
                              Inline.of(String.format(Locale.ROOT, "%,d", attack.draws()))))
                  .toList()));
    }
    blocks.add(
        Layout.say(
            "A violation is never due to chance. But no violation proves nothing about pairs of "
                + "logs that were not tried."));
    return blocks;
  }
}
