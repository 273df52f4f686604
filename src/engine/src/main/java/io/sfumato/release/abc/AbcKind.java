// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Answers to a modeller's candidates. */
public final class AbcKind implements ReleaseKind {
  @Override
  public String word() {
    return "abc";
  }

  /** It lasts for a number of queries. */
  @Override
  public boolean lastsWindows() {
    return false;
  }

  @Override
  public Section section() {
    return AbcReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return AbcReader.abc(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new DecisionView(), new WeightView());
  }
}
