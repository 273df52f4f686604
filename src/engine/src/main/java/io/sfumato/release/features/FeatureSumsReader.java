// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Reads {@code features:} of a release; not the section of the same name, which says of what. */
final class FeatureSumsReader {
  /** So that the file's other problems can still be told. */
  private static final FeatureSpec NONE = new FeatureSpec(2, 1, "none");

  private static final FieldSpec<String> METHOD =
      FieldSpec.word("method", EnumWords.of("gaussian"))
          .byDefault("gaussian")
          .means("Discrete Gaussian noise.")
          .example("gaussian");

  private static final FieldSpec<Long> PLAN_SIZE =
      ReleaseFields.PLAN_SIZE
          .byDefault(100L)
          .means("A public guess of how many records a dataset has, for the plan's words only.");

  static final Section SECTION =
      Section.of(
          "Noisy sums of records' features, to which any number of models can be fitted at no further"
              + " cost (`FeatureRelease`, [guide](../guides/models.md#fit-a-histogram-release)).",
          METHOD,
          PLAN_SIZE);

  private FeatureSumsReader() {}

  static FeatureSumsSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    fields.get(METHOD);
    if (release.input().values().isEmpty()) {
      fields.conflict(
          "name",
          "found features without 'input.values'",
          "only where 'input.values' names fields of numbers; for categories, use a histogram");
    }
    return new FeatureSumsSpec(
        release.head(),
        release.features().orElse(NONE),
        release.input().values().isEmpty() ? List.of("none") : release.input().values(),
        release.population(),
        fields.get(PLAN_SIZE));
  }
}
