// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A whole pipeline under the attack of one run: each of very many subjects holds one canary, and
 * their outputs of one window are all that the attacker sees. The topology is the one that
 * production runs; every run has a state epoch of its own, so that it has noise of its own.
 */
public final class PipelineCanaries {
  private final String name;
  private final Plan plan;
  private final int canaries;
  private final Canary canary;
  private long runs;

  private PipelineCanaries(String name, Plan plan, int canaries, Canary canary) {
    this.name = name;
    this.plan = plan;
    this.canaries = canaries;
    this.canary = canary;
  }

  /**
   * What is in, or out.
   *
   * @param records of the canary; under unit user of as many users as are said
   * @param users whose they are, at least 1
   */
  public record Canary(int records, int users) {
    /** One record, or one user with more of them than may count. */
    public static final Canary PROTECTED = new Canary(1, 1);
  }

  /** Users of a subject are counted, purely. */
  public static PipelineCanaries count(int canaries, Canary canary) {
    return of(
        "count of users",
        canaries,
        canary,
        "user",
        "  - count: { name: told, method: laplace, by: total, share: { epsilon: 1, delta: 1e-6 } }\n");
  }

  /** A subject's records by category, of which one is another one. */
  public static PipelineCanaries histogram(int canaries, Canary canary) {
    return of(
        "histogram of records",
        canaries,
        canary,
        "record",
        "  - histogram: { name: told, method: laplace, share: { epsilon: 1, delta: 1e-6 }, plan-size: 10 }\n");
  }

  /** Users of a subject by category, by a Dirichlet draw. */
  public static PipelineCanaries histogramOfUsers(int canaries, Canary canary) {
    return of(
        "Dirichlet histogram of users",
        canaries,
        canary,
        "user",
        "  - histogram: { name: told, method: dirichlet, share: { epsilon: 1, delta: 1e-6 }, plan-size: 10 }\n");
  }

  private static PipelineCanaries of(
      String name, int canaries, Canary canary, String unit, String releases) {
    boolean users = unit.equals("user");
    String yaml =
        "pipeline: attacked\nversion: 1\n"
            + "input: { topic: events, format: json, subject: ward, "
            + (users ? "user: patient, " : "")
            + "time: at, category: kind, categories: [in, out] }\n"
            + (users
                ? "contributions: { per-window: 1 }\nsubjects: ["
                    + IntStream.range(0, canaries)
                        .mapToObj(PipelineCanaries::subject)
                        .collect(Collectors.joining(", "))
                    + "]\n"
                : "")
            + "window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-01-05 }\n"
            + "budget: { name: attacked, unit: "
            + unit
            + ", epsilon: 1, delta: 1e-6, period: window }\nreleases:\n"
            + releases;
    try {
      return new PipelineCanaries(
          name, Plan.of(name, PipelineFile.parse(name, yaml)), canaries, canary);
    } catch (PipelineFileException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String subject(int canary) {
    return String.format(Locale.ROOT, "s%06d", canary);
  }

  /** The same pipeline with other canaries. */
  public PipelineCanaries with(Canary other) {
    return new PipelineCanaries(name, plan, canaries, other);
  }

  /** For people. */
  public String name() {
    return name;
  }

  /** Its only release is charged for one draw of each subject. */
  public Plan plan() {
    return plan;
  }

  /**
   * A run with some canaries in, and a score of each: above 0 where it seems to be in.
   *
   * @param folder for the stores of the runs
   */
  public Function<boolean[], double[]> game(Path folder) {
    Replay replay = new Replay(plan, folder);
    return in ->
        centred(
            told(replay.run(log(in), SliceSchedule.whole(), new StateEpoch(7, ++runs)), replay));
  }

  private AuditLog log(boolean[] in) {
    ScenarioSetting stage = new ScenarioSetting(plan.pipeline(), 3);
    LogWriter log = stage.writer(1);
    boolean replaced = plan.pipeline().budget().unit() == PrivacyUnit.RECORD;
    log.tick(stage.start() + plan.pipeline().window().grace().toMillis());
    for (int i = 0; i < canaries; i++) {
      // Out is another category where records are replaced, and nothing where users leave.
      for (int r = 0; (in[i] || replaced) && r < canary.records(); r++) {
        String who = "u" + i + "-" + r % canary.users();
        log.record(who, subject(i), stage.startOf(0) + 1 + r, in[i] ? 0 : 1);
      }
    }
    log.tick(stage.closing(0));
    return log.log();
  }

  private double[] told(Run run, Replay replay) {
    if (run.stopped().isPresent()) {
      throw new IllegalStateException(run.stopped().get().toString());
    }
    double[] told = new double[canaries];
    int seen = 0;
    for (Run.Published output : run.outputs().get(plan.pipeline().outputs().get(0).topic())) {
      Payload payload = Payload.of(output.value(), replay.schemas()).orElseThrow();
      int place = Integer.parseInt(payload.text("subject").substring(1));
      told[place] = score(payload);
      seen++;
    }
    if (seen != canaries) {
      throw new IllegalStateException(seen + " outputs of " + canaries + " subjects");
    }
    return told;
  }

  private static double score(Payload payload) {
    Object counts = payload.fields().get("counts");
    Object shares = payload.fields().get("probabilities");
    List<?> numbers =
        (List<?>) (counts instanceof List<?> whole && !whole.isEmpty() ? whole : shares);
    double first = ((Number) numbers.get(0)).doubleValue();
    return numbers.size() == 1 ? first : first - ((Number) numbers.get(1)).doubleValue();
  }

  /** By the middle one of all: as many are in as out, nearly. */
  private static double[] centred(double[] scores) {
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    double middle = (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
    return Arrays.stream(scores).map(score -> score - middle).toArray();
  }
}
