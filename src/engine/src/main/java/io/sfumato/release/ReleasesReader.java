// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetReader;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.ContributionsReader;
import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputReader;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Problems;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.pipeline.TopicNames;
import io.sfumato.pipeline.ValueType.Whole;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.abc.AbcSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code releases:} of a pipeline file, and holds them against each other. */
final class ReleasesReader {
  private final InputSpec input;
  private final Optional<FeatureSpec> features;
  private final WindowSpec window;
  private final BudgetSpec budget;
  private final Optional<Population> population;

  /** What outputs are about that do not go by what the file says for all, by their names. */
  private final Map<String, Asked> own = new LinkedHashMap<>();

  /** Whether window and budget could be read, which say what releases must name. */
  private final boolean hasTerms;

  /**
   * What an output is about.
   *
   * @param input which records, and by which category
   * @param windows how many of the file's windows one window of it has
   * @param users what of a user counts
   */
  private record Asked(InputSpec input, int windows, Optional<Population> users) {}

  ReleasesReader(
      InputSpec input,
      Optional<FeatureSpec> features,
      WindowSpec window,
      BudgetSpec budget,
      Optional<Population> population,
      boolean hasTerms) {
    this.input = input;
    this.features = features;
    this.window = window;
    this.budget = budget;
    this.population = population;
    this.hasTerms = hasTerms;
  }

  /** All of them; what cannot be read is told. */
  FileOutputs read(Fields file) {
    List<ReleaseSpec> releases = new ArrayList<>();
    List<DerivedSpec> derived = new ArrayList<>();
    Releases.problems().forEach(file::problemBeside);
    for (ReleaseKind kind : Releases.kinds()) {
      kind.place()
          .filter(place -> file.mentions(place.section()))
          .ifPresent(
              place ->
                  releases.add(
                      section(
                          file.within(place.section(), ReleaseSections.of(kind)),
                          kind,
                          Optional.of(place.name()))));
    }
    boolean needed = releases.isEmpty();
    String allowed = allowed();
    List<JsonNode> items =
        needed || file.has(FileSections.RELEASES)
            ? file.list(FileSections.RELEASES).items(allowed)
            : List.of();
    for (int i = 0; i < items.size(); i++) {
      Fields item = file.item("releases", i, items.get(i), FileSections.RELEASE);
      output(item, releases, derived);
    }
    if (needed && items.isEmpty()) {
      file.problem("releases", "found none", allowed);
    }
    return new FileOutputs(releases, derived, questions());
  }

  /** Outputs that are about the same share a question. */
  private List<OutputQuestion> questions() {
    Map<Asked, List<String>> outputs = new LinkedHashMap<>();
    own.forEach(
        (name, asked) -> outputs.computeIfAbsent(asked, same -> new ArrayList<>()).add(name));
    List<OutputQuestion> questions = new ArrayList<>();
    outputs.forEach(
        (asked, names) ->
            asked
                .users()
                .ifPresent(
                    users ->
                        questions.add(
                            new OutputQuestion(names, asked.input(), asked.windows(), users))));
    return questions;
  }

  /** What an output is about: what it says itself, or else what the file says for all. */
  private Asked asked(Fields fields, ReleaseKind kind) {
    if (!kind.boundsUsers()) {
      return new Asked(input, 1, population);
    }
    InputSpec records = InputReader.own(fields, input, population);
    Optional<Population> users = ContributionsReader.own(fields, population, input);
    int windows = windows(fields);
    // An example is of all records in the file's windows.
    return new Asked(
        records,
        windows,
        records.equals(input) && windows == 1 ? users : users.map(Population::ofOtherRecords));
  }

  private int windows(Fields fields) {
    if (!hasTerms) {
      fields.has(ReleaseSections.WINDOW);
      return 1;
    }
    int windows = new OwnWindows(window, budget.period()).of(fields);
    if (windows > 1 && input.discovers()) {
      fields.conflict(
          "window",
          "found with 'input.categories.discover'",
          "only with listed categories, since names are bounded over all outputs");
    }
    if (windows > 1 && population.isEmpty()) {
      fields.conflict("window", "found without 'input.user'", "only where users are named");
    }
    return windows;
  }

