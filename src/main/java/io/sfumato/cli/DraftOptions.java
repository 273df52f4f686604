// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.draft.ArrayItems;
import io.sfumato.draft.Choices;
import io.sfumato.draft.CrowdDraft;
import io.sfumato.draft.Draft;
import io.sfumato.draft.DraftCheck;
import io.sfumato.draft.Fields;
import io.sfumato.draft.Guess;
import io.sfumato.draft.MeasuredField;
import io.sfumato.draft.Sample;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** What is said of a new file; the rest is asked for, or guessed from a sample and marked so. */
final class DraftOptions {
  /** Planned for where nothing is known. */
  private static final int USUAL = 40;

  @Option(names = "--topic", description = "Topic of the records; by default the one looked at.")
  private Optional<String> topic = Optional.empty();

  @Option(names = "--subject", paramLabel = "FIELD", description = "Whose privacy it is.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "FIELD",
      description =
          "Whose privacy it is, where many users feed one subject: writes a pipeline of such"
              + " populations.")
  Optional<String> user = Optional.empty();

  @Option(
      names = "--subjects",
      split = ",",
      description =
          "With --user: the subjects. By default those that at least 10 users of the sample have:"
              + " the list becomes public.")
  private List<String> subjects = List.of();

  @Option(
      names = "--begin",
      paramLabel = "TIME",
      description =
          "With --user: start of the first window that counts, a day or a time; by default that of"
              + " the sample's earliest record. It becomes public.")
  private Optional<Instant> begin = Optional.empty();

  @Option(names = "--time", paramLabel = "FIELD", description = "Event time.")
  private Optional<String> time = Optional.empty();

  @Option(names = "--category", paramLabel = "FIELD", description = "What is counted.")
  private Optional<String> category = Optional.empty();

  @Option(
      names = "--categories",
      split = ",",
      description =
          "Allowed categories. By default those that at least 10 subjects of the sample have: the"
              + " list becomes public.")
  private List<String> categories = List.of();

  @Option(
      names = "--value",
      paramLabel = "FIELD=LOW,HIGH",
      description =
          "A number whose sum and mean are released too, and between what it counts: from what is possible,"
              + " never from the data, since the bounds become public. May be repeated.")
  private List<String> values = List.of();

  @Option(names = "--window", description = "Length of a window, such as 1h or 7d.")
  Optional<String> window = Optional.empty();

  @Option(names = "--epsilon", description = "Of the budget; by default 4.")
  private double epsilon = 4;

  @Option(
      names = "--lifetime",
      paramLabel = "WINDOWS",
      description =
          "One budget for a subject's lifetime that affords so many windows; by default each"
              + " window has a budget of its own.")
  private int lifetime = 0;

  private final Choices choices = Choices.onTerminal();

  Choices choices() {
    return choices;
  }

