// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** A private distribution over the categories. */
public final class HistogramKind implements ReleaseKind {
  @Override
  public String word() {
    return "histogram";
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return HistogramReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return HistogramReader.histogram(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new HistogramView(), new HistoryView());
  }
}
