// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.inference.PopulationMonteCarlo.Result;
import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/** What a modeller made of one release. */
public final class FittedReport implements QueryReport {
  /** Fewer equally weighted draws than these say little of an interval's ends. */
  private static final double FEW = 100;

  private final ReleaseQuery query;
  private final PublishedRelease release;
  private final Result result;
  private final PosteriorTable table;

  public FittedReport(ReleaseQuery query, PublishedRelease release, Result result) {
    this.query = query;
    this.release = release;
    this.result = result;
    this.table =
        new PosteriorTable(
            query.model().simulator().parameters(), result.posterior(), result.prior());
  }

  @Override
  public void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "one release of %s: %s, window from %s, %,d records%s; epsilon %.4g, delta %.3g per %s%n",
        ControlCharEscaper.of(release.planned().spec().name()),
        ControlCharEscaper.of(release.wanted().subject()),
        Instant.ofEpochMilli(release.wanted().windowStart()),
        release.likelihood().records(),
        release.planned().charge().unit().word().equals("user") ? " (estimated)" : "",
        release.planned().share().epsilon().value().doubleValue(),
        release.planned().share().delta().value().doubleValue(),
        release.planned().charge().unit().word());
    out.printf(
        Locale.ROOT,
        "%,d candidates weighed, %s%n",
        query.candidates(),
        result.datasets() == 0
            ? "data integrated out"
            : "%d simulated %s of %,d records each"
                .formatted(
                    result.datasets(),
                    result.datasets() == 1 ? "dataset" : "datasets",
                    result.records()));
    if (result.posterior().isEmpty()) {
      out.println(
          "no candidate has any weight: the release is impossible under this prior; widen the "
              + "prior, or use more --candidates");
      return;
    }
    table.print(out);
    double effective = result.posterior().effectiveSize();
    out.printf(
        Locale.ROOT,
        "effective sample size: %.0f equally weighted draws%s. The release was charged when it "
            + "was published: querying it again, also with other priors and models, costs no "
            + "budget%n",
        effective,
        effective < FEW
            ? ": WARNING, too few. Use more --candidates, or a --prior closer to the posterior"
            : "");
    if (!result.fits()) {
      out.println(
          "WARNING: no candidate comes near the release: check the model and the range of its "
              + "numbers (mixture-of-uniforms: between 0 and 5)");
    }
  }

  @Override
  public String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("output", release.planned().spec().name())
        .put("subject", release.wanted().subject())
        .put("window_start", Instant.ofEpochMilli(release.wanted().windowStart()).toString())
        .put("release_id", release.id())
        .put("candidates", query.candidates())
        .put("datasets_per_candidate", result.datasets())
        .put("fits", result.fits())
        .put("effective_draws", result.posterior().effectiveSize())
        .put("records", release.likelihood().records())
        .put("epsilon", release.planned().share().epsilon().value().doubleValue())
        .put("delta", release.planned().share().delta().value().doubleValue());
    table.json(root);
    return root.toPrettyString();
  }

  @Override
  public void plot(Path png) throws IOException {
    table.plot(png);
  }
}
