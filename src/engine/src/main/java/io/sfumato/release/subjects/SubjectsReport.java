// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;

/** What a plan says of subjects that are found: how many users it takes. */
record SubjectsReport(Pipeline pipeline, PlannedSubjects subjects) {
  Facts facts() {
    DiscoveryMechanism mechanism = subjects.plan().mechanism();
    GridNoise noise = mechanism.noise();
    long threshold = mechanism.threshold().least();
    Facts facts =
        Facts.of("subjects", subjects.spec())
            .row("method")
            .words("", "method", mechanism.method())
            .say("discrete noise on the number of each subject's users")
            .share(subjects)
            .mechanism(subjects)
            .lasts(pipeline, subjects)
            .row("noise")
            .number(
                "standard deviation",
                "deviation",
                Math.scalb(noise.deviation(), -noise.digits()),
                "users")
            .row("error")
            .bar(
                "95% of numbers of users within",
                "error_95", Math.scalb(noise.halfWidth(0.95, 1), -noise.digits()), "users")
            .say(
                "for a newly published subject the interval accounts for its having passed the "
                    + "threshold")
            .row("threshold")
            .number("", "threshold", threshold, "users (noisy count)")
            .number(
                "a subject with", "half_point", threshold, "users is found in half of its windows")
            .row("delta")
            .number(
                "",
                "threshold_delta",
                subjects.thresholdDelta(),
                "for subjects that only one user has")
            .number(
                "",
                "noise_delta",
                subjects.spec().share().delta().value().subtract(subjects.thresholdDelta()),
                "for the noise")
            .row("public")
            .say("from the next window on, even in windows without records")
            .number("at most", "most", subjects.spec().finding().most(), "subjects of a partition");
    subjects
        .spec()
        .finding()
        .forgetAfter()
        .ifPresent(
            windows ->
                facts.number(
                    "a subject leaves after",
                    "forget_names",
                    windows,
                    "windows in which it does not pass"));
    return facts;
  }
}
