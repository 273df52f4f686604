// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Noisy sums of the features of records' numbers. */
public final class FeatureSumsKind implements ReleaseKind {
  @Override
  public String word() {
    return "features";
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return FeatureSumsReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return FeatureSumsReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new FeatureSumsView());
  }
}
