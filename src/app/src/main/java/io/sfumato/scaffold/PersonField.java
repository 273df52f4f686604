// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.Shell;
import io.sfumato.runtime.RefusedException;
import java.util.List;
import java.util.Optional;

/**
 * Who is protected and who is named. Outputs name their subjects, so whoever takes every default on
 * a terminal must not publish the names of people.
 *
 * @param sample records whose fields are known
 * @param choices by whom it is decided
 */
public record PersonField(SampleRecords sample, Choices choices) {
  /** An answer that names no field. */
  private static final String NONE = "-";

  /**
   * Asks for the person to protect; nothing where nobody can be asked, or nobody is to be
   * protected.
   *
   * @param taken fields that are something else
   */
  public Optional<String> ask(List<String> taken) {
    if (!choices.asks()) {
      return Optional.empty();
    }
    Optional<String> likely = new Guess(sample).person(taken);
    return choices
        .ask(
            "field of the person to protect, whose names are never published (%s%s for none) [%s]"
                .formatted(among(), NONE, likely.orElse(NONE)))
        .or(() -> likely)
        .filter(field -> !field.equals(NONE));
  }

  private String among() {
    return sample.fields().isEmpty() ? "" : "one of " + String.join(", ", sample.fields()) + "; ";
  }

  /** Behind the question for the subject. */
  public static String hint(Optional<String> user) {
    return user.map(" (what '%s' is counted in, such as a region; its names are public)"::formatted)
        .orElse(" (its names are public)");
  }

  /**
   * Asks once more where the subject looks like a person.
   *
   * @return the subject: another one, if that is the answer
   * @throws RefusedException if nobody says yes
   */
  public String confirmed(String subject) throws RefusedException {
    String field = subject;
    while (choices.asks() && new Guess(sample).isPerson(field)) {
      Optional<String> answer =
          choices.ask(
              "WARNING: '%s' looks like a person. As the subject, each one is NAMED in a public topic. Type yes to name them, or another field"
                  .formatted(field));
      if (answer.isEmpty()) {
        throw DraftCheck.wrong(
            "wrote nothing, because '%s' looks like a person, and nobody said yes: give the person as --user, and what people are counted in as --subject"
                .formatted(field));
      }
      if (answer.get().equalsIgnoreCase("yes")) {
        return field;
      }
      field = answer.get();
    }
    return field;
  }

  /** The same where nobody could be asked. */
  public Optional<String> warning(FieldRoles fields) {
    String subject = fields.subject();
    if (choices.asks() || !new Guess(sample).isPerson(subject)) {
      return Optional.empty();
    }
    return Optional.of(
        "WARNING: the subject '%s' looks like a person, and each subject is NAMED in a public topic. To protect people, give them as --user%s, and what they are counted in, such as a region, as --subject."
            .formatted(subject, fields.user().isPresent() ? "" : " " + Shell.word(subject)));
  }
}
