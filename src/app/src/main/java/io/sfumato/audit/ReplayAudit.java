// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Replays whole pipelines over neighbouring logs, in this process: whatever leaves must be the
 * same, byte by byte, but for what the protected records may touch; exact inputs of draws must lie
 * no further apart than their charges assume; and what was really lost must be paid for.
 *
 * <p>Comparisons are exact, and every law is known in closed form: nothing is found by chance.
 *
 * @param neighbours most neighbours that are tried, at least 1
 * @param windows most windows of a log, at least 3
 * @param randomScenes logs of which nothing is planned, at least 0
 * @param seed of all that is chosen
 */
public record ReplayAudit(int neighbours, int windows, int randomScenes, long seed) {
  /** Each log is cut into slices in this many ways beside the plainest. */
  private static final int CUTS = 3;

  /** One defect shows in many neighbours: this many tell enough. */
  private static final int MOST_SHOWN = 20;

  public ReplayAudit {
    if (neighbours < 1 || neighbours > 100_000) {
      throw new IllegalArgumentException("neighbours must be 1 to 100000, was " + neighbours);
    }
    if (windows < 3 || windows > 10_000) {
      throw new IllegalArgumentException("windows must be 3 to 10000, was " + windows);
    }
  }

  /** As the command does it by default. */
  public static ReplayAudit usual(long seed) {
    return new ReplayAudit(96, 130, 6, seed);
  }

  /**
   * What was found.
   *
   * @param replays runs of the pipeline
   * @param neighbours pairs of runs that were compared
   * @param draws with different exact inputs, over all pairs
   * @param reordered runs of which slices changed nothing but the order of what is about different
   *     datasets, where that order is public
   * @param lossRatio largest true loss over charged loss; at most 1 if the promise is kept
   * @param lossAt where it is, in words
   * @param unjudged names of outputs whose loss nobody knows: their laws have no closed form
   * @param violations in the order in which they were found
   */
  public record Findings(
      long replays,
      long neighbours,
      long draws,
      long reordered,
      double lossRatio,
      String lossAt,
      Set<String> unjudged,
      List<Violation> violations) {
    public Findings {
      unjudged = Collections.unmodifiableSet(new TreeSet<>(unjudged));
      violations = List.copyOf(violations);
    }

    /** How many are of one of these kinds. */
    public long count(Violation.Kind... kinds) {
      return violations.stream().filter(v -> List.of(kinds).contains(v.kind())).count();
    }

    /** Those worth printing: the first of each kind and place. */
    public List<Violation> shown() {
      Map<String, Integer> seen = new HashMap<>();
      return violations.stream()
          .filter(v -> seen.merge(v.kind().name(), 1, Integer::sum) <= MOST_SHOWN)
          .toList();
    }
  }

  /**
   * Replays.
   *
   * @param folder for stores, empty again when it is done
   * @param progress runs after each neighbour and each way to cut slices; see {@link #steps}
   * @throws IllegalArgumentException if nobody can make up records for the file; says why
   */
  public Findings of(Plan plan, Path folder, Runnable progress) {
    return of(plan, folder, progress, violation -> false);
  }

  /**
   * Replays until there is a violation that is enough.
   *
   * @param folder for stores, empty again when it is done
   * @param progress as above
   * @param enough whether nothing else need be looked for
   * @throws IllegalArgumentException if nobody can make up records for the file; says why
   */
  Findings of(Plan plan, Path folder, Runnable progress, Predicate<Violation> enough) {
    return new Session(staged(plan), folder, progress, enough).findings();
  }

  /** Made-up history begins where it is made up: under ticks windows count from there. */
  private Plan staged(Plan plan) {
    Pipeline pipeline = StagedInput.of(plan.pipeline());
    WindowSpec window = pipeline.window();
    if (window.clock() == Clock.TICKS) {
      long begin = new ScenarioSetting(pipeline, windows).start();
      pipeline = pipeline.with(window.beginningAt(begin));
    }
    return new Plan(pipeline, plan.releases());
  }

  /** How often {@code progress} runs. */
  public long steps(Plan plan) {
    long steps = 0;
    List<AuditScenario> scenarios = scenarios(plan);
    for (AuditScenario scenario : scenarios) {
      steps += CUTS + neighboursOf(plan, scenarios, scenario).size();
    }
    return steps;
  }

  private List<AuditScenario> scenarios(Plan plan) {
    return new Scenes(plan.pipeline(), windows).all(seed, randomScenes);
  }

