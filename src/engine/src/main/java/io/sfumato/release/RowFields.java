// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;

/** The category fields that rows of a pipeline have: each is a column of the topic of rows. */
public final class RowFields {
  private RowFields() {}

  /** Of all outputs, in their order. */
  public static List<String> of(Pipeline pipeline) {
    return pipeline.outputs().stream()
        .map(OutputSpec::schema)
        .map(Releases::viewOf)
        .flatMap(Optional::stream)
        .map((OutputView view) -> view.categoryFields(pipeline))
        .flatMap(List::stream)
        .distinct()
        .toList();
  }
}
