// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Words;
import java.util.Optional;

/** Reads {@code input.categories.discover} of a pipeline file. */
final class NamesReader {
  private static final int MOST_WINDOWS = 1_000_000;

  /** So that the file's other problems can still be told. */
  private static final NameBounds NOBODY = new NameBounds(1, 1, 1);

  private NamesReader() {}

  static NamesSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    return new NamesSpec(
        release.name(),
        release.topic(),
        fields.choice(
            "noise", Words.of(NamesSpec.Noise.values()), Optional.of(NamesSpec.Noise.BEST)),
        fields.whole("most", 1, NamesSpec.MOST, Optional.of(NamesSpec.USUAL)),
        fields.has("forget-names")
            ? Optional.of((int) fields.whole("forget-names", 1, MOST_WINDOWS, Optional.empty()))
            : Optional.empty(),
        release.population().map(NamesReader::bounds).orElse(NOBODY),
        release.share(),
        release.horizon());
  }

  /** Every record may have a name of its own. */
  private static NameBounds bounds(Population users) {
    return new NameBounds(users.records(), users.records(), users.perName());
  }
}
