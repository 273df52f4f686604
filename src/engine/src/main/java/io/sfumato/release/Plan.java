// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Selection;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.window.CalendarWindows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What a pipeline will do, before it touches any data: the parameters of every release, its share's
 * one order, what it costs and how long it lasts.
 *
 * @param pipeline that is planned
 * @param releases in the file's order
 */
public record Plan(Pipeline pipeline, List<PlannedRelease> releases) {
  /** What {@link #layout} calls what is kept of records one by one. */
  static final String TALLIES = "values that releases keep";

  /** What {@link #layout} calls the topics of the records: versions may append to them. */
  public static final String TOPICS = "input.topic";

  private static final String FEATURES = "features";

  private static final String RESERVOIR = "reservoir";

  /** What {@link #layout} calls how a subject's dataset is made of records that count. */
  public static final Set<String> OF_DATASETS = Set.of(TALLIES, FEATURES, RESERVOIR);

  /** Before what {@link #layout} calls the categories of a selection: what states call it. */
  public static final String CATEGORIES_OF = "categories of selection ";

  /** Before what {@link #layout} calls the records of an output: its ledger. */
  public static final String RECORDS_OF = "records of output ";

  /** What {@link #layout} calls the beginning of windows. */
  public static final String BEGIN = "window.begin";

  private static final PlansMade MADE = new PlansMade();

  public Plan {
    releases = List.copyOf(releases);
  }

  /**
   * Plans every release.
   *
   * @throws PipelineFileException if a share cannot afford its horizon, a unit does not fit, or
   *     something may become larger than a Kafka record
   */
  public static Plan of(String file, Pipeline pipeline) throws PipelineFileException {
    List<String> problems = new ArrayList<>();
    List<PlannedRelease> planned = new ArrayList<>();
    for (ReleaseSpec release : pipeline.releases()) {
      PlannedRelease found;
      try {
        found = MADE.of(release);
      } catch (UnplannableException e) {
        problems.add("release '%s': %s".formatted(release.name(), e.getMessage()));
        continue;
      }
      PrivacyUnit unit = found.charge().unit();
      PrivacyUnit ledger = pipeline.budget().unit();
      // Where many users feed a subject, a promise about its datasets says nothing about a user
      // who is in several.
      if (pipeline.population().isPresent() ? unit != ledger : !unit.implies(ledger)) {
        problems.add(
            "release '%s' protects the unit '%s', which says nothing about the budget's unit '%s'; use a budget of unit '%s'"
                .formatted(release.name(), unit.word(), ledger.word(), unit.word()));
      }
      problems.addAll(KindCheck.problems(pipeline.partOf(release), found));
      planned.add(found);
    }
    if (!problems.isEmpty()) {
      throw new PipelineFileException(file, problems);
    }
    Plan plan = new Plan(pipeline, planned);
    List<String> tooLarge = WorstCase.of(plan).problems();
    if (!tooLarge.isEmpty()) {
      throw new PipelineFileException(file, tooLarge);
    }
    return plan;
  }

  /** This plan with other parameters of some releases, in the same order. */
  public Plan with(UnaryOperator<PlannedRelease> change) {
    return new Plan(pipeline, releases.stream().map(change).toList());
  }

