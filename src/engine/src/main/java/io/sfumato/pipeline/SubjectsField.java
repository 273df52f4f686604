// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.ValueType.Mapping;
import io.sfumato.pipeline.ValueType.Word;
import java.util.List;
import java.util.Optional;

/** Reads who is released: a word, a list, or how subjects are found. */
public final class SubjectsField {
  private static final String FIELD = "subjects";
  private static final String DISCOVER = "discover";
  static final int MOST_LISTED = 100_000;

  private static final Word<Subjects> WORDS =
      new Word<>(EnumWords.either("observed", Subjects.OBSERVED, "roster", Subjects.ROSTER))
          .means("observed", "subjects that have records; the outputs make that public.")
          .means("roster", "subjects that an operator announces.");

  private static final Section DISCOVERY = section(Section.of("What finds subjects."));

  private static final FieldSpec<?> ANY = spec(DISCOVERY);

  private SubjectsField() {}

  /**
   * The field.
   *
   * @param discovery section of the output that finds subjects
   */
  public static FieldSpec<?> spec(Section discovery) {
    return FieldSpec.typed(
            FIELD,
            FieldTypes.either(
                    "observed, roster, a list of subjects, or {discover: {…}}",
                    WORDS.schema(),
                    FieldTypes.texts(1, MOST_LISTED).schema(),
                    section(discovery).schema())
                .part(".discover", discovery))
        .optional("observed")
        .means(
            "Which subjects have outputs ([where subjects come"
                + " from](../concepts/subjects-and-users.md#where-subjects-come-from)). Units user and"
                + " dataset need `roster`, a list or `discover`.")
        .example("[north, south]");
  }

  private static Section section(Section discovery) {
    return Section.of(
        "Subjects that are found privately.",
        FieldSpec.section(DISCOVER, discovery).means(discovery.meaning()).example("{share: …}"));
  }

  /**
   * Who is released.
   *
   * @param listed subjects of the file's list, if it has one
   */
  public record Choice(Subjects subjects, List<String> listed) {
    public Choice {
      listed = List.copyOf(listed);
    }

    private boolean fits(String constant) {
      return subjects == Subjects.OBSERVED || listed.equals(List.of(constant));
    }
  }

  /**
   * What the file says, but how subjects are found. A constant subject needs no list: where who has
   * records is protected, it is the list.
   *
   * @param constant the one subject of all records, where there is one
   */
  public static Choice choice(Fields file, Optional<String> constant, PrivacyUnit unit) {
    if (constant.isPresent() && !file.mentions(FIELD)) {
      return unit == PrivacyUnit.RECORD
          ? new Choice(Subjects.OBSERVED, List.of())
          : new Choice(Subjects.LISTED, List.of(constant.get()));
    }
    List<String> listed = file.isList(FIELD) ? InputReader.listed(file) : List.of();
    Choice choice = new Choice(of(file), listed);
    if (constant.isPresent() && !choice.fits(constant.get())) {
      file.conflict(
          FIELD,
          "found beside 'input.subject: {constant: %s}'".formatted(constant.get()),
          "no list: there is one subject");
    }
    return choice;
  }

  private static Subjects of(Fields file) {
    if (file.isList(FIELD)) {
      return Subjects.LISTED;
    }
    if (file.isMapping(FIELD)) {
      Fields section = file.section(ANY.as(new Mapping(DISCOVERY)));
      if (!section.has(DISCOVER)) {
        section.problem(DISCOVER, "is missing", "a mapping: {share: {epsilon: …, delta: …}}");
      }
      section.refuseUnknown();
      return Subjects.DISCOVERED;
    }
    return file.optional(ANY.as(WORDS)).orElse(Subjects.OBSERVED);
  }
}
