// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;
import java.util.Optional;

/** Names of categories that nobody listed, with their counts. */
public final class NamesKind implements ReleaseKind {
  @Override
  public String word() {
    return "names";
  }

  @Override
  public Optional<Place> place() {
    return Optional.of(new Place("input.categories.discover", "names"));
  }

  @Override
  public Section section() {
    return NamesReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return NamesReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new NamesView());
  }
}
