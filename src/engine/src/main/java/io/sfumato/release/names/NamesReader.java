// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.mechanism.discovery.Rest;
import io.sfumato.mechanism.discovery.Tests;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.NameLimits;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Words;
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
    Optional<Tests> running = running(fields);
    return new NamesSpec(
        release.head(),
        fields.choice(
            "noise", Words.of(NamesSpec.Noise.values()), Optional.of(NamesSpec.Noise.BEST)),
        fields.whole("most", 1, NamesSpec.MOST, Optional.of(NamesSpec.USUAL)),
        fields.has("forget-names")
            ? Optional.of((int) fields.whole("forget-names", 1, MOST_WINDOWS, Optional.empty()))
            : Optional.empty(),
        release.population().map(NamesReader::bounds).orElse(NOBODY),
        fields.has("other")
            ? fields.choice("other", Map.of("counted", Rest.COUNTED), Optional.of(Rest.COUNTED))
            : Rest.UNTOLD,
        running,
        release
            .population()
            .flatMap(Population::names)
            .map(NameLimits::perPeriod)
            .orElse(OptionalInt.empty()));
  }

  /** Ten tests of a block, unless the file says otherwise. */
  private static Optional<Tests> running(Fields fields) {
    if (!fields.has("running")) {
      if (fields.has("test-every")) {
        fields.conflict(
            "test-every", "found without 'running'", "only where counts run over windows");
      }
      return Optional.empty();
    }
    int windows = (int) fields.whole("running", 2, Tests.MOST_WINDOWS, Optional.empty());
    long least = (windows - 1L) / Tests.MOST + 1;
    long every =
        fields.whole("test-every", least, windows, Optional.of((windows - 1L) / USUAL_TESTS + 1));
    return Optional.of(new Tests(windows, (int) every));
  }

  /** Every record may have a name of its own. */
  private static NameBounds bounds(Population users) {
    return new NameBounds(users.records(), users.records(), users.perName());
  }
}
