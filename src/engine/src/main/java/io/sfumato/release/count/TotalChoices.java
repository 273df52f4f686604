// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.additive.NoiseSum;
import io.sfumato.estimate.count.BestBound;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bounds C and D, and the part of the share that the count of left-out records gets, by the total
 * error on a public example: noise, and what lies beyond C + D. All choices spend the same share.
 *
 * @param count of all records of a window
 * @param leftOut that the file has beside it; its share is then part of what all choices spend
 * @param example of users
 */
record TotalChoices(PlannedCount count, Optional<PlannedCount> leftOut, ExampleUsers example) {
  /** True totals for which the error is told. */
  static final List<Long> TRUTHS = List.of(100L, 1_000L, 10_000L);

  private static final List<Integer> BOUNDS = List.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000);

  /** Parts of the share for what is left out, in percent. */
  static final List<Integer> PARTS = List.of(5, 10, 20, 30, 40, 50);

  /** Deviations of noise within which 95% of a sum lies, about: to compare choices with. */
  private static final double BROAD = 2;

  /**
   * One choice.
   *
   * @param perWindow C
   * @param leftOut D; 0 where nobody counts what is left out
   * @param part of the share for it, in percent
   * @param noise half the width of the total's interval
   * @param cutOff share of the example's records beyond C + D
   * @param isOfFile whether it is what the file says
   */
  record Choice(int perWindow, int leftOut, int part, long noise, double cutOff, boolean isOfFile) {
    /** How far the total is off, where the truth is so many records. */
    long at(long records) {
      return (long) Math.ceil(cutOff * records + noise);
    }
  }

  /** Those of a count that adds up all records of a window, where there is an example. */
  static Optional<TotalChoices> of(PlannedCount count, Pipeline pipeline) {
    CountSpec spec = count.spec();
    return spec.addsUpRecords() && !spec.population().chargesRecords()
        ? pipeline
            .population()
            .flatMap(Population::example)
            .map(example -> new TotalChoices(count, leftOutOf(pipeline), example))
        : Optional.empty();
  }

  private static Optional<PlannedCount> leftOutOf(Pipeline pipeline) {
    return pipeline.releases().stream()
        .filter(CountSpec.class::isInstance)
        .map(CountSpec.class::cast)
        .filter(other -> other.countsLeftOut() && !other.over().needsPast())
        .findFirst()
        .flatMap(CountMethods::planned);
  }

  /** Bounds that are worth comparing with the file's, where no user has more records. */
  static List<Integer> bounds(int most) {
    int enough = BOUNDS.stream().filter(bound -> bound >= most).findFirst().orElse(Population.MOST);
    return BOUNDS.stream().filter(bound -> bound <= enough).toList();
  }

  /** All that are told: the file's first, then others by their bounds. */
  List<Choice> all() {
    Set<Choice> choices = new LinkedHashSet<>();
    ofFile().ifPresent(choices::add);
    Stream.of(bounds(example.most()).stream(), Stream.of(perWindow()), bestBounds().stream())
        .flatMap(bounds -> bounds)
        .distinct()
        .sorted()
        .flatMap(bound -> withoutLeftOut(bound).stream())
        .filter(choice -> leftOut.isPresent() || choice.perWindow() != perWindow())
        .forEach(choices::add);
    choices.addAll(withLeftOut(TRUTHS));
    return List.copyOf(choices);
  }

  /** The best one for each true total, if users are as in the example. */
  private List<Integer> bestBounds() {
    Optional<AdditiveNoise> noise = noise(100, 1);
    return noise.isEmpty()
        ? List.of()
        : TRUTHS.stream().map(truth -> bestBound(truth, noise.get().halfWidth(1))).toList();
  }

  private int bestBound(long truth, long halfWidth) {
    double each = truth / (double) example.records().stream().mapToLong(n -> n).sum();
    SortedMap<Integer, Double> users = new TreeMap<>();
    example.records().forEach(records -> users.merge(records, each, Double::sum));
    return BestBound.of(users, halfWidth, Population.MOST);
  }

  private int perWindow() {
    return count.spec().population().records();
  }

  private Optional<Choice> ofFile() {
    AdditiveNoise noise = count.plan().mechanism().noise();
    if (leftOut.isEmpty()) {
      return Optional.of(
          new Choice(perWindow(), 0, 0, noise.halfWidth(1), example.leftOut(perWindow()), true));
    }
    int lost = leftOut.get().spec().recordsOfUser();
    AdditiveNoise other = leftOut.get().plan().mechanism().noise();
    BigDecimal mine = leftOut.get().spec().share().epsilon().value();
    int part = (int) Math.round(100 * mine.doubleValue() / epsilon().doubleValue());
    return Optional.of(
        new Choice(
            perWindow(),
            lost,
            part,
            new NoiseSum(noise, other).halfWidth(),
            example.leftOut(perWindow() + lost),
            true));
  }

  /** All of the share for the count alone. */
  private Optional<Choice> withoutLeftOut(int bound) {
    return noise(100, bound)
        .map(found -> new Choice(bound, 0, 0, found.halfWidth(1), example.leftOut(bound), false));
  }

  /** A D and a part, with the deviation of both noises together. */
  private record Candidate(int lost, int part, double deviation, double cutOff) {
    double error(long truth) {
      return cutOff * truth + BROAD * deviation;
    }
  }

  /**
   * The file's C with the best D and part for each true total. They are found by deviations, which
   * grow in proportion to the bound; the noise of a choice is then planned, and its interval exact.
   */
  List<Choice> withLeftOut(List<Long> truths) {
    List<Candidate> candidates = example.most() > perWindow() ? candidates() : List.of();
    return truths.stream()
        .flatMap(
            truth ->
                candidates.stream()
                    .min(Comparator.comparingDouble(candidate -> candidate.error(truth)))
                    .stream())
        .distinct()
        .flatMap(best -> planned(best.lost(), best.part()).stream())
        .toList();
  }

  private List<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (int part : PARTS) {
      Optional<AdditiveNoise> own = noise(100 - part, 1);
      Optional<AdditiveNoise> other = noise(part, 1);
      if (own.isPresent() && other.isPresent()) {
        double mine = perWindow() * own.get().continuousDeviation();
        for (int lost : leftOutBounds()) {
          double deviation = StrictMath.hypot(mine, lost * other.get().continuousDeviation());
          candidates.add(new Candidate(lost, part, deviation, example.leftOut(perWindow() + lost)));
        }
      }
    }
    return candidates;
  }

  private List<Integer> leftOutBounds() {
    int needed = Math.min(Population.MOST, example.most() - perWindow());
    return Stream.concat(
            BOUNDS.stream().filter(bound -> bound < needed), Stream.of(Math.max(1, needed)))
        .toList();
  }

  /** The file's C with a count of what is left out. */
  Optional<Choice> planned(int lost, int part) {
    return noise(100 - part, perWindow())
        .flatMap(
            own ->
                noise(part, lost)
                    .map(
                        other ->
                            new Choice(
                                perWindow(),
                                lost,
                                part,
                                new NoiseSum(own, other).halfWidth(),
                                example.leftOut(perWindow() + lost),
                                false)));
  }

  /** What a part of all shares together affords by the file's method, of so many records. */
  private Optional<AdditiveNoise> noise(int percent, int records) {
    BigDecimal part = BigDecimal.valueOf(percent, 2);
    CountSpec spec =
        count
            .spec()
            .paidBy(new Epsilon(epsilon().multiply(part)), new Delta(delta().multiply(part)))
            .boundedBy(records);
    return CountMethods.ofOneWindow(spec).stream()
        .findFirst()
        .map(plan -> plan.mechanism().noise());
  }

  private BigDecimal epsilon() {
    BigDecimal own = count.spec().share().epsilon().value();
    return leftOut.map(lost -> own.add(lost.spec().share().epsilon().value())).orElse(own);
  }

  private BigDecimal delta() {
    BigDecimal own = count.spec().share().delta().value();
    return leftOut.map(lost -> own.add(lost.spec().share().delta().value())).orElse(own);
  }

  /** Adds a table to what a plan says of the count. */
  void addTo(Facts facts) {
    List<Choice> choices = all();
    facts
        .row("choices")
        .say(
            "of 'per-window' and 'left-out' for this total, with the same share of the budget. 'off by' is noise and cut-off records together, where the true total is %s records:",
            TRUTHS.stream()
                .map(truth -> String.format(Locale.ROOT, "%,d", truth))
                .collect(Collectors.joining(" or ")))
        .table("choices", choices.stream().map(choice -> row(choice, choices)).toList())
        .row("choices")
        .say(
            "a larger 'per-window' needs less noise than 'left-out'. Choose 'left-out' where other "
                + "outputs need a small 'per-window'");
  }

  private static Facts row(Choice choice, List<Choice> all) {
    Facts row = Facts.of().number("per-window", "per_window", choice.perWindow());
    if (choice.leftOut() > 0) {
      row.number("left-out", "left_out", choice.leftOut())
          .number("for", "part", choice.part() / 100.0, Form.PERCENT, "of the share");
    }
    row.bar("within", "error_95", choice.noise(), "")
        .percent("cut off", "cut_off", choice.cutOff());
    Facts errors = Facts.of();
    TRUTHS.forEach(
        truth ->
            errors.number(
                "",
                Long.toString(truth),
                choice.at(truth),
                String.format(Locale.ROOT, "of %,d", truth)));
    row.group("off by", "total_error_95", errors);
    String best =
        TRUTHS.stream()
            .filter(truth -> all.stream().allMatch(other -> choice.at(truth) <= other.at(truth)))
            .map(truth -> String.format(Locale.ROOT, "%,d", truth))
            .collect(Collectors.joining(" and "));
    if (!best.isEmpty()) {
      row.words("BEST of", "best_of", best);
    }
    return choice.isOfFile() ? row.say("(the file's)") : row;
  }
}