  /** Refuses what is wrong whatever the records are. */
  void require() throws RefusedException {
    if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
      throw DraftCheck.wrong("--epsilon: found " + epsilon + ", allowed is a number above 0");
    }
    if (categories.size() == 1) {
      throw DraftCheck.wrong("--categories: found one, allowed are at least two: --categories a,b");
    }
    if (user.isEmpty() && (!subjects.isEmpty() || begin.isPresent())) {
      throw DraftCheck.wrong("--subjects and --begin: only with --user");
    }
    if (user.isPresent() && lifetime != 0) {
      throw DraftCheck.wrong(
          "--lifetime: with --user, write 'period: lifetime' and 'windows' into the file");
    }
    if (lifetime < 0) {
      throw DraftCheck.wrong(
          "--lifetime: found " + lifetime + ", allowed is a number of windows, at least 1");
    }
    if (window.isPresent()) {
      DraftCheck.duration(window.get());
    }
    measured();
  }

  /** Numbers that are to be summarised. */
  List<MeasuredField> measured() throws RefusedException {
    List<MeasuredField> fields = new ArrayList<>();
    for (String value : values) {
      fields.add(MeasuredField.parse(value));
    }
    return fields;
  }

  /** All at once, where nothing is looked at that could tell and nobody can be asked. */
  void requireAllNamed() throws RefusedException {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--subject", subject.isPresent());
    given.put("--time", time.isPresent());
    given.put("--category", category.isPresent());
    given.put("--categories", !categories.isEmpty());
    choices.requireNamed(given, "records to look at: --csv FILE or --from-topic TOPIC");
  }

  /**
   * The topic of the records.
   *
   * @param looked the one that was looked at
   * @param name of the pipeline
   */
  String topic(Optional<String> looked, String name) throws RefusedException {
    return choices.decide(
        "topic of the records",
        topic.or(() -> looked).filter(t -> !t.isEmpty()),
        Optional.of(name),
        "--topic",
        "topic");
  }

  Fields fields(Sample sample) throws RefusedException {
    if (user.isPresent()) {
      DraftCheck.requireField(sample, user.get());
    }
    Guess look = new Guess(sample);
    Optional<String> likely =
        user.isPresent()
            ? look.group(user.get(), category.map(Set::of).orElse(Set.of()))
            : look.subject();
    String who = choices.decide("field of the subject", subject, likely, "--subject", "subject");
    String when = choices.decide("field of the event time", time, look.time(), "--time", "time");
    String what =
        choices.decide(
            "field of the category",
            category,
            look.category(Set.copyOf(List.of(who, when, user.orElse(who))))
                .map(field -> each(sample, field)),
            "--category",
            "category");
    DraftCheck.requireUser(user, what);
    return new Fields(user, who, when, what);
  }

  /** In a population each item of a topic's arrays may count; a row of CSV has no arrays. */
  private String each(Sample sample, String field) {
    return user.isPresent() && !sample.originals().isEmpty()
        ? new ArrayItems(sample).each(field)
        : field;
  }

  List<String> categories(Guess guess, Fields fields) throws RefusedException {
    if (!categories.isEmpty()) {
      return categories;
    }
    choices.guess("categories");
    List<String> found = guess.categories(fields.category(), fields.person());
    if (found.size() < 2) {
      throw DraftCheck.wrong(
          "fewer than 2 categories that at least %d subjects have were found: name them with --categories a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    return found;
  }

  Guess.Window window(Guess guess, Fields fields) throws RefusedException {
    if (window.isPresent()) {
      return guess.window(fields.subject(), fields.time(), DraftCheck.duration(window.get()));
    }
    choices.guess("window");
    return guess.window(fields.subject(), fields.time());
  }

  /**
   * The file.
   *
   * @param allowed categories
   * @param looked topic that was looked at
   */
  String yaml(
      String name,
      String from,
      Fields fields,
      List<String> allowed,
      Guess.Window found,
      Optional<String> looked,
      Guess guess)
      throws RefusedException {
    choices.guess("records");
    if (user.isPresent()) {
      int typical = guess.typicalRecords(fields.subject(), fields.time(), found.size());
      return crowd(name, from, fields, allowed, found.size(), planned(typical), looked, guess);
    }
    return new Draft(
            name,
            from,
            fields.subject(),
            fields.time(),
            fields.category(),
            allowed,
            found.size(),
            planned(found.records()),
            epsilon,
            measured(),
            lifetime,
            choices.guessed())
        .yaml();
  }

  private static int planned(int records) {
    return records > 1 ? records : USUAL;
  }

  private String crowd(
      String name,
      String from,
      Fields fields,
      List<String> allowed,
      Duration size,
      int records,
      Optional<String> looked,
      Guess guess)
      throws RefusedException {
    if (subjects.isEmpty()) {
      choices.guess("subjects");
    }
    if (begin.isEmpty()) {
      choices.guess("begin");
    }
    String person = fields.person();
    List<String> groups =
        subjects.isEmpty() ? guess.categories(fields.subject(), person) : subjects;
    if (groups.isEmpty()) {
      throw DraftCheck.wrong(
          "no subject that at least %d users have was found: name them with --subjects a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    choices.guess("bounds");
    long now = System.currentTimeMillis();
    long first = DraftCheck.begin(begin, size, guess.earliest(fields.time()).orElse(now));
    return new CrowdDraft(
            name,
            from,
            person,
            fields.subject(),
            groups,
            fields.time(),
            fields.category(),
            allowed,
            size,
            WindowSpec.beginText(first),
            records,
            guess.bounds(person, fields.subject(), fields.time(), size),
            looked.flatMap(read -> DraftCheck.ahead(first, now)),
            measured(),
            epsilon,
            choices.guessed())
        .yaml();
  }
}
