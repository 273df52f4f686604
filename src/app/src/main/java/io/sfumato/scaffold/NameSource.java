// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.util.List;

/** Where the names of a draft's categories, or subjects, come from. */
public sealed interface NameSource {
  /**
   * A list that somebody said, or that was paid for.
   *
   * @param names in order
   */
  record Listed(List<String> names) implements NameSource {}

  /** The pipeline finds them itself, and pays for it. */
  record Discovered() implements NameSource {}

  /** Nobody said them: the file asks whoever edits it. */
  record Unsaid() implements NameSource {
    /** What stands in their place. */
    static final String TEXT = "[]";

    /** As in the file. */
    static final String LINE = "  categories: " + TEXT;
  }
}
