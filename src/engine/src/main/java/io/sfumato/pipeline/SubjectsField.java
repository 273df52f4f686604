// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.Pipeline.Subjects;
import java.util.Optional;

/** Reads who is released: a word, a list, or how subjects are found. */
public final class SubjectsField {
  private static final String FIELD = "subjects";
  private static final String DISCOVER = "discover";

  private SubjectsField() {}

  /** What the file says; subjects that it lists, and how others are found, are read elsewhere. */
  public static Subjects of(Fields file) {
    if (file.isList(FIELD)) {
      return Subjects.LISTED;
    }
    if (file.isMapping(FIELD)) {
      Fields section = file.section(FIELD);
      if (!section.has(DISCOVER)) {
        section.problem(DISCOVER, "is missing", "a mapping: {share: {epsilon: …, delta: …}}");
      }
      section.refuseUnknown();
      return Subjects.DISCOVERED;
    }
    return file.choice(
        FIELD,
        EnumWords.either("observed", Subjects.OBSERVED, "roster", Subjects.ROSTER),
        Optional.of(Subjects.OBSERVED));
  }
}
