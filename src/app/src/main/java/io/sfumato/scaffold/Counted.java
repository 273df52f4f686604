// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a draft counts: a field's names, or those of several fields together.
 *
 * @param fields 1 to {@value #MOST}
 * @param names where those of each come from; of several fields they are listed, or yet to be
 */
public record Counted(List<String> fields, List<NameSource> names) {
  /** Fields that may be counted together. */
  public static final int MOST = 8;

  public Counted {
    fields = List.copyOf(fields);
    names = List.copyOf(names);
    if (fields.isEmpty() || fields.size() > MOST || fields.size() != names.size()) {
      throw new IllegalArgumentException("1 to " + MOST + " fields, each with its names");
    }
    if (fields.size() > 1 && names.stream().anyMatch(NameSource.Discovered.class::isInstance)) {
      throw new IllegalArgumentException("names of several fields are not found");
    }
  }

  /** Of one field. */
  static Counted of(String field, NameSource names) {
    return new Counted(List.of(field), List.of(names));
  }

  boolean isSeveral() {
    return fields.size() > 1;
  }

  /** Whether the pipeline finds the names itself. */
  public boolean isFound() {
    return names.get(0) instanceof NameSource.Discovered;
  }

  /** What stands in the file after {@code category:}. */
  String inFile() {
    return isSeveral()
        ? fields.stream().map(DraftWords::quoted).collect(Collectors.joining(", ", "[", "]"))
        : DraftWords.quoted(fields.get(0));
  }
}
