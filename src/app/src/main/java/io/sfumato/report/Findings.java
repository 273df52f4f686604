// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What an audit found.
 *
 * @param kept whether every promise held
 * @param seed of all that was made up
 * @param effort how hard it looked
 * @param replays runs of the whole pipeline
 * @param neighbours pairs of logs that were compared
 * @param draws that differed, and were judged
 * @param largestLoss what was lost of what was charged, at most: 1 where a worst case is met
 *     exactly
 * @param violations what was found; empty if nothing was
 * @param notJudged outputs whose laws have no closed form
 * @param attacks histograms, by draws from worst cases
 */
public record Findings(
    boolean kept,
    long seed,
    Effort effort,
    long replays,
    long neighbours,
    long draws,
    double largestLoss,
    List<String> violations,
    List<String> notJudged,
    List<Attack> attacks) {

  /** Numbers that an audit counts violations by. */
  private static final List<String> COUNTS =
      List.of("replay_violations", "slicing_violations", "distance_violations", "loss_violations");

  /** Numbers that are told. */
  private static final List<String> TOLD =
      List.of("seed", "replays", "neighbours", "draws_compared", "loss_ratio_max");

  /** What roundings may add to the largest quotient of loss and charge. */
  private static final double ROUNDINGS = 1e-9;

  /**
   * Options of {@code sfumato audit}, which repeats it.
   *
   * @param draws of each neighbour of a histogram
   * @param failure with which a bound by draws may be wrong
   * @param neighbours most pairs of logs
   * @param windows most windows of a log
   * @param randomLogs logs in which anything happens
   */
  public record Effort(long draws, double failure, int neighbours, int windows, int randomLogs) {
    private static Effort of(JsonNode options) {
      if (!options.isObject()) {
        throw isNone("options");
      }
      for (String number : List.of("draws", "failure", "neighbours", "windows", "random_logs")) {
        if (!options.path(number).isNumber()) {
          throw isNone("options." + number);
        }
      }
      return new Effort(
          options.path("draws").asLong(),
          options.path("failure").asDouble(),
          options.path("neighbours").asInt(),
          options.path("windows").asInt(),
          options.path("random_logs").asInt());
    }
  }

  /** Epsilon of one release as claimed, and as draws prove that it is at least. */
  public record Attack(String output, double claimed, double atLeast, long draws) {}

  /**
   * Reads what {@code sfumato audit FILE -o json} printed. Whether every promise held is judged by
   * all that it says, so that one that was edited in one place does not pass for kept: it is not
   * signed, and whoever doubts it runs it again.
   *
   * @param planDigest of the plan that the sheet is about
   * @param program name and version of the program that writes the sheet
   * @throws IllegalArgumentException if it is none, of another plan, or of another program
   */
  public static Findings of(JsonNode audit, String planDigest, String program) {
    requireText(audit, "plan");
    if (!audit.path("plan").asText().equals(planDigest)) {
      throw new IllegalArgumentException(
          "it is about another file or version: its plan is %s, this file's plan is %s; audit this file"
              .formatted(audit.path("plan").asText(), planDigest));
    }
    if (audit.has("former_plan")) {
      throw new IllegalArgumentException(
          "it is about a change of version: audit this file without --former");
    }
    requireText(audit, "program");
    if (!audit.path("program").asText().equals(program)) {
      throw new IllegalArgumentException(
          "it was made by another version of the program, %s; this is %s: audit again"
              .formatted(audit.path("program").asText(), program));
    }
    COUNTS.forEach(count -> requireNumber(audit, count));
    TOLD.forEach(told -> requireNumber(audit, told));
    List<String> violations = new ArrayList<>();
    audit
        .path("violations")
        .forEach(
            found ->
                violations.add(found.path("where").asText() + ": " + found.path("what").asText()));
    List<String> notJudged = new ArrayList<>();
    audit.path("loss_not_judged").forEach(output -> notJudged.add(output.asText()));
    List<Attack> attacks = new ArrayList<>();
    double lost = audit.path("loss_ratio_max").asDouble();
    boolean kept =
        violations.isEmpty()
            && COUNTS.stream().allMatch(count -> audit.path(count).asLong() == 0)
            && lost <= 1 + ROUNDINGS
            && audit.path("draws_compared").asLong() > 0;
    for (JsonNode release : audit.path("releases")) {
      Attack attack =
          new Attack(
              release.path("release").asText(),
              release.path("epsilon_claimed").asDouble(),
              release.path("epsilon_at_least").asDouble(),
              release.path("draws").asLong());
      kept &= release.path("kept").asBoolean() && attack.atLeast() <= attack.claimed();
      attacks.add(attack);
    }
    return new Findings(
        kept,
        audit.path("seed").asLong(),
        Effort.of(audit.path("options")),
        audit.path("replays").asLong(),
        audit.path("neighbours").asLong(),
        audit.path("draws_compared").asLong(),
        lost,
        violations,
        notJudged,
        attacks);
  }

  private static void requireText(JsonNode audit, String name) {
    if (!audit.path(name).isTextual()) {
      throw isNone(name);
    }
  }

  private static void requireNumber(JsonNode audit, String name) {
    if (!audit.path(name).isNumber()) {
      throw isNone(name);
    }
  }

  private static IllegalArgumentException isNone(String lacks) {
    return new IllegalArgumentException(
        "it is not the output of 'sfumato audit FILE -o json' of this version: '%s' is missing"
            .formatted(lacks));
  }
}
