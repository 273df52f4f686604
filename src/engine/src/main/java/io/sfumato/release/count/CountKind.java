// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Private numbers of records. */
public final class CountKind implements ReleaseKind {
  @Override
  public String word() {
    return "count";
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return CountReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return CountReader.count(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new CountView(), new HistoryCountView());
  }
}