  /** The kinds that stand under {@code releases:}. */
  static List<ReleaseKind> listed() {
    return Releases.kinds().stream().filter(kind -> kind.place().isEmpty()).toList();
  }

  static String allowed() {
    List<String> words = words();
    String others =
        words.subList(1, words.size() - 1).stream()
            .map(", '- %s: {…}'"::formatted)
            .collect(Collectors.joining());
    return "a list of releases, each '- %s: {name: …, share: {…}}'%s or '- %s: {…}'"
        .formatted(words.get(0), others, words.get(words.size() - 1));
  }

  private static List<String> words() {
    return Stream.concat(
            listed().stream().map(ReleaseKind::word),
            Releases.derived().stream().map(DerivedKind::word))
        .toList();
  }

  private void output(Fields item, List<ReleaseSpec> releases, List<DerivedSpec> derived) {
    List<ReleaseKind> kinds = listed().stream().filter(kind -> item.has(kind.word())).toList();
    List<DerivedKind> made =
        Releases.derived().stream().filter(kind -> item.has(kind.word())).toList();
    item.refuseUnknown();
    if (kinds.size() + made.size() == 1) {
      kinds.forEach(kind -> releases.add(release(item, kind)));
      made.forEach(
          kind -> derived.add(derived(section(item, kind.word(), ReleaseSections.of(kind)), kind)));
    } else if (!item.wasTold()) {
      List<String> found = words().stream().filter(item::has).toList();
      item.problemHere(
          found.isEmpty() ? "found no release" : "found " + String.join(" and ", found),
          "one of " + String.join(", ", words()));
    }
  }

  private static Fields section(Fields item, String word, Section section) {
    return item.section(FieldSpec.section(word, section));
  }

  private ReleaseSpec release(Fields item, ReleaseKind kind) {
    ReleaseSpec spec =
        section(section(item, kind.word(), ReleaseSections.of(kind)), kind, Optional.empty());
    if (spec.answersQueries() && !(spec instanceof AbcSpec)) {
      item.problemHere("answers queries", "a release of closed windows, or one of 'abc'");
    }
    if (Releases.viewOf(spec.schema()).isEmpty()) {
      item.problemHere(
          "publishes records of the schema " + spec.schema().getFullName(),
          "one that outputs() of its kind has a view of");
    }
    return spec;
  }

  /**
   * One release.
   *
   * @param usual the output's name, where the section may leave it out
   */
  private ReleaseSpec section(Fields fields, ReleaseKind kind, Optional<String> usual) {
    String name =
        usual.isPresent() && !fields.has(ReleaseSections.NAME)
            ? usual.get()
            : fields.get(ReleaseSections.NAME);
    String topic = topic(fields, name);
    ShareSpec share = share(fields, name, kind);
    Asked asked = asked(fields, kind);
    if (!asked.equals(new Asked(input, 1, population))) {
      own.put(name, asked);
    }
    long horizon = kind.lastsWindows() ? horizon(fields, asked) : 1;
    ReleaseSpec spec =
        kind.read(
            new ReleaseFields(
                fields,
                new ReleaseSpec.Head(
                    name,
                    topic,
                    kind.outputs().stream().map(OutputView::schema).findFirst(),
                    share,
                    horizon),
                asked.input(),
                features,
                asked.users(),
                budget.period()));
    fields.refuseUnknown();
    return spec;
  }

  private static DerivedSpec derived(Fields fields, DerivedKind kind) {
    String name = fields.get(ReleaseSections.NAME);
    DerivedSpec spec = kind.read(fields, name, topic(fields, name));
    fields.refuse(
        "share", "found one", "none: '" + kind.word() + "' is made of what is published, for free");
    fields.refuseUnknown();
    return spec;
  }

