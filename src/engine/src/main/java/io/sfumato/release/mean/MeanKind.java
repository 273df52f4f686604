// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Private numbers, sums and means of what records hold. */
public final class MeanKind implements ReleaseKind {
  @Override
  public String word() {
    return "mean";
  }

  /** Laplace noise is purely private; other methods say that they cannot be afforded. */
  @Override
  public boolean needsDelta() {
    return false;
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return MeanReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return MeanReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new MeanView());
  }
}
