// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Section;
import java.util.List;

/** Private tables of several columns that agree with each other. */
public final class TableKind implements ReleaseKind {
  @Override
  public String word() {
    return "table";
  }

  @Override
  public boolean boundsUsers() {
    return true;
  }

  @Override
  public Section section() {
    return TableReader.SECTION;
  }

  @Override
  public ReleaseSpec read(ReleaseFields fields) {
    return TableReader.read(fields);
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new TableView());
  }
}
