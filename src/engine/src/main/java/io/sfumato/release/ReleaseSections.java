// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetReader;
import io.sfumato.pipeline.ContributionsReader;
import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.InputFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What every output has in a pipeline file, whatever its kind: name, topic, share, windows. */
final class ReleaseSections {
  static final FieldSpec<String> NAME =
      FieldSpec.typed("name", FieldTypes.NAME).means("Name of the output.").example("daily-mix");

  static final FieldSpec<String> TOPIC =
      FieldSpec.typed("topic", FieldTypes.TOPIC)
          .optional("the name")
          .means(
              "The topic it is published to: no topic of a budget or of the cluster, and no other output's.")
          .example("wards.daily-mix");

  static final FieldSpec<String> LEDGER =
      FieldSpec.typed("ledger", FieldTypes.NAME)
          .optional("the name")
          .means("Ledger that holds the share's charges. A renamed output keeps its old one.")
          .example("daily-mix");

  static final FieldSpec<Long> WINDOWS =
      FieldSpec.whole("windows", 1, 1_000_000_000)
          .optional("all that start in one period, or that a span touches; required for lifetime")
          .means(
              "How many releases about one subject the share must cover. With unit user, all windows"
                  + " that a span touches.")
          .example("31");

  static final FieldSpec<Duration> WINDOW =
      FieldSpec.length("window", Duration.ofMillis(1))
          .optional("`window.size`")
          .means(
              "How long this output's windows are: a multiple of `window.size`. Its bounds are those"
                  + " of a user in one of them. Needs a budget period of whole windows.")
          .units(PrivacyUnit.USER)
          .where("without `window.zone`, with a fixed period or `lifetime`")
          .example("1d");

  private ReleaseSections() {}

  /** All fields of a release. */
  static Section of(ReleaseKind kind) {
    List<FieldSpec<?>> first = new ArrayList<>();
    first.add(kind.place().isPresent() ? NAME.optional(kind.place().get().name()) : NAME);
    first.add(TOPIC);
    first.add(share(kind));
    if (kind.lastsWindows()) {
      first.add(WINDOWS);
    }
    if (kind.boundsUsers()) {
      first.add(WINDOW);
      first.addAll(InputFields.OF_OUTPUT);
      first.add(ContributionsReader.OWN);
    }
    return kind.section().after(first);
  }

  /** All fields of an output that is made of others'. */
  static Section of(DerivedKind kind) {
    return kind.section().after(List.of(NAME, TOPIC));
  }

  /** Its part of the budget. */
  static FieldSpec<Section> share(ReleaseKind kind) {
    return FieldSpec.section(
            "share",
            Section.of(
                "Part of the budget. All shares add up to at most the budget.",
                BudgetReader.EPSILON.means("Part of the budget's epsilon.").example("0.5"),
                (kind.needsDelta() ? BudgetReader.DELTA : BudgetReader.DELTA_OR_0)
                    .means("Part of the budget's delta.")
                    .example("1e-6"),
                LEDGER))
        .means(
            "Part of the budget. All shares add up to at most the budget."
                + (kind.needsDelta() ? "" : " Delta may be left out: it is then 0."))
        .example(kind.needsDelta() ? "{epsilon: 0.5, delta: 1e-6}" : "{epsilon: 0.5}");
  }
}
