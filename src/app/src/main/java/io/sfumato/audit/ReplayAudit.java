// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
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
import java.util.stream.Stream;

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
   * @param sharedRatio largest true loss of all versions together over what their shares, or the
   *     budget, afford for one period in which each of them loses something; 0 without one
   * @param sharedAt where it is, in words
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
      double sharedRatio,
      String sharedAt,
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
    return of(Versions.of(plan), folder, progress, violation -> false);
  }

  /**
   * Replays a change of version: the former one releases what lies before a window in the middle of
   * a log, and the next one goes on.
   *
   * @param folder for stores, empty again when it is done
   * @param progress as above
   * @throws IllegalArgumentException if the next version cannot take over, or if nobody can make up
   *     records for it; says why
   */
  public Findings across(Plan former, Plan next, Path folder, Runnable progress) {
    return of(Versions.of(former, next), folder, progress, violation -> false);
  }

  /**
   * Replays until there is a violation that is enough.
   *
   * @param folder for stores, empty again when it is done
   * @param progress as above
   * @param enough whether nothing else need be looked for
   * @throws IllegalArgumentException if nobody can make up records for the file; says why
   */
  Findings of(Versions versions, Path folder, Runnable progress, Predicate<Violation> enough) {
    return new Session(versions.staged(windows), folder, progress, enough).findings();
  }

  /** How often {@code progress} runs. */
  public long steps(Plan plan) {
    return steps(Versions.of(plan));
  }

  /**
   * The same of a change of version.
   *
   * @throws IllegalArgumentException if the next version cannot take over; says why
   */
  public long steps(Plan former, Plan next) {
    return steps(Versions.of(former, next));
  }

  private long steps(Versions versions) {
    long steps = 0;
    Versions staged = versions.staged(windows);
    List<AuditScenario> scenarios = scenarios(staged);
    for (AuditScenario scenario : scenarios) {
      steps += CUTS + neighboursOf(staged, scenarios, scenario).size();
    }
    return steps;
  }

  private List<AuditScenario> scenarios(Versions versions) {
    return new Scenes(versions, windows).all(seed, randomScenes);
  }

  /** A third of them in the first scene, which has the worst cases; the rest in equal parts. */
  private List<Neighbour> neighboursOf(
      Versions versions, List<AuditScenario> scenarios, AuditScenario scenario) {
    int worst = (neighbours + 2) / 3;
    int most =
        scenario.equals(scenarios.get(0))
            ? worst
            : (neighbours - worst) / Math.max(1, scenarios.size() - 1);
    return new Neighbours(versions.last().pipeline(), seed).of(scenario.log(), Math.max(1, most));
  }

  /** One audit of one pipeline, or of one change of its version. */
  private final class Session {
    private final Versions versions;
    private final Replay replay;
    private final Runnable progress;
    private final Predicate<Violation> enough;
    private final List<Violation> violations = new ArrayList<>();
    private long pairs;
    private long draws;
    private long reordered;
    private double ratio;
    private String ratioAt = "";
    private LossAcrossVersions.Finding together = LossAcrossVersions.Finding.NONE;
    private final Set<String> unjudged = new TreeSet<>();

    Session(Versions versions, Path folder, Runnable progress, Predicate<Violation> enough) {
      this.versions = versions;
      this.replay = new Replay(versions, folder);
      this.progress = progress;
      this.enough = enough;
    }

    Findings findings() {
      List<AuditScenario> scenarios = scenarios(versions);
      for (int i = 0; i < scenarios.size() && !isOver(); i++) {
        look(scenarios.get(i), neighboursOf(versions, scenarios, scenarios.get(i)));
      }
      return new Findings(
          replay.runs(),
          pairs,
          draws,
          reordered,
          ratio,
          ratioAt,
          together.ratio(),
          together.at(),
          unjudged,
          violations);
    }

    private boolean isOver() {
      return violations.stream().anyMatch(enough);
    }

    private void look(AuditScenario scenario, List<Neighbour> neighbours) {
      List<Run> whole = replay.programs(scenario.log(), SliceSchedule.whole());
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
    private void cut(AuditScenario scenario, List<Run> whole) {
      whole.stream()
          .flatMap(run -> run.stopped().stream())
          .forEach(
              why -> violate(Violation.Kind.REPLAY, scenario.name(), "the pipeline stops: " + why));
      boolean ofRecords = versions.last().pipeline().budget().unit() == PrivacyUnit.RECORD;
      for (int i = 0; i < CUTS; i++) {
        List<Run> other = replay.programs(scenario.log(), SliceSchedule.random(seed + i));
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

    /** Each version with itself: what one of them does in both runs. */
    private List<String> compared(
        Change change, Comparison.Order order, List<Run> first, List<Run> second) {
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
        Pipeline pipeline = versions.plans().get(i).pipeline();
        differences.addAll(
            new Comparison(pipeline, replay.schemas(), change, order)
                .of(first.get(i), second.get(i)));
      }
      return differences;
    }

    private void compare(AuditScenario scenario, Neighbour neighbour, List<Run> whole) {
      pairs++;
      // Half of the pairs in slices of their own, each two cut by the same decisions.
      boolean sliced = pairs % 2 == 0;
      long cuts = seed + pairs;
      List<Run> first =
          sliced
              ? replay.programs(neighbour.first(), SliceSchedule.random(cuts))
              : neighbour.first().equals(scenario.log())
                  ? whole
                  : replay.programs(neighbour.first(), SliceSchedule.whole());
      List<Run> second =
          replay.programs(
              neighbour.second(), sliced ? SliceSchedule.random(cuts) : SliceSchedule.whole());
      Change change =
          Change.between(versions.last().pipeline(), neighbour.first(), neighbour.second());
      String where = scenario.name() + ", " + neighbour.name();
      compared(change, Comparison.Order.OF_ALL, first, second)
          .forEach(what -> violate(Violation.Kind.REPLAY, where, what));
      if (Stream.concat(first.stream(), second.stream())
          .anyMatch(run -> run.stopped().isPresent())) {
        return;
      }
      weigh(where, ExactLoss.of(versions, scenario.log(), change, first, second));
    }

    private void weigh(String where, ExactLoss.Finding loss) {
      loss.distances().forEach(what -> violate(Violation.Kind.DISTANCE, where, what));
      loss.losses().forEach(what -> violate(Violation.Kind.LOSS, where, what));
      draws += loss.draws();
      unjudged.addAll(loss.unjudged());
      if (loss.ratio() > ratio) {
        ratio = loss.ratio();
        ratioAt = where + ": " + loss.at();
      }
      if (loss.together().ratio() > together.ratio()) {
        together =
            new LossAcrossVersions.Finding(
                List.of(), loss.together().ratio(), where + ": " + loss.together().at());
      }
    }

    private void violate(Violation.Kind kind, String where, String what) {
      violations.add(new Violation(kind, where, what));
    }
  }
}
