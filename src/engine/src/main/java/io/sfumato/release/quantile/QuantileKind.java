// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Private quantiles of what records hold. */
public final class QuantileKind implements ReleaseKind {
  @Override
  public String word() {
    return "quantile";
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return QuantileReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return QuantileReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new QuantileView());
  }
}
