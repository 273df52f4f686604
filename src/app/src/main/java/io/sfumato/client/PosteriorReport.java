// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.client.ModelQuery.Outcome;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A query's outcome for people, for programs and as a picture. */
public final class PosteriorReport implements QueryReport {
  private final ModelQuery query;
  private final Outcome outcome;
  private final PosteriorTable table;

  public PosteriorReport(ModelQuery query, Outcome outcome) {
    this.query = query;
    this.outcome = outcome;
    this.table =
        new PosteriorTable(
            query.model().simulator().parameters(), outcome.posterior(), outcome.prior());
  }

  /** And what it cost. */
  @Override
  public void print(PrintWriter out) {
    out.printf(
        "query %s: %s of %s, window from %s%n",
        query.id(),
        query.spec().name(),
        ControlCharEscaper.of(query.subject()),
        Instant.ofEpochMilli(query.windowStart()));
    out.printf(
        "%,d of %,d candidates answered%s%s%n",
        outcome.answered(),
        query.candidates(),
        isDecided() ? String.format(", %,d accepted", outcome.accepted()) : "",
        outcome.refusals().isEmpty()
            ? ""
            : ", refused: "
                + outcome.refusals().entrySet().stream()
                    .map(refused -> "%,d %s".formatted(refused.getValue(), refused.getKey()))
                    .collect(Collectors.joining(", ")));
    outcome
        .facts()
        .ifPresent(
            facts ->
                out.printf(
                    Locale.ROOT,
                    "%,d records, threshold %.4g, noise %.4g; all queries of the output "
                        + "together: epsilon %.4g, delta %.3g per %s%n",
                    facts.records(),
                    facts.threshold(),
                    facts.noiseScale(),
                    facts.guarantee().getEpsilon(),
                    facts.guarantee().getDelta(),
                    ControlCharEscaper.of(facts.guarantee().getUnit())));
    byNoise()
        .ifPresent(
            most ->
                out.printf(
                    Locale.ROOT,
                    "if every candidate were farther than two thresholds, noise alone would "
                        + "accept up to about %.0f of these%s%n",
                    most,
                    outcome.accepted() <= most + 2 * Math.sqrt(most)
                        ? ": WARNING, the accepted candidates may be noise alone. Check the "
                            + "prior and the simulator, or give the output a larger share"
                        : ""));
    if (outcome.posterior().isEmpty()) {
      out.println(
          outcome.answered() > 0
              ? "no candidate has any weight: raise the threshold, or ask about more candidates"
              : "no answers yet, so no posterior");
      return;
    }
    table.print(out);
    out.printf(
        Locale.ROOT,
        "effective sample size: %.0f equally weighted draws. The answers were charged when they "
            + "were published: reading them again, or running the same query again, costs no "
            + "budget%n",
        outcome.posterior().effectiveSize());
  }

  /**
   * How many of the answered a coin accepts that lie two thresholds away: Phi((t - 2t) / sigma).
   */
  private Optional<Double> byNoise() {
    return query.spec().method() instanceof AbcSpec.Method.Rejection
        ? outcome
            .facts()
            .map(
                facts ->
                    outcome.answered()
                        * Math.exp(StandardNormal.lnPhi(-facts.threshold() / facts.noiseScale())))
        : Optional.empty();
  }

  private boolean isDecided() {
    return !(query.spec().method() instanceof AbcSpec.Method.Soft);
  }

  @Override
  public String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("query_id", query.id())
        .put("output", query.spec().name())
        .put("subject", query.subject())
        .put("window_start", Instant.ofEpochMilli(query.windowStart()).toString())
        .put("candidates", query.candidates())
        .put("answered", outcome.answered())
        .put("effective_draws", outcome.posterior().effectiveSize());
    if (isDecided()) {
      root.put("accepted", outcome.accepted());
    }
    byNoise().ifPresent(most -> root.put("accepted_by_noise", most));
    outcome.refusals().forEach(root.putObject("refusals")::put);
    outcome
        .facts()
        .ifPresent(
            facts ->
                root.put("records", facts.records())
                    .put("threshold", facts.threshold())
                    .put("noise_scale", facts.noiseScale())
                    .put("epsilon", facts.guarantee().getEpsilon())
                    .put("delta", facts.guarantee().getDelta()));
    table.json(root);
    return root.toPrettyString();
  }

  @Override
  public void plot(Path png) throws IOException {
    table.plot(png);
  }
}
