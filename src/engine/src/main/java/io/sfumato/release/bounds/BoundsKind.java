// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Private bounds of what records hold. */
public final class BoundsKind implements ReleaseKind {
  @Override
  public String word() {
    return "bounds";
  }

  /** Laplace noise is purely private. */
  @Override
  public boolean needsDelta() {
    return false;
  }

  /** Drawn once a period, however many windows that has. */
  @Override
  public boolean lastsWindows() {
    return false;
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return BoundsReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return BoundsReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new BoundsView());
  }
}
