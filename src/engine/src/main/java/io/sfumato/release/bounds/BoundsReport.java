// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.accounting.Period;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;

/** What a plan says of bounds that are found: how many records it takes. */
record BoundsReport(Pipeline pipeline, PlannedBounds bounds) {
  Facts facts() {
    AdditiveNoise noise = bounds.plan().mechanism().noise();
    Facts facts =
        Facts.of("bounds", bounds.spec())
            .row("method")
            .words("", "method", noise.method())
            .say("discrete noise on the number of records of each power of two")
            .share(bounds)
            .row("cost")
            .say("drawn %s", due())
            .mechanism(bounds)
            .row("of")
            .words("", "value", bounds.spec().value())
            .say(
                "in %d powers of two: whatever is kept of the numbers is kept by power",
                PowerBuckets.NUMBER)
            .row("noise")
            .number("standard deviation", "deviation", noise.deviation(), "records")
            .row("error")
            .number("a power passes from", "threshold", bounds.threshold(), "records (noisy count)")
            .number(
                "97.5% of those with", "records_seen_97_5", bounds.seen(), "records or more pass")
            .say("in 999 of 1,000 releases no empty one passes")
            .row("until then")
            .say(
                "releases with 'bounds: auto' are refused (NO_BOUNDS); later ones use the last"
                    + " bounds that were found");
    return pipeline.budget().period() instanceof Period.Lifetime
        ? facts
            .row("warning")
            .say(
                "a subject without a passing power never gets such releases, and after a ledger "
                    + "import no subject does: use a period such as 30d")
        : facts;
  }

  private String due() {
    Period period = pipeline.budget().period();
    boolean ofUsers = pipeline.population().isPresent();
    if (period instanceof Period.Window) {
      return "once a window, each with a new share";
    }
    if (period instanceof Period.Span any) {
      return "in one window of those that any %s touch, %s"
          .formatted(
              any.spoken(),
              ofUsers
                  ? "by the calendar; users are charged for it only in these windows"
                  : "of each subject");
    }
    if (!ofUsers) {
      return "once, in the first window of a subject"
          + (period instanceof Period.Lifetime ? "" : " in each period of " + period.word());
    }
    return "once, in the %s; users are charged for it only then"
        .formatted(
            period instanceof Period.Lifetime
                ? "window of 'window.begin'"
                : "first window of each period of " + period.word());
  }
}