  /** The release of a name that the file has. */
  public PlannedRelease release(String name) {
    return releases.stream()
        .filter(release -> release.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The releases that an output is made of. */
  public List<PlannedRelease> sources(DerivedSpec derived) {
    return derived.sources().stream().map(this::release).toList();
  }

  /** The releases of one kind, in the file's order. */
  public <T extends PlannedRelease> List<T> all(Class<T> kind) {
    return releases.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * How datasets are made of records: what no new version of a file may change, by what it is
   * called in messages.
   */
  public SortedMap<String, String> layout() {
    InputSpec input = pipeline.input();
    SortedMap<String, String> layout = new TreeMap<>();
    layout.put("pipeline", pipeline.name());
    // Of several the state has a list: versions may append to it.
    layout.put(
        TOPICS,
        input.topics().pattern().isPresent() ? "pattern" : input.topics().only().orElse("several"));
    layout.put("input.format", CanonicalText.of(input.format()));
    layout.put("input.subject", input.subject());
    layout.put("input.time", input.time());
    // As the formats of a file that names none.
    if (!input.formats().canonical().isEmpty()) {
      layout.put(
          "input.time-format, input.zone, input.key-format",
          input.formats().canonical().replaceFirst("^, ", ""));
    }
    layout.put("input.category", input.category().orElse("none"));
    // Counts of listed categories have places, those of names do not.
    if (input.discovers()) {
      layout.put("input.categories", "discover");
    }
    // Places of categories that are not listed one by one are those of these columns alone.
    input
        .columns()
        .filter(columns -> input.discovers() || input.isWide())
        .ifPresent(columns -> layout.put("input.category columns", columns.canonical()));
    layout.put("input.values", CanonicalText.of(input.values()));
    input.weight().ifPresent(field -> layout.put("input.weight", field));
    input.id().ifPresent(part -> layout.put("input.id", part));
    if (!input.where().conditions().isEmpty()) {
      layout.put("input.where", input.where().canonical());
    }
    putCut(layout, pipeline.window());
    layout.put("window.clock", CanonicalText.of(pipeline.window().clock()));
    // States that began without it are not asked for it.
    pipeline
        .window()
        .begin()
        .ifPresent(begin -> layout.put(BEGIN, pipeline.window().startText(begin)));
    layout.put("subjects", CanonicalText.of(pipeline.subjects()));
    // Every state has this name, so that none can be gone on with that lacks the sums.
    layout.put(
        FEATURES,
        pipeline.features().map(CanonicalText::of).orElse("none")
            + pipeline.sums().map(sums -> ", sums of " + sums.canonical()).orElse(""));
    if (!pipeline.tallies().isEmpty()) {
      layout.put(
          TALLIES,
          CanonicalText.of(pipeline.tallies().stream().map(RecordAggregation::canonical).toList()));
    }
    layout.put(RESERVOIR, pipeline.reservoir().map(String::valueOf).orElse("none"));
    pipeline.population().ifPresent(population -> layout.put("input.user", population.user()));
    putQuestions(layout);
    return layout;
  }

  /**
   * Of what is not about the file's own selection: counts are stored by places of its categories,
   * and what an output remembers is about its records.
   */
  private void putQuestions(SortedMap<String, String> layout) {
    Selections selections = Selections.of(pipeline);
    List<Integer> ids = selections.ids();
    for (int number = 1; number < ids.size(); number++) {
      layout.put(
          CATEGORIES_OF + ids.get(number),
          String.join("\n", selections.all().get(number).input().allCategories()));
    }
    for (ReleaseSpec release : pipeline.releases()) {
      int question = pipeline.questionOf(release);
      int selection = ids.get(selections.of(question));
      boolean isOfLast = release.cells().filter(cells -> cells.last() > 1).isPresent();
      int cells = isOfLast ? selections.cellsId(question) : 0;
      if (selection != Selection.OF_FILE || cells != 0) {
        layout.put(RECORDS_OF + release.share().ledger(), selection + " " + cells);
      }
    }
  }

  /** What files without a zone do not have leaves their layout as it always was. */
  private static void putCut(SortedMap<String, String> layout, WindowSpec window) {
    Optional<CalendarWindows> calendar = window.calendar();
    if (calendar.isPresent()) {
      layout.put("window.size", calendar.get().unit().word());
      layout.put("window.origin", calendar.get().origin().toString());
      layout.put("window.zone", calendar.get().zone());
    } else {
      layout.put("window.size", window.grid().longest().toString());
      layout.put("window.origin", Instant.ofEpochMilli(window.grid().anchor()).toString());
    }
  }

  /** {@link #digest()} in hexadecimal digits. */
  public String digestText() {
    return HexFormat.of().formatHex(digest());
  }

  /**
   * SHA-256 of everything in the file that bears on what is released: a running pipeline's state
   * refuses any other file.
   */
  public byte[] digest() {
    CanonicalEncoder encoder =
        new CanonicalEncoder()
            .text(pipeline.name())
            .number(pipeline.version())
            .text(CanonicalText.of(pipeline.input()))
            .text(CanonicalText.of(pipeline.window()))
            .text(CanonicalText.of(pipeline.subjects()))
            .text(CanonicalText.of(pipeline.budget()));
    pipeline.features().ifPresent(features -> encoder.text(CanonicalText.of(features)));
    pipeline.reservoir().ifPresent(encoder::number);
    // What files without users do not have leaves their digest as it always was.
    pipeline.population().ifPresent(population -> encoder.text(CanonicalText.of(population)));
    pipeline.listed().forEach(encoder::text);
    pipeline.questions().forEach(question -> encoder.text(question.canonical()));
    if (pipeline.format() != OutputFormat.AVRO) {
      encoder.text(CanonicalText.of(pipeline.format()));
    }
    for (PlannedRelease release : releases) {
      encoder.text(release.spec().name()).text(release.spec().topic());
      release.digest(encoder);
      encoder.text(release.charge().mechanism()).text(release.share().canonical());
    }
    // What files without derived outputs do not have leaves their digest as it always was.
    for (DerivedSpec derived : pipeline.derived()) {
      encoder.text("derived").text(derived.name()).text(derived.topic()).text(derived.of());
      derived.digest(encoder);
    }
    return encoder.digest();
  }
}
