// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Text;
import java.util.List;

/** Totals of users' first C + D records. */
public final class TotalKind implements DerivedKind {
  private static final FieldSpec<String> OF =
      FieldSpec.typed("of", new Text(FieldTypes.NAME.pattern(), "the name of a count `by: total`"))
          .means("The count of the records that count, `by: total`.")
          .example("ward-total");

  private static final FieldSpec<String> LEFT_OUT =
      FieldSpec.typed(
              "left-out", new Text(FieldTypes.NAME.pattern(), "the name of a count `by: left-out`"))
          .means("The count of the records that are left out, `by: left-out`.")
          .example("ward-lost");

  private static final Section SECTION =
      Section.of(
          "A count and what was left out, added up with one interval, made of what is published, at"
              + " no cost (`CountRelease`,"
              + " [guide](../concepts/contribution-bounds.md#total-of-the-first-records)).",
          OF,
          LEFT_OUT);

  @Override
  public String word() {
    return TotalSpec.WORD;
  }

  @Override
  public Section section() {
    return SECTION;
  }

  @Override
  public DerivedSpec read(Fields fields, String name, String topic) {
    return new TotalSpec(name, topic, fields.get(OF), fields.get(LEFT_OUT));
  }

  /** They are counts, of which that kind has the view. */
  @Override
  public List<OutputView> outputs() {
    return List.of();
  }
}
