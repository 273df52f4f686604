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
    long replays,
    long neighbours,
    long draws,
    double largestLoss,
    List<String> violations,
    List<String> notJudged,
    List<Attack> attacks) {

  /** Epsilon of one release as claimed, and as draws prove that it is at least. */
  public record Attack(String output, double claimed, double atLeast, long draws) {}

  /**
   * Reads what {@code sfumato audit FILE -o json} printed.
   *
   * @param planDigest of the plan that the sheet is about
   * @throws IllegalArgumentException if it is none, or of another plan
   */
  public static Findings of(JsonNode audit, String planDigest) {
    if (!audit.path("plan").isTextual() || !audit.path("loss_ratio_max").isNumber()) {
      throw new IllegalArgumentException(
          "it is not what 'sfumato audit FILE -o json' of this version prints");
    }
    if (!audit.path("plan").asText().equals(planDigest)) {
      throw new IllegalArgumentException(
          "it is about another file, or another version of it: its plan is %s, that of this file %s"
              .formatted(audit.path("plan").asText(), planDigest));
    }
    List<String> violations = new ArrayList<>();
    audit
        .path("violations")
        .forEach(
            found ->
                violations.add(found.path("where").asText() + ": " + found.path("what").asText()));
    List<String> notJudged = new ArrayList<>();
    audit.path("loss_not_judged").forEach(output -> notJudged.add(output.asText()));
    List<Attack> attacks = new ArrayList<>();
    boolean kept = violations.isEmpty() && audit.path("draws_compared").asLong() > 0;
    for (JsonNode release : audit.path("releases")) {
      kept &= release.path("kept").asBoolean();
      attacks.add(
          new Attack(
              release.path("release").asText(),
              release.path("epsilon_claimed").asDouble(),
              release.path("epsilon_at_least").asDouble(),
              release.path("draws").asLong()));
    }
    return new Findings(
        kept,
        audit.path("seed").asLong(),
        audit.path("replays").asLong(),
        audit.path("neighbours").asLong(),
        audit.path("draws_compared").asLong(),
        audit.path("loss_ratio_max").asDouble(),
        violations,
        notJudged,
        attacks);
  }
}
