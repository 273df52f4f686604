// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.ArrayItemsScaffold;
import io.sfumato.scaffold.Choices;
import io.sfumato.scaffold.DraftCheck;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.Guess;
import io.sfumato.scaffold.PersonField;
import io.sfumato.scaffold.SampleRecords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Which field of a record is what, for a new file. */
final class FieldOptions {
  @Option(names = "--subject", paramLabel = "FIELD", description = "Field of the subject.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "FIELD",
      description =
          "Field of the user, if many users feed one subject. Writes a pipeline that "
              + "protects users.")
  Optional<String> user = Optional.empty();

  @Option(names = "--time", paramLabel = "FIELD", description = "Field of the event time.")
  private Optional<String> time = Optional.empty();

  @Option(
      names = "--category",
      paramLabel = "FIELD",
      description =
          "Field of the category. Repeated: several fields together, in consistent tables.")
  private List<String> category = List.of();

  /** All at once, where nothing is looked at that could tell and nobody can be asked. */
  void requireAllNamed(Choices choices) throws RefusedException {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--subject", subject.isPresent());
    given.put("--time", time.isPresent());
    given.put("--category", !category.isEmpty());
    choices.requireNamed(given, "records to look at: --csv FILE or --from-topic TOPIC");
  }

  /** Asks for the person to protect, if nobody gave one and somebody can be asked. */
  void askUser(SampleRecords sample, List<String> listed, Choices choices) {
    if (user.isEmpty()) {
      user =
          new PersonField(sample, choices)
              .ask(
                  Stream.of(subject.stream(), time.stream(), category.stream(), listed.stream())
                      .flatMap(fields -> fields)
                      .toList());
    }
  }

  /**
   * Which field is what.
   *
   * @param listed fields that have a list each
   * @param several whether two fields may be guessed, since somebody is to list names anyway
   */
  FieldRoles fields(SampleRecords sample, List<String> listed, boolean several, Choices choices)
      throws RefusedException {
    if (user.isPresent()) {
      DraftCheck.requireField(sample, user.get());
    }
    List<String> said = category.isEmpty() ? listed : category;
    Guess look = new Guess(sample);
    Optional<String> likely =
        user.isPresent()
            ? look.group(Stream.concat(user.stream(), said.stream()).toList())
            : look.subject();
    String of = among(sample);
    String who =
        new PersonField(sample, choices)
            .confirmed(
                choices.decide(
                    "field of the subject",
                    PersonField.hint(user),
                    subject,
                    likely,
                    subjectOption(of),
                    "subject"));
    String when =
        choices.decide("field of the event time", time, look.time(), "--time" + of, "time");
    List<String> taken = List.of(who, when, user.orElse(who));
    List<String> what =
        said.isEmpty()
            ? choices.decideFields(
                "category",
                several
                    ? look.categories(taken)
                    : look.category(taken).map(this::each).stream().toList(),
                "--category" + of)
            : said;
    DraftCheck.requireCounted(user, what);
    return new FieldRoles(user, who, when, what);
  }

  /** Which fields there are, for whoever has to name one. */
  private static String among(SampleRecords sample) {
    return sample.fields().isEmpty() ? "" : ", one of " + String.join(", ", sample.fields());
  }

  /** Whoever counts many people in each branch would publish by person under --subject alone. */
  private String subjectOption(String among) {
    return "--subject"
        + among
        + (user.isPresent()
            ? " (what users are counted in)"
            : " (whose events they are; each output names its subject). To protect people "
                + "counted per place, item or group, give the person as --user FIELD and the "
                + "place, item or group as --subject FIELD");
  }

  /** In a population each item of an array may count. */
  private String each(String field) {
    return user.isPresent() ? ArrayItemsScaffold.each(field) : field;
  }
}
