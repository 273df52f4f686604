// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Whole;
import io.sfumato.pipeline.ValueType.Word;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code input.categories.discover} of a pipeline file. */
final class NamesReader {
  private static final int MOST_WINDOWS = 1_000_000;
  private static final int USUAL_TESTS = 10;

  /** So that the file's other problems can still be told. */
  private static final NameBounds NOBODY = new NameBounds(1, 1, 1);

  private static final FieldSpec<NamesSpec.Noise> NOISE =
      FieldSpec.word(
              "noise",
              new Word<>(EnumWords.of(NamesSpec.Noise.values()))
                  .means("best", "the one with the lower threshold."))
          .byDefault(NamesSpec.Noise.BEST, "best")
          .means("Distribution of the noise; Gaussian with `running`.")
          .example("laplace");

  private static final FieldSpec<Long> MOST =
      FieldSpec.whole("most", 1, NamesSpec.MOST)
          .byDefault(NamesSpec.USUAL)
          .means("The most public names of a subject. While there are so many, none is found.")
          .example("5000");

  private static final FieldSpec<Integer> FORGET =
      FieldSpec.count("forget-names", 1, MOST_WINDOWS)
          .optional("never")
          .means("A public name that misses the threshold in so many windows in a row is dropped.")
          .example("30");

  private static final FieldSpec<UnlistedCount> OTHER =
      FieldSpec.word("other", Map.of("counted", UnlistedCount.COUNTED))
          .optional()
          .means(
              "`counted`: how many records had names that were not public when the window began, by a"
                  + " draw of its own.")
          .where("without `running`")
          .example("counted");

  private static final FieldSpec<Integer> RUNNING =
      FieldSpec.count("running", 2, TestSchedule.MOST_WINDOWS)
          .optional()
          .means(
              "T: counts run over T windows and are then reset; names are found by their running counts"
                  + " ([guide](../guides/top-products.md#find-rare-names-over-many-windows)).")
          .example("365");

  private static final FieldSpec<Long> TEST_EVERY =
      FieldSpec.whole("test-every", 1, TestSchedule.MOST_WINDOWS)
          .optional("T / 10, rounded up")
          .means(
              "Names that are not public are tested at the end of every so many windows, and of T.")
          .where("with `running`")
          .example("30");

  static final Section SECTION =
      Section.of(
          "Finds names of categories privately and publishes their counts (`NamesRelease`,"
              + " [guide](../guides/top-products.md)).",
          NOISE,
          MOST,
          FORGET,
          OTHER,
          RUNNING,
          TEST_EVERY);

  private NamesReader() {}

  static NamesSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    Optional<TestSchedule> running = running(fields);
    return new NamesSpec(
        release.head(),
        fields.get(NOISE),
        fields.get(MOST),
        fields.optional(FORGET),
        release.population().map(NamesReader::bounds).orElse(NOBODY),
        fields.optional(OTHER).orElse(UnlistedCount.UNTOLD),
        running,
        release.population().map(Population::perPeriod).orElse(OptionalInt.empty()));
  }

  /** Ten tests of a block, unless the file says otherwise. */
  private static Optional<TestSchedule> running(Fields fields) {
    if (!fields.has(RUNNING)) {
      if (fields.optional(TEST_EVERY).isPresent()) {
        fields.conflict(
            "test-every", "found without 'running'", "only where counts run over windows");
      }
      return Optional.empty();
    }
    int windows = fields.get(RUNNING);
    long least = (windows - 1L) / TestSchedule.MOST + 1;
    long every =
        fields
            .optional(TEST_EVERY.within(new Whole<>(least, windows, Long::valueOf)))
            .orElse((windows - 1L) / USUAL_TESTS + 1);
    return Optional.of(new TestSchedule(windows, (int) every));
  }

  /** Every record may have a name of its own. */
  private static NameBounds bounds(Population users) {
    return new NameBounds(users.records(), users.records(), users.perName());
  }
}
