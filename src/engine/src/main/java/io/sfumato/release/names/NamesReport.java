// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;

/** What a plan says of names that are found. */
record NamesReport(Pipeline pipeline, PlannedNames names) {
  Facts facts() {
    NamesSpec spec = names.spec();
    GridNoise noise = names.plan().mechanism().noise();
    double width = Math.scalb(noise.halfWidth(0.95, 1), -noise.digits());
    long threshold = names.plan().mechanism().threshold().least();
    Facts facts =
        Facts.of("names", spec)
            .row("method")
            .words("", "noise", noise.method())
            .say("discrete noise on each name's count")
            .share(names)
            .mechanism(names)
            .lasts(pipeline, names)
            .row("noise")
            .number(
                "standard deviation",
                "deviation",
                Math.scalb(noise.deviation(), -noise.digits()),
                "records")
            .bar("95% of counts within", "error_95", width, "")
            .row("threshold")
            .number("", "threshold", threshold, "records (noisy count)")
            .number(
                "a name with", "half_point", threshold, "records is found in half of its windows")
            .say("public from the next window on")
            .row("delta")
            .number(
                "",
                "threshold_delta",
                names.found().thresholdDelta(),
                "for names that only one user has")
            .say("the rest for noise")
            .row("bounds")
            .number("per user and window at most", "names_of_user", spec.bounds().names(), "names")
            .number("each with at most", "per_name", spec.bounds().perName(), "records")
            .say("%s", spec.bounds().perName() == 1 ? "so that users are counted" : "")
            .row("list")
            .number("at most", "most", spec.most(), "public names of a subject")
            .say("none is found while the list is full");
    spec.forget()
        .ifPresent(
            windows ->
                facts.number(
                    "a name leaves after",
                    "forget_names",
                    windows,
                    "windows in which it does not pass"));
    return facts.countError("counts of public names", width);
  }
}
