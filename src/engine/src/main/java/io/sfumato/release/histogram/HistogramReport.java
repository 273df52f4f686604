// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReportText;
import io.sfumato.release.histogram.HistogramFacts.ErrorBar;
import java.util.Locale;

/** What a plan says of distributions: cost, error by planned count, promises and warnings. */
record HistogramReport(Pipeline pipeline, PlannedHistogram release) {
  Facts facts() {
    HistogramSpec spec = release.spec();
    HistogramPlan plan = release.best();
    HistogramFacts found = HistogramFacts.of(pipeline, release);
    Facts facts =
        Facts.of("release", spec)
            .row("method")
            .words("", "method", plan.mechanism().method())
            .say(
                "%s", isDirichlet() ? "y ~ Dirichlet(r f + alpha)" : "discrete noise on the counts")
            .words("calibration", "accountant", spec.accountant().word());
    if (spec.usesHistory()) {
      facts
          .row("learning")
          .words("", "post_processing", HistogramReader.HISTORY)
          .number("from releases of up to", "learns_from", ReleaseHistory.WINDOWS, "windows before")
          .say(
              "errors below hold for a single window, such as a subject's first release; later "
                  + "ones are smaller as long as the data stay similar");
    }
    facts
        .share(release)
        .row("parameters")
        .number("Rényi order", "order", plan.reportedOrder())
        .parameters(plan.mechanism().parameters())
        .mechanism(release)
        .row("cost")
        .number(
            "Rényi divergence of a release",
            "renyi_epsilon",
            plan.mechanism().charge().curve().at(plan.reportedOrder()),
            "nats");
    if (plan.share().filter() instanceof PrivacyFilter.RenyiFilter at) {
      facts.say(
          "%.6g of %.6g nats of the share",
          RenyiUnits.toNats(at.cost(plan.mechanism().charge())), RenyiUnits.toNats(at.cap()));
    }
    lasts(facts)
        .row("error")
        .number("expected KL", "expected_kl", found.expectedKl(), "nats")
        .number("of a uniform guess", "uniform_kl", found.uniformKl(), "nats")
        .say("for %s records of the planned mix", ReportText.number(spec.model().size()))
        .row("loss")
        .say("one release, at delta %s:", ReportText.plain(spec.share().delta().value()))
        .losses("loss_of_one_release", found.one())
        .lossesOfAll("loss_of_all_releases", plan.releases(), found.all())
        .row("error")
        .say("95%% of releases, by planned count:")
        .table("error_bars", found.errorBars().stream().map(HistogramReport::bar).toList());
    promise(facts, found);
    if (!found.alternatives().isEmpty()) {
      facts
          .row("best of")
          .numbers("expected KL", "expected_kl_by_method", found.alternatives(), Form.PLAIN);
    }
    return facts.allWarnings(found.warnings());
  }

  private boolean isDirichlet() {
    return release.best().mechanism().method().equals("dirichlet");
  }

  private static Facts bar(ErrorBar bar) {
    return Facts.of()
        .number("count", "count", bar.count())
        .number("share", "share", bar.share())
        .number("released from", "low", bar.low())
        .number("to", "high", bar.high());
  }

  private void promise(Facts facts, HistogramFacts found) {
    if (found.tailPromise().isPresent()) {
      facts
          .row("promise")
          .number("KL at most", "kl_promised_95", found.tailPromise().getAsDouble(), "nats")
          .say("with probability 95%% (Theorem 2 of the paper)");
    } else if (isDirichlet()) {
      facts
          .row("promise")
          .say("none by Theorem 2 of the paper: r times the plan's size must exceed 18");
    }
  }

  /** Where windows are those of subjects, it is public how long a share lasts them. */
  private Facts lasts(Facts facts) {
    long windows = release.best().releases();
    Period period = pipeline.budget().period();
    boolean ofSubjects =
        pipeline.population().isEmpty()
            && (period instanceof Period.Lifetime
                || period instanceof Period.Fixed
                || period instanceof Period.Local);
    facts.lasts(pipeline, release);
    if (!ofSubjects) {
      return facts;
    }
    double days = HistogramFacts.lasts(pipeline, windows).toMillis() / 86_400_000.0;
    String length =
        days >= 2
            ? String.format(Locale.ROOT, "%.0f days", days)
            : String.format(Locale.ROOT, "%.3g hours", days * 24);
    return period instanceof Period.Lifetime
        ? facts.say(
            "of one subject (%s if all have records), then ONE refusal and no more releases",
            length)
        : facts.say("of one subject in each period of %s", period.word());
  }
}