  /** A third of them in the first scene, which has the worst cases; the rest in equal parts. */
  private List<Neighbour> neighboursOf(
      Plan plan, List<AuditScenario> scenarios, AuditScenario scenario) {
    int worst = (neighbours + 2) / 3;
    int most =
        scenario.equals(scenarios.get(0))
            ? worst
            : (neighbours - worst) / Math.max(1, scenarios.size() - 1);
    return new Neighbours(plan.pipeline(), seed).of(scenario.log(), Math.max(1, most));
  }

  /** One audit of one pipeline. */
  private final class Session {
    private final Plan plan;
    private final Replay replay;
    private final Runnable progress;
    private final Predicate<Violation> enough;
    private final List<Violation> violations = new ArrayList<>();
    private long pairs;
    private long draws;
    private long reordered;
    private double ratio;
    private String ratioAt = "";
    private final Set<String> unjudged = new TreeSet<>();

    Session(Plan plan, Path folder, Runnable progress, Predicate<Violation> enough) {
      this.plan = plan;
      this.replay = new Replay(plan, folder);
      this.progress = progress;
      this.enough = enough;
    }

    Findings findings() {
      List<AuditScenario> scenarios = scenarios(plan);
      for (int i = 0; i < scenarios.size() && !isOver(); i++) {
        look(scenarios.get(i), neighboursOf(plan, scenarios, scenarios.get(i)));
      }
      return new Findings(
          replay.runs(), pairs, draws, reordered, ratio, ratioAt, unjudged, violations);
    }

    private boolean isOver() {
      return violations.stream().anyMatch(enough);
    }

    private void look(AuditScenario scenario, List<Neighbour> neighbours) {
      Run whole = replay.run(scenario.log(), SliceSchedule.whole());
      cut(scenario, whole);
      for (int i = 0; i < neighbours.size() && !isOver(); i++) {
        compare(scenario, neighbours.get(i), whole);
        progress.run();
      }
    }

    /**
     * The same log, in other slices. Where single records are protected, slices follow public facts
     * alone, so that the order of what is about different datasets tells nothing, and may follow
     * them: a candidate does not wait for releases of others.
     */
    private void cut(AuditScenario scenario, Run whole) {
      whole
          .stopped()
          .ifPresent(
              why -> violate(Violation.Kind.REPLAY, scenario.name(), "the pipeline stops: " + why));
      boolean ofRecords = plan.pipeline().budget().unit() == PrivacyUnit.RECORD;
      for (int i = 0; i < CUTS; i++) {
        Run other = replay.run(scenario.log(), SliceSchedule.random(seed + i));
        Comparison.Order order =
            ofRecords ? Comparison.Order.OF_EACH_DATASET : Comparison.Order.OF_ALL;
        List<String> found = compared(Change.none(), order, whole, other);
        found.forEach(
            what ->
                violate(
                    Violation.Kind.SLICING,
                    scenario.name(),
                    "the log cut into other slices: " + what));
        if (found.isEmpty()
            && !compared(Change.none(), Comparison.Order.OF_ALL, whole, other).isEmpty()) {
          reordered++;
        }
        progress.run();
      }
    }

    private List<String> compared(Change change, Comparison.Order order, Run first, Run second) {
      return new Comparison(plan.pipeline(), replay.schemas(), change, order).of(first, second);
    }

    private void compare(AuditScenario scenario, Neighbour neighbour, Run whole) {
      pairs++;
      // Half of the pairs in slices of their own, each two cut by the same decisions.
      boolean sliced = pairs % 2 == 0;
      long cuts = seed + pairs;
      Run first =
          sliced
              ? replay.run(neighbour.first(), SliceSchedule.random(cuts))
              : neighbour.first().equals(scenario.log())
                  ? whole
                  : replay.run(neighbour.first(), SliceSchedule.whole());
      Run second =
          replay.run(
              neighbour.second(), sliced ? SliceSchedule.random(cuts) : SliceSchedule.whole());
      Change change = Change.between(plan.pipeline(), neighbour.first(), neighbour.second());
      String where = scenario.name() + ", " + neighbour.name();
      compared(change, Comparison.Order.OF_ALL, first, second)
          .forEach(what -> violate(Violation.Kind.REPLAY, where, what));
      if (first.stopped().isPresent() || second.stopped().isPresent()) {
        return;
      }
      ExactLoss.Finding loss = ExactLoss.of(plan, change, first, second);
      loss.distances().forEach(what -> violate(Violation.Kind.DISTANCE, where, what));
      loss.losses().forEach(what -> violate(Violation.Kind.LOSS, where, what));
      draws += loss.draws();
      unjudged.addAll(loss.unjudged());
      if (loss.ratio() > ratio) {
        ratio = loss.ratio();
        ratioAt = where + ": " + loss.at();
      }
    }

    private void violate(Violation.Kind kind, String where, String what) {
      violations.add(new Violation(kind, where, what));
    }
  }
}
