// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Text;
import java.util.List;

/** The names with the largest counts. */
public final class TopKind implements DerivedKind {
  private static final FieldSpec<String> OF =
      FieldSpec.typed("of", new Text(FieldTypes.NAME.pattern(), "the name of an output of names"))
          .means("The output of names that it is made of.")
          .example("names");

  private static final FieldSpec<Integer> K =
      FieldSpec.count("k", 1, TopSpec.MOST).means("How many names.").example("10");

  private static final Section SECTION =
      Section.of(
          "The names with the largest counts of each window, made of what is published, at no cost"
              + " (`TopRelease`, [guide](../guides/top-products.md#top-lists)).",
          OF,
          K);

  @Override
  public String word() {
    return TopSpec.WORD;
  }

  @Override
  public Section section() {
    return SECTION;
  }

  @Override
  public DerivedSpec read(Fields fields, String name, String topic) {
    return new TopSpec(name, topic, fields.get(OF), fields.get(K));
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new TopView());
  }
}
