// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.NameLimits;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code input.categories.discover} of a pipeline file. */
final class NamesReader {
  private static final int MOST_WINDOWS = 1_000_000;
  private static final int USUAL_TESTS = 10;

  /** So that the file's other problems can still be told. */
  private static final NameBounds NOBODY = new NameBounds(1, 1, 1);

  private NamesReader() {}

  static NamesSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    Optional<TestSchedule> running = running(fields);
    return new NamesSpec(
        release.head(),
        fields.choice(
            "noise", EnumWords.of(NamesSpec.Noise.values()), Optional.of(NamesSpec.Noise.BEST)),
        fields.whole("most", 1, NamesSpec.MOST, Optional.of(NamesSpec.USUAL)),
        fields.has("forget-names")
            ? Optional.of((int) fields.whole("forget-names", 1, MOST_WINDOWS, Optional.empty()))
            : Optional.empty(),
        release.population().map(NamesReader::bounds).orElse(NOBODY),
        fields.has("other")
            ? fields.choice(
                "other",
                Map.of("counted", UnlistedCount.COUNTED),
                Optional.of(UnlistedCount.COUNTED))
            : UnlistedCount.UNTOLD,
        running,
        release
            .population()
            .flatMap(Population::names)
            .map(NameLimits::perPeriod)
            .orElse(OptionalInt.empty()));
  }

  /** Ten tests of a block, unless the file says otherwise. */
  private static Optional<TestSchedule> running(Fields fields) {
    if (!fields.has("running")) {
      if (fields.has("test-every")) {
        fields.conflict(
            "test-every", "found without 'running'", "only where counts run over windows");
      }
      return Optional.empty();
    }
    int windows = (int) fields.whole("running", 2, TestSchedule.MOST_WINDOWS, Optional.empty());
    long least = (windows - 1L) / TestSchedule.MOST + 1;
    long every =
        fields.whole("test-every", least, windows, Optional.of((windows - 1L) / USUAL_TESTS + 1));
    return Optional.of(new TestSchedule(windows, (int) every));
  }

  /** Every record may have a name of its own. */
  private static NameBounds bounds(Population users) {
    return new NameBounds(users.records(), users.records(), users.perName());
  }
}
