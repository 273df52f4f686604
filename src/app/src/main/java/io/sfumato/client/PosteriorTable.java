// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.console.Sparkline;
import io.sfumato.modeller.Posterior;
import io.sfumato.plot.Plots;
import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A posterior beside its prior, parameter by parameter.
 *
 * @param parameters their names
 */
record PosteriorTable(List<String> parameters, Posterior posterior, Posterior prior) {
  private static final int BINS = 24;

  /** Weight of the posterior within the interval that is shown. */
  private static final double SHARE = 0.95;

  /** Panels side by side. */
  private static final int COLUMNS = 3;

  /** For people. */
  void print(PrintWriter out) {
    out.printf(
        "%-14s %10s %10s %10s %10s   %-24s  %s%n",
        "", "mean", "sd", "95% from", "to", "posterior", "prior");
    for (int k = 0; k < parameters.size(); k++) {
      double[] range = prior.range(k);
      double[] interval = posterior.interval(k, SHARE);
      out.printf(
          Locale.ROOT,
          "%-14s %10.4g %10.4g %10.4g %10.4g  [%s] [%s] %.3g to %.3g%n",
          ControlCharEscaper.of(parameters.get(k)),
          posterior.mean(k),
          posterior.deviation(k),
          interval[0],
          interval[1],
          Sparkline.of(posterior.histogram(k, range[0], range[1], BINS)),
          Sparkline.of(prior.histogram(k, range[0], range[1], BINS)),
          range[0],
          range[1]);
    }
  }

  /** For programs, into an object. */
  void json(ObjectNode root) {
    ArrayNode rows = root.putArray("posterior");
    for (int k = 0; k < parameters.size() && !posterior.isEmpty(); k++) {
      double[] interval = posterior.interval(k, SHARE);
      rows.addObject()
          .put("parameter", parameters.get(k))
          .put("mean", posterior.mean(k))
          .put("sd", posterior.deviation(k))
          .put("low_95", interval[0])
          .put("high_95", interval[1]);
    }
  }

  /** As a picture. */
  void plot(Path png) throws IOException {
    Plots plots = new Plots();
    for (int k = 0; k < parameters.size(); k++) {
      double[] range = prior.range(k);
      plots.panel(parameters.get(k), "", Plots.Axis.LINEAR, "share", Plots.Axis.LINEAR);
      if (!posterior.isEmpty()) {
        plots.histogram(
            "posterior", range[0], range[1], posterior.histogram(k, range[0], range[1], BINS));
      }
      plots.histogram("prior", range[0], range[1], prior.histogram(k, range[0], range[1], BINS));
    }
    plots.write(png, Math.min(COLUMNS, parameters.size()));
  }
}
