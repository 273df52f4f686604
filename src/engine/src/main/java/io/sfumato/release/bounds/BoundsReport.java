// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;

/** What a plan says of bounds that are found: how many records it takes. */
final class BoundsReport implements ReleaseReport {
  private final PlannedBounds bounds;
  private final Period period;
  private final boolean ofUsers;

  BoundsReport(Pipeline pipeline, PlannedBounds bounds) {
    this.bounds = bounds;
    this.period = pipeline.budget().period();
    this.ofUsers = pipeline.population().isPresent();
  }

  @Override
  public void text(StringBuilder text) {
    AdditiveNoise noise = bounds.plan().mechanism().noise();
    ReportText.head(text, "bounds", bounds);
    ReportText.line(
        text,
        "  of         %s, by %d powers of two: what is kept of numbers is kept by these",
        bounds.spec().value(),
        PowerBuckets.NUMBER);
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %.4g records on the count of each power",
        noise.method().equals("gaussian") ? "Gaussian" : "Laplace",
        noise.deviation());
    ReportText.line(text, "  cost       drawn %s", due());
    ReportText.line(
        text,
        "  error      a power passes from a noisy count of %,d on; of those that have %,d records 97.5%% do, and"
            + " of empty ones none does in 999 of 1,000 releases",
        bounds.threshold(),
        bounds.seen());
    ReportText.line(
        text,
        "  until then releases with 'bounds: auto' are refused (NO_BOUNDS); later ones go by the last bounds"
            + " that were found");
    if (period instanceof Period.Lifetime) {
      ReportText.line(
          text,
          "  warning    a subject of which nothing passes then never has such releases, and after its ledger was carried"
              + " over nobody has: take a period such as 30d");
    }
  }

  private String due() {
    if (period instanceof Period.Window) {
      return "once a window, each with a new share";
    }
    if (period instanceof Period.Any any) {
      return ofUsers
          ? "in one window of those that any "
              + any.spoken()
              + " touch, by the calendar; users are charged for it in no other windows"
          : "in one window of those that any " + any.spoken() + " touch, of each subject";
    }
    if (!ofUsers) {
      return "once, in the first window of a subject"
          + (period instanceof Period.Lifetime ? "" : " in each period of " + period.word());
    }
    return period instanceof Period.Lifetime
        ? "once, in the window of 'window.begin'; users are charged for it in no other window"
        : "once, in the first window of each period of "
            + period.word()
            + "; users are charged for it in no other windows";
  }

  @Override
  public void json(ObjectNode node) {
    AdditiveNoise noise = bounds.plan().mechanism().noise();
    node.put("name", bounds.spec().name())
        .put("topic", bounds.spec().topic())
        .put("method", noise.method());
    ReportText.share(node, bounds);
    node.put("mechanism", bounds.charge().mechanism())
        .put("value", bounds.spec().value())
        .put("deviation", noise.deviation())
        .put("threshold", bounds.threshold())
        .put("records_seen_97_5", bounds.seen());
  }
}
