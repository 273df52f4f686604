// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
import java.util.regex.Pattern;

/** Reads {@code bounds:} of a pipeline file. */
final class BoundsReader {
  private static final Pattern FIELD = Pattern.compile("\\S(.{0,198}\\S)?");

  private BoundsReader() {}

  static BoundsSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    String value = fields.text("value", FIELD, "one of 'input.values'");
    int place = input.values().indexOf(value);
    if (place < 0) {
      fields.conflict(
          "value",
          "found '" + value + "'",
          input.values().isEmpty()
              ? "a field that 'input.values' names: it names none"
              : "one of 'input.values': " + String.join(", ", input.values()));
    }
    return new BoundsSpec(
        release.name(),
        release.topic(),
        value,
        Math.max(0, place),
        release.population(),
        release.share());
  }
}