  private static String topic(Fields fields, String name) {
    String topic = fields.optional(ReleaseSections.TOPIC).orElse(name);
    TopicNames.checkTopic(fields, fields.has(ReleaseSections.TOPIC) ? "topic" : "name", topic);
    return topic;
  }

  private static ShareSpec share(Fields fields, String name, ReleaseKind kind) {
    Fields share = fields.section(ReleaseSections.share(kind));
    String ledger = share.optional(ReleaseSections.LEDGER).orElse(name);
    ShareSpec spec =
        new ShareSpec(
            BudgetReader.epsilon(share),
            kind.needsDelta() ? BudgetReader.delta(share) : BudgetReader.deltaOr0(share),
            ledger);
    share.refuseUnknown();
    return spec;
  }

  /**
   * How many windows start in one budget period, or are due in those that a span touches; a
   * lifetime must say for how many it is planned. Where records are charged, how many of a user
   * count.
   */
  private long horizon(Fields fields, Asked asked) {
    Period period = budget.period();
    if (!hasTerms) {
      fields.has(ReleaseSections.WINDOWS);
      return 1;
    }
    Optional<Population> charged = asked.users().filter(Population::chargesRecords);
    if (charged.isPresent()) {
      fields.refuse(
          "windows",
          "found beside 'contributions.per-period'",
          "none: the share covers that many records of a user, in whatever windows they lie");
      return charged.get().perPeriod().getAsInt();
    }
    OptionalLong inPeriod = window.times(asked.windows()).mostIn(period);
    if (inPeriod.isPresent()) {
      return windows(fields, 1, inPeriod.getAsLong(), inPeriod.getAsLong());
    }
    if (period instanceof Period.Span span) {
      long touched = Math.max(1, SpanCalendar.windowsIn(span, window)) + 1;
      long most = span.pace().isPresent() ? span.pace().getAsInt() + 1L : touched;
      return windows(fields, span.pace().isPresent() ? most : 1, most, most);
    }
    if (period instanceof Period.Window) {
      return windows(fields, 1, 1, 1);
    }
    return fields.get(ReleaseSections.WINDOWS);
  }

  private static long windows(Fields fields, long lowest, long highest, long otherwise) {
    return fields
        .optional(ReleaseSections.WINDOWS.within(new Whole<>(lowest, highest, Long::valueOf)))
        .orElse(otherwise);
  }

  /** What kinds refuse of the whole file. */
  void checkKinds(List<ReleaseSpec> releases, Problems problems) {
    releases.stream()
        .flatMap(
            release ->
                release
                    .conflicts(
                        budget,
                        own.containsKey(release.name())
                            ? own.get(release.name()).users()
                            : population)
                    .stream())
        .distinct()
        .forEach(problems::conflict);
    new BoundsCheck(input, window, population).of(releases).forEach(problems::conflict);
    if (hasTerms) {
      budget
          .anySpan()
          .map(span -> new SpanCheck(span, window, population).of(releases))
          .ifPresent(conflicts -> conflicts.forEach(problems::conflict));
    }
  }

  /** Basic composition over the shares, in exact decimals. */
  void checkShares(List<ReleaseSpec> releases, Problems problems) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    for (ReleaseSpec release : releases) {
      epsilon = epsilon.add(release.share().epsilon().value());
      delta = delta.add(release.share().delta().value());
    }
    if (epsilon.compareTo(budget.epsilon().value()) > 0) {
      problems.conflict(exceeds("epsilon", epsilon, budget.epsilon().value()));
    }
    if (delta.compareTo(budget.delta().value()) > 0) {
      problems.conflict(exceeds("delta", delta, budget.delta().value()));
    }
  }

  private static String exceeds(String field, BigDecimal sum, BigDecimal budget) {
    return "field 'budget."
        + field
        + "': the shares add up to "
        + sum
        + ", the budget is "
        + budget
        + "; lower the shares or raise the budget";
  }
}
