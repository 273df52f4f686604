// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;
import java.util.Optional;

/** Which subjects there are, of those that nobody listed. */
public final class SubjectsKind implements ReleaseKind {
  @Override
  public String word() {
    return "subjects";
  }

  @Override
  public Optional<Place> place() {
    return Optional.of(new Place("subjects.discover", "subjects"));
  }

  @Override
  public Section section() {
    return SubjectsReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return SubjectsReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new SubjectsView());
  }
}
