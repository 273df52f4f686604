// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.Bounds;
import io.sfumato.scaffold.Choices;
import io.sfumato.scaffold.Counted;
import io.sfumato.scaffold.DraftCheck;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.MeasuredField;
import io.sfumato.scaffold.NameSource;
import io.sfumato.scaffold.PopulationScaffold;
import io.sfumato.scaffold.PrivateListSelection;
import io.sfumato.scaffold.SampleRecords;
import io.sfumato.scaffold.Scaffold;
import io.sfumato.scaffold.TimeField;
import io.sfumato.scaffold.TopicField;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is said of a new file; the rest is asked for, or guessed from a sample and marked so. */
final class DraftOptions {
  /** Planned for where nothing is known. */
  private static final int USUAL = 40;

  private static final int USUAL_OF_MANY = 200;
  private static final String USUAL_WINDOW = "1d";

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Topic of the records; by default the one looked at.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = "--begin",
      paramLabel = "TIME",
      description =
          "With --user: start of the first window that counts, a day or a time. It becomes "
              + "public. A history (--csv) needs the begin of that history; by default the window "
              + "that is open now.")
  private Optional<Instant> begin = Optional.empty();

  @Option(
      names = "--value",
      paramLabel = "FIELD=LOW,HIGH",
      description =
          "A number whose sum and mean are released too, with its bounds. Bounds become "
              + "public: take them from what is possible, never from the data. Repeatable.")
  private List<String> values = List.of();

  @Option(
      names = "--contributions",
      paramLabel = "RECORDS,SUBJECTS",
      description =
          "With --user, PUBLIC: how many records of a user count in a window, and for how "
              + "many subjects; by default 4,1.")
  private Optional<String> contributions = Optional.empty();

  @Option(
      names = "--plan-size",
      paramLabel = "RECORDS",
      description =
          "PUBLIC guess of a subject's records in a window; by default 40, with --user 200.")
  private Optional<Integer> planSize = Optional.empty();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description = "Length of a window, such as 1h or 7d; by default 1d.")
  Optional<String> window = Optional.empty();

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      description = "Epsilon of the budget; by default 4.")
  private double epsilon = 4;

  @Option(
      names = "--lifetime",
      paramLabel = "WINDOWS",
      description =
          "One budget for a subject's lifetime that affords so many windows; by default each"
              + " window has a budget of its own.")
  private int lifetime = 0;

  @Mixin final FieldOptions fields = new FieldOptions();

  private final Choices choices = Choices.onTerminal();

  Choices choices() {
    return choices;
  }

  /** Refuses what is wrong whatever the records are. */
  void require() throws RefusedException {
    if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
      throw DraftCheck.wrong("--epsilon: found " + epsilon + ", allowed is a number above 0");
    }
    if (fields.user.isEmpty() && (contributions.isPresent() || begin.isPresent())) {
      throw DraftCheck.wrong("--contributions and --begin: only with --user");
    }
    if (planSize.isPresent() && planSize.get() < 1) {
      throw DraftCheck.wrong(
          "--plan-size: found " + planSize.get() + ", allowed is a number of records, at least 1");
    }
    if (fields.user.isPresent() && lifetime != 0) {
      throw DraftCheck.wrong(
          "--lifetime: with --user, write 'period: lifetime' and 'windows' into the file");
    }
    if (lifetime < 0) {
      throw DraftCheck.wrong(
          "--lifetime: found " + lifetime + ", allowed is a number of windows, at least 1");
    }
    size();
    bounds();
    measured();
  }

  /**
   * Asks whom to protect, where a person may be protected.
   *
   * @param listed fields that have a list each
   */
  void askUser(SampleRecords sample, List<String> listed) {
    if (lifetime == 0) {
      fields.askUser(sample, listed, choices);
    }
  }

  /** Numbers that are to be summarised. */
  List<MeasuredField> measured() throws RefusedException {
    return MeasuredField.parseAll(values);
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

  /** Length of windows. */
  Duration size() throws RefusedException {
    return DraftCheck.duration(window.orElse(USUAL_WINDOW));
  }

  /** What of a user counts. */
  Bounds bounds() throws RefusedException {
    return contributions.isPresent() ? Bounds.parse(contributions.get()) : Bounds.USUAL;
  }

  /** Whether its pipeline may find categories by itself: numbers need a list. */
  boolean findsCategories() {
    return fields.user.isPresent() && values.isEmpty();
  }

  /** The same of several fields, whose tables need lists. */
  boolean findsCategories(FieldRoles of) {
    return findsCategories() && of.category().size() == 1;
  }

  /**
   * The file.
   *
   * @param time how times are read
   * @param lists of names, found or said
   * @param records that were looked at
   */
  String yaml(
      String name,
      TopicField from,
      FieldRoles of,
      TimeField time,
      ListOptions lists,
      SampleOptions records)
      throws RefusedException {
    if (window.isEmpty()) {
      choices.guess("window");
    }
    if (planSize.isEmpty()) {
      choices.guess("records");
    }
    Optional<String> spent = lists.paid().map(PrivateListSelection.Answer::words);
    Counted counted = lists.categories(of, findsCategories(of));
    if (fields.user.isPresent()) {
      return crowd(name, from, of, time, counted, lists.subjects(), records, spent);
    }
    return new Scaffold(
            name,
            from,
            of.subject(),
            time,
            counted,
            size(),
            planSize.orElse(USUAL),
            epsilon,
            measured(),
            lifetime,
            choices.guessed(),
            spent)
        .yaml();
  }

  private String crowd(
      String name,
      TopicField from,
      FieldRoles of,
      TimeField time,
      Counted counted,
      NameSource subjects,
      SampleOptions records,
      Optional<String> spent)
      throws RefusedException {
    if (contributions.isEmpty()) {
      choices.guess("bounds");
    }
    decideBegin(records);
    long first = DraftCheck.begin(begin.orElseThrow(), size());
    return new PopulationScaffold(
            name,
            from,
            of.person(),
            of.subject(),
            subjects,
            time,
            counted,
            size(),
            WindowSpec.beginText(first),
            planSize.orElse(USUAL_OF_MANY),
            bounds(),
            records.csv.isEmpty(),
            measured(),
            epsilon,
            choices.guessed(),
            spent)
        .yaml();
  }

  /** The day of a history is public, and that of its first record is not. */
  private void decideBegin(SampleOptions records) throws RefusedException {
    if (begin.isPresent()) {
      return;
    }
    if (records.csv.isEmpty()) {
      choices.guess("begin");
      begin = Optional.of(Instant.ofEpochMilli(DraftCheck.open(size(), Instant.now())));
      return;
    }
    String said =
        choices.decide(
            "start of the first window (it becomes public; earlier records do not count)",
            Optional.empty(),
            Optional.empty(),
            "--begin, a day such as 2026-01-05",
            "begin");
    try {
      begin = Optional.of(Main.time(said));
    } catch (CommandLine.TypeConversionException e) {
      throw DraftCheck.wrong("--begin: " + e.getMessage());
    }
  }
}
