// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.noise.Framing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
      Optional<PlannedRelease> found = MADE.of(release, () -> planned(release, problems));
      if (found.isEmpty()) {
        continue;
      }
      var unit = found.get().charge().unit();
      if (!unit.implies(pipeline.budget().unit())) {
        problems.add(
            "release '%s' protects the unit '%s', which says nothing about the budget's unit '%s'; use a budget of unit '%s'"
                .formatted(
                    release.name(), unit.word(), pipeline.budget().unit().word(), unit.word()));
      }
      planned.add(found.get());
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

  private static Optional<PlannedRelease> planned(ReleaseSpec release, List<String> problems) {
    if (release instanceof AbcSpec abc) {
      return Optional.of(new PlannedQueries(abc, QueryPlanner.plan(abc)));
    }
    if (release instanceof MollifierSpec items) {
      try {
        return Optional.of(MollifierPlanner.plan(items));
      } catch (IllegalArgumentException | ArithmeticException e) {
        problems.add("release '%s': %s".formatted(items.name(), e.getMessage()));
        return Optional.empty();
      }
    }
    if (release instanceof CountSpec counts) {
      return counts(counts, problems).map(plan -> plan);
    }
    return histogram((HistogramSpec) release, problems).map(plan -> plan);
  }

  private static Optional<PlannedCounts> counts(CountSpec spec, List<String> problems) {
    List<CountPlan> candidates = CountsPlanner.candidates(spec);
    if (candidates.isEmpty()) {
      problems.add(unaffordable(spec, spec.horizon()));
      return Optional.empty();
    }
    CountPlan best = candidates.get(0);
    return Optional.of(new PlannedCounts(spec, best, candidates, CountsPlanner.former(spec, best)));
  }

  private static String unaffordable(ReleaseSpec spec, long horizon) {
    return "release '%s': a share of epsilon %s and delta %s cannot afford %d releases; raise the share or plan fewer windows"
        .formatted(spec.name(), spec.share().epsilon(), spec.share().delta(), horizon);
  }

  private static Optional<PlannedHistogram> histogram(HistogramSpec spec, List<String> problems) {
    List<ReleasePlan> candidates = HistogramPlanner.candidates(spec);
    Optional<ReleasePlan> plan =
        candidates.stream().min(Comparator.comparingDouble(ReleasePlan::expectedKl));
    if (plan.isEmpty()) {
      problems.add(unaffordable(spec, spec.horizon()));
    }
    return plan.map(best -> new PlannedHistogram(spec, best, candidates));
  }

  /** This plan with other parameters of some releases, in the same order. */
  public Plan with(UnaryOperator<PlannedRelease> change) {
    return new Plan(pipeline, releases.stream().map(change).toList());
  }

  /** The planned histogram releases, in the file's order. */
  public List<PlannedHistogram> histograms() {
    return releases.stream()
        .filter(PlannedHistogram.class::isInstance)
        .map(PlannedHistogram.class::cast)
        .toList();
  }

  /** The planned counts, in the file's order. */
  public List<PlannedCounts> counts() {
    return releases.stream()
        .filter(PlannedCounts.class::isInstance)
        .map(PlannedCounts.class::cast)
        .toList();
  }

  /** The planned items, in the file's order. */
  public List<PlannedItems> items() {
    return releases.stream()
        .filter(PlannedItems.class::isInstance)
        .map(PlannedItems.class::cast)
        .toList();
  }

  /** The planned queries, in the file's order. */
  public List<PlannedQueries> queries() {
    return releases.stream()
        .filter(PlannedQueries.class::isInstance)
        .map(PlannedQueries.class::cast)
        .toList();
  }

  /**
   * How datasets are made of records: what no new version of a file may change, by what it is
   * called in messages.
   */
  public SortedMap<String, String> layout() {
    InputSpec input = pipeline.input();
    SortedMap<String, String> layout = new TreeMap<>();
    layout.put("pipeline", pipeline.name());
    layout.put("input.topic", input.topic());
    layout.put("input.format", CanonicalText.of(input.format()));
    layout.put("input.subject", input.subject());
    layout.put("input.time", input.time());
    layout.put("input.category", input.category().orElse("none"));
    layout.put("input.values", CanonicalText.of(input.values()));
    layout.put("window.size", pipeline.window().size().toString());
    layout.put("window.origin", Instant.ofEpochMilli(pipeline.window().origin()).toString());
    layout.put("window.clock", CanonicalText.of(pipeline.window().clock()));
    // States from before there was a beginning do not have it, and are not asked for it.
    pipeline.window().begin().ifPresent(begin -> layout.put(BEGIN, WindowSpec.beginText(begin)));
    layout.put("subjects", CanonicalText.of(pipeline.subjects()));
    layout.put("features", pipeline.features().map(CanonicalText::of).orElse("none"));
    layout.put("reservoir", pipeline.reservoir().map(String::valueOf).orElse("none"));
    pipeline.population().ifPresent(population -> layout.put("input.user", population.user()));
    return layout;
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
    Framing framing =
        new Framing()
            .text(pipeline.name())
            .number(pipeline.version())
            .text(CanonicalText.of(pipeline.input()))
            .text(CanonicalText.of(pipeline.window()))
            .text(CanonicalText.of(pipeline.subjects()))
            .text(CanonicalText.of(pipeline.budget()));
    pipeline.features().ifPresent(features -> framing.text(CanonicalText.of(features)));
    pipeline.reservoir().ifPresent(framing::number);
    // What files without users do not have leaves their digest as it always was.
    pipeline.population().ifPresent(population -> framing.text(CanonicalText.of(population)));
    pipeline.listed().forEach(framing::text);
    if (pipeline.format() != OutputFormat.AVRO) {
      framing.text(CanonicalText.of(pipeline.format()));
    }
    for (PlannedRelease release : releases) {
      framing.text(release.spec().name()).text(release.spec().topic());
      release.digest(framing);
      framing.text(release.charge().mechanism()).text(release.share().canonical());
    }
    return framing.digest();
  }
}
