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
              "Not run for this sheet: it takes minutes. It replays the whole pipeline over neighbouring made-up logs with a fixed seed, compares all that leaves byte by byte, and adds up what is truly lost, draw by draw, against what is charged (answers of sparse vectors, whose losses are not those of draws, are compared alone). 'How to check' has the command, and the one that puts what it found here."));
    }
    Findings found = audit.get(0);
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Prose(
            Inline.strong(found.kept() ? "Every promise was kept." : "PROMISES WERE BROKEN.")
                .and(
                    String.format(
                        Locale.ROOT,
                        " %,d runs of the pipeline over %,d neighbours (seed %d); %,d draws differed; at most %.4f of what was charged was lost.",
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
                        .and(": its loss was not judged, since its law has no closed form")));
    if (!cautions.isEmpty()) {
      blocks.add(new Cautions(cautions));
    }
    if (!found.attacks().isEmpty()) {
      blocks.add(
          new Grid(
              List.of("attacked by draws", "claimed", "found at least", "draws of each"),
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
            "A violation is never chance. That there was none proves nothing of neighbours that were not tried."));
    return blocks;
  }
}
