// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.pipeline.DiscoveryLimits;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code subjects.discover} of a pipeline file. */
final class SubjectsReader {
  /** So that the file's other problems can still be told. */
  private static final Population NOBODY = new Population(InputSpec.RECORD_KEY, 1, 1);

  private static final long MOST_SUBJECTS = 100_000;
  private static final long MOST_WINDOWS = 1_000_000;

  private SubjectsReader() {}

  static SubjectsSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    if (release.population().isEmpty()) {
      fields.conflict(
          "share",
          "is there to find subjects",
          "only with 'input.user' and 'contributions': subjects are found by their numbers of users");
    }
    int most = (int) fields.whole("most", 1, MOST_SUBJECTS, Optional.of(1000L));
    SubjectsSpec.Noise noise =
        fields.choice(
            "noise",
            EnumWords.of(SubjectsSpec.Noise.values()),
            Optional.of(SubjectsSpec.Noise.BEST));
    OptionalInt forgetAfter =
        fields.has("forget-names")
            ? OptionalInt.of((int) fields.whole("forget-names", 1, MOST_WINDOWS, Optional.empty()))
            : OptionalInt.empty();
    return new SubjectsSpec(
        release.head(),
        new DiscoveryLimits(most, forgetAfter),
        noise,
        release.population().orElse(NOBODY));
  }
}
