// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.record.CanonicalName;
import java.util.Optional;

/** A name in a pipeline file, as records have it: another spelling would never match one. */
final class ListedName {
  private ListedName() {}

  /**
   * The name of a text; nothing, and a problem that is told, where it has none.
   *
   * @param field that the text is in
   */
  static Optional<String> of(Fields fields, String field, String text) {
    Optional<String> name = CanonicalName.ofText(text);
    if (name.isEmpty()) {
      fields.problem(
          field,
          text.isEmpty() ? "found an empty name" : "found a text that is no name",
          "1 to %d bytes of UTF-8 without control characters".formatted(CanonicalName.MOST_BYTES));
    }
    return name;
  }

  /** What is wrong with a name that is there twice, and told. */
  static void twice(Fields fields, String field, String name) {
    fields.problem(field, "found '" + name + "' in two spellings of Unicode", "each name once");
  }
}
