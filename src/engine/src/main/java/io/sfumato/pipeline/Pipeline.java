// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.mechanism.abc.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One pipeline file, validated: one deployable topology.
 *
 * @param name of the pipeline; prefix of its own topics
 * @param version at least 1; grows with every change of the file
 * @param input where records come from and which of their fields are read
 * @param window how event time is cut
 * @param features what is kept of the records' numbers, if they have any
 * @param reservoir most records that are kept of a dataset, where items are drawn from numbers
 * @param subjects who is released
 * @param listed the subjects of the file's list, if it has one
 * @param population whose records count, where many users feed one subject
 * @param budget what all releases of a subject may spend together
 * @param releases what is drawn and published, at least one
 * @param derived what is made of what they publish
 * @param format of everything that is published
 * @param kafka client and Streams properties
 * @param questions of outputs that are about something of their own; most files have none
 * @param rows whether the rows of outputs have a topic; this bears on nothing that is released
 */
public record Pipeline(
    String name,
    int version,
    InputSpec input,
    WindowSpec window,
    Optional<FeatureSpec> features,
    Optional<Integer> reservoir,
    Subjects subjects,
    List<String> listed,
    Optional<Population> population,
    BudgetSpec budget,
    List<ReleaseSpec> releases,
    List<DerivedSpec> derived,
    OutputFormat format,
    Map<String, String> kafka,
    List<OutputQuestion> questions,
    Rows rows) {
  /** What becomes of the rows of outputs. */
  public enum Rows {
    /** Whoever wants them makes them of outputs. */
    NONE,
    /** They are published to a topic of their own. */
    PUBLISHED
  }

  public Pipeline {
    listed = List.copyOf(listed);
    releases = List.copyOf(releases);
    derived = List.copyOf(derived);
    kafka = Map.copyOf(kafka);
    questions = List.copyOf(questions);
  }

  /** One whose outputs are all about the same. */
  public Pipeline(
      String name,
      int version,
      InputSpec input,
      WindowSpec window,
      Optional<FeatureSpec> features,
      Optional<Integer> reservoir,
      Subjects subjects,
      List<String> listed,
      Optional<Population> population,
      BudgetSpec budget,
      List<ReleaseSpec> releases,
      List<DerivedSpec> derived,
      OutputFormat format,
      Map<String, String> kafka) {
    this(
        name,
        version,
        input,
        window,
        features,
        reservoir,
        subjects,
        listed,
        population,
        budget,
        releases,
        derived,
        format,
        kafka,
        List.of(),
        Rows.NONE);
  }

  /** The same with other windows. */
  public Pipeline with(WindowSpec other) {
    return with(input, other, population, format, questions);
  }

  /** The same with outputs in another format. */
  public Pipeline with(OutputFormat other) {
    return with(input, window, population, other, questions);
  }

  /** The same with records of other topics. */
  public Pipeline with(InputTopics topics) {
    return withInputs(records -> records.with(topics));
  }

  /**
   * The same with other fields.
   *
   * @param others what becomes of the file's input, and of what questions have in its place
   */
  public Pipeline withInputs(UnaryOperator<InputSpec> others) {
    return with(
        others.apply(input),
        window,
        population,
        format,
        questions.stream().map(question -> question.with(others.apply(question.input()))).toList());
  }

  /** The same with other users. */
  public Pipeline with(Population other) {
    return with(
        input,
        window,
        Optional.of(other),
        format,
        questions.stream().map(question -> question.withUser(other.user())).toList());
  }

  private Pipeline with(
      InputSpec records,
      WindowSpec windows,
      Optional<Population> users,
      OutputFormat written,
      List<OutputQuestion> asked) {
    return new Pipeline(
        name, version, records, windows, features, reservoir, subjects, listed, users, budget,
        releases, derived, written, kafka, asked, rows);
  }

  /**
   * The file as each of its questions sees it: with the releases and the bounds of this question
   * alone, as if it had a file of its own. The first one is that of all outputs that say nothing
   * else, which may be none.
   */
  public List<Pipeline> parts() {
    return IntStream.rangeClosed(0, questions.size()).mapToObj(this::part).toList();
  }

  /** The file as one question sees it: its number, 0 for that of the file. */
  private Pipeline part(int question) {
    if (questions.isEmpty()) {
      return this;
    }
    return question == 0
        ? part(releasesOf(0), new Selection(input, 1), population)
        : part(
            releasesOf(question),
            questions.get(question - 1).selection(),
            Optional.of(questions.get(question - 1).population()));
  }

  /** The releases of a question: its number, 0 for that of the file. */
  List<ReleaseSpec> releasesOf(int question) {
    return releases.stream().filter(release -> questionOf(release) == question).toList();
  }

  private Pipeline part(List<ReleaseSpec> own, Selection records, Optional<Population> users) {
    return new Pipeline(
        name,
        version,
        records.input(),
        window.times(records.windows()),
        features.filter(kept -> own.stream().anyMatch(ReleaseSpec::measuresFeatures)),
        reservoir,
        subjects,
        listed,
        users,
        budget,
        own,
        derived,
        format,
        kafka);
  }

  /** The number of a release's question; 0 for that of the file, 1 for the first of its own. */
  public int questionOf(ReleaseSpec release) {
    for (int number = 0; number < questions.size(); number++) {
      if (questions.get(number).outputs().contains(release.name())) {
        return number + 1;
      }
    }
    return 0;
  }

  /** The file as a release's question sees it. */
  public Pipeline partOf(ReleaseSpec release) {
    return part(questionOf(release));
  }

  /** Who is released when a window closes. */
  public enum Subjects {
    /** Every subject with at least one record in the window. */
    OBSERVED,
    /** Every enrolled subject, records or none: presence in the window stays hidden. */
    ROSTER,
    /** Every subject of the file's list, likewise. */
    LISTED,
    /** Every subject that an output found in an earlier window, likewise. */
    DISCOVERED;

    /** Whether who is released is public: nothing depends on records but by outputs. */
    public boolean isFixed() {
      return this != OBSERVED;
    }
  }

  /** The topic of refusals. */
  public String refusalsTopic() {
    return name + "-refusals";
  }

  /** The topic of dead letters. */
  public String deadLettersTopic() {
    return name + "-dead-letters";
  }

  /** The topic that says how far windows are released. */
  public String releasedTopic() {
    return name + "-released";
  }

  /** The topic of rows, which is there where the file asks for it. */
  public String rowsTopic() {
    return name + ".rows";
  }

  /**
   * What it writes for others: the topics of outputs in their order, refusals, progress, dead
   * letters, rows.
   */
  public List<String> writtenTopics() {
    return Stream.of(
            outputs().stream().map(OutputSpec::topic),
            Stream.of(refusalsTopic(), releasedTopic(), deadLettersTopic()),
            rows == Rows.NONE ? Stream.<String>empty() : Stream.of(rowsTopic()))
        .flatMap(topics -> topics)
        .toList();
  }

  /** The topic of operators' commands. */
  public String controlTopic() {
    return name + "-control";
  }

  /** The topic of modellers' candidates. */
  public String candidatesTopic() {
    return name + "-candidates";
  }

  /** All that has a topic of its own, what is derived behind what is drawn. */
  public List<OutputSpec> outputs() {
    return Stream.<OutputSpec>concat(releases.stream(), derived.stream()).toList();
  }

  /** What is made of an output. */
  public List<DerivedSpec> derivedOf(String output) {
    return derived.stream().filter(made -> made.sources().contains(output)).toList();
  }

  /** The name of an output, and of all that is made of its records, hence goes by what it does. */
  public Stream<String> withDerived(String output) {
    return Stream.concat(Stream.of(output), derivedOf(output).stream().map(DerivedSpec::name));
  }

  /** The outputs that answer queries. */
  public List<ReleaseSpec> queries() {
    return releases.stream().filter(ReleaseSpec::answersQueries).toList();
  }

  /** Whether it is told how many of users' records their bounds left out. */
  public boolean countsLeftOut() {
    return population.isPresent() && population.get().leftOut().isPresent();
  }

  /** Whether names, or subjects, are found among users' records by tests with thresholds. */
  public boolean discoversAmongUsers() {
    return population.isPresent() && (input.discovers() || subjects == Subjects.DISCOVERED);
  }

  /** Whether users are counted, so that subjects can be found by them. */
  public boolean countsUsers() {
    return subjects == Subjects.DISCOVERED;
  }

  /** In which cells distinct users are counted; nothing where no release counts them. */
  public Optional<CellPlaces> cells() {
    return releases.stream().flatMap(release -> release.cells().stream()).reduce(CellPlaces::with);
  }

  /** Whether users are counted who have more records than count or are told as left out. */
  public boolean countsBeyond() {
    return cells().filter(CellPlaces::beyond).isPresent();
  }

  /** Of how many last windows distinct users are counted together; 1 where it is each alone. */
  public int lastOfUsers() {
    return cells().stream().mapToInt(CellPlaces::last).max().orElse(1);
  }

  /** Which sums of numbers are kept for summary statistics; nothing where none is measured. */
  public Optional<NumberSums.Layout> sums() {
    List<Summary> measured =
        releases.stream().flatMap(release -> release.summaries().stream()).toList();
    return measured.isEmpty() ? Optional.empty() : Optional.of(NumberSums.Layout.of(measured));
  }

  /** What releases keep of records one by one: each rule once, in the order of their texts. */
  public List<RecordAggregation> tallies() {
    SortedMap<String, RecordAggregation> rules = new TreeMap<>();
    releases.stream()
        .flatMap(release -> release.tallies().stream())
        .forEach(rule -> rules.putIfAbsent(rule.canonical(), rule));
    return List.copyOf(rules.values());
  }

  /**
   * The public range of one of the records' numbers, as the first release that has one says.
   *
   * @param place of the number among {@code input.values}, from 0
   */
  public Optional<NumberBounds> bounds(int place) {
    return ranges(place).stream().findFirst();
  }

  /**
   * All public ranges of one of the records' numbers, each once, in the releases' order.
   *
   * @param place of the number among {@code input.values}, from 0
   */
  public List<NumberBounds> ranges(int place) {
    return releases.stream().flatMap(release -> release.bounds(place).stream()).distinct().toList();
  }

  /** The release that finds bounds of one of the records' numbers, if there is one. */
  public Optional<ReleaseSpec> boundsOf(int place) {
    return releases.stream()
        .filter(release -> release.boundsFound().equals(OptionalInt.of(place)))
        .findFirst();
  }

  /** Whether it is kept for which names a user's records of a period have counted. */
  public boolean boundsNamesOfPeriods() {
    return population
        .filter(users -> users.perPeriod().isPresent() && users.oneName().isPresent())
        .isPresent();
  }

  /** Whether something is left of draws to later ones. */
  public boolean remembers() {
    return releases.stream().anyMatch(ReleaseSpec::remembers);
  }

  /**
   * Whether a release may be drawn of a window, and is charged for it. Whoever draws and whoever
   * charges ask here, so that neither comes without the other. Where users are protected this
   * follows from the calendar; elsewhere every window is due of what is released once a period,
   * until the ledger of its subject has that one charge.
   */
  public boolean isDue(ReleaseSpec release, long windowStart) {
    WindowSpec own = windowOf(release);
    long start = own == window ? windowStart : own.startOf(windowStart);
    if (own != window && own.endOf(start) != window.endOf(windowStart)) {
      // A longer window is decided with its last one.
      return false;
    }
    Schedule schedule = population.isEmpty() ? Schedule.EVERY_WINDOW : release.schedule();
    return schedule.isDue(budget.period(), own, start);
  }

  /** The windows of a release, which may have several of the file's. */
  public WindowSpec windowOf(ReleaseSpec release) {
    int question = questionOf(release);
    return question == 0 ? window : window.times(questions.get(question - 1).windows());
  }

  /**
   * Start of the first window of which a release is due by the calendar, from the window on in
   * which a time lies; nothing where that is no matter of a calendar: of queries, which modellers
   * time, of what each subject's first window pays, and where its one turn is over.
   */
  public OptionalLong nextDue(ReleaseSpec release, long time) {
    boolean everyWindow = release.schedule() == Schedule.EVERY_WINDOW;
    return release.answersQueries() || population.isEmpty() && !everyWindow
        ? OptionalLong.empty()
        : release
            .schedule()
            .nextDue(
                budget.period(),
                windowOf(release),
                Math.max(windowOf(release).startOf(time), window.begin().orElse(Long.MIN_VALUE)));
  }

  /** Whether anything may be drawn of a window: records of others do not count. */
  public boolean counts(long windowStart) {
    return Schedule.EVERY_WINDOW.isDue(budget.period(), window, windowStart);
  }

  /** In which windows anything is released, where every span of a length is a period. */
  public Optional<SpanCalendar> calendar() {
    return budget.anySpan().map(span -> SpanCalendar.of(span, window));
  }

  /** For how many windows after its close a dataset answers; 0 without queries. */
  public int keep() {
    return queries().stream().mapToInt(ReleaseSpec::keep).max().orElse(0);
  }

  /**
   * The application that owns the budget's ledger. It follows the budget, not the pipeline's name,
   * so that renaming a pipeline cannot start a second ledger.
   */
  public String applicationId() {
    return applicationIdOf(budget.name());
  }

  /** The application that owns a budget's ledger. */
  public static String applicationIdOf(String budget) {
    return "sfumato-" + budget;
  }
}
