// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Synthetic items. */
public final class MollifierKind implements ReleaseKind {
  @Override
  public String word() {
    return "mollifier";
  }

  /** Items are purely private. */
  @Override
  public boolean needsDelta() {
    return false;
  }

  @Override
  public Section section() {
    return MollifierReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return MollifierReader.items(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new MollifierView());
  }
}
