// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.pipeline.DiscoveryLimits;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Word;
import java.util.OptionalInt;

/** Reads {@code subjects.discover} of a pipeline file. */
final class SubjectsReader {
  /** So that the file's other problems can still be told. */
  private static final Population NOBODY = new Population(InputSpec.RECORD_KEY, 1, 1);

  private static final int MOST_SUBJECTS = 100_000;
  private static final int MOST_WINDOWS = 1_000_000;

  private static final FieldSpec<SubjectsSpec.Noise> NOISE =
      FieldSpec.word(
              "noise",
              new Word<>(EnumWords.of(SubjectsSpec.Noise.values()))
                  .means("best", "the one with the lower threshold."))
          .byDefault(SubjectsSpec.Noise.BEST, "best")
          .means("Distribution of the noise.")
          .example("laplace");

  private static final FieldSpec<Integer> MOST =
      FieldSpec.count("most", 1, MOST_SUBJECTS)
          .byDefault(1000)
          .means(
              "The most public subjects of a partition. While there are so many, no other is looked for"
                  + " (`LIST_FULL`).")
          .example("5000");

  private static final FieldSpec<Integer> FORGET =
      FieldSpec.count("forget-names", 1, MOST_WINDOWS)
          .optional("never")
          .means(
              "A public subject that misses the threshold in so many windows in a row is dropped.")
          .example("30");

  static final Section SECTION =
      Section.of(
          "Finds subjects privately by their numbers of users, which it publishes (`SubjectRelease`,"
              + " [guide](../guides/unknown-groups.md)).",
          NOISE,
          MOST,
          FORGET);

  private SubjectsReader() {}

  static SubjectsSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    if (release.population().isEmpty()) {
      fields.conflict(
          "share",
          "found subjects to discover without 'input.user'",
          "only with 'input.user' and 'contributions': subjects are found by their numbers of users");
    }
    int most = fields.get(MOST);
    SubjectsSpec.Noise noise = fields.get(NOISE);
    OptionalInt forgetAfter = fields.count(FORGET);
    return new SubjectsSpec(
        release.head(),
        new DiscoveryLimits(most, forgetAfter),
        noise,
        release.population().orElse(NOBODY));
  }
}
