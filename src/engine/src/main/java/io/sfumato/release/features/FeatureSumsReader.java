// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.ReleaseFields;
import java.util.List;
import java.util.Optional;

/** Reads {@code features:} of a release; not the section of the same name, which says of what. */
final class FeatureSumsReader {
  /** So that the file's other problems can still be told. */
  private static final FeatureSpec NONE = new FeatureSpec(2, 1, "none");

  private FeatureSumsReader() {}

  static FeatureSumsSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    fields.choice("method", EnumWords.of("gaussian"), Optional.of("gaussian"));
    if (release.input().values().isEmpty()) {
      fields.conflict(
          "name",
          "is a release of features",
          "only where 'input.values' names fields of numbers; of categories take a histogram");
    }
    return new FeatureSumsSpec(
        release.head(),
        release.features().orElse(NONE),
        release.input().values().isEmpty() ? List.of("none") : release.input().values(),
        release.population(),
        fields.whole("plan-size", 1, 1_000_000_000, Optional.of(100L)));
  }
}
