// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.OutputView;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names with the largest counts. */
public final class TopKind implements DerivedKind {
  private static final Pattern OUTPUT = Pattern.compile("[a-z][a-z0-9-]{0,62}");

  @Override
  public String word() {
    return "top";
  }

  @Override
  public DerivedSpec read(Fields fields, String name, String topic) {
    return new TopSpec(
        name,
        topic,
        fields.text("of", OUTPUT, "the name of an output of names"),
        (int) fields.whole("k", 1, TopSpec.MOST, Optional.empty()));
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new TopView());
  }
}
