// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.math.BigDecimal;

/** What a plan says of subjects that are found: how many users it takes. */
final class SubjectsReport implements ReleaseReport {
  private final PlannedSubjects subjects;
  private final Period period;

  SubjectsReport(Pipeline pipeline, PlannedSubjects subjects) {
    this.subjects = subjects;
    this.period = pipeline.budget().period();
  }

  @Override
  public void text(StringBuilder text) {
    DiscoveryMechanism mechanism = subjects.plan().mechanism();
    ReportText.head(text, "subjects", subjects);
    ReportText.line(
        text,
        "  method     discrete %s noise with standard deviation %s users on the number of each subject's users",
        mechanism.method().equals("gaussian") ? "Gaussian" : "Laplace",
        ReportText.rounded(deviation(mechanism.noise())));
    ReportText.line(
        text, "  cost       %s", ReportText.lasts(period, subjects.plan().releases(), true));
    ReportText.line(
        text,
        "  finds      a subject that nobody listed from %,d users on, noise and all: with %,d users in a window it is"
            + " found in one half of all cases",
        mechanism.threshold().least(),
        mechanism.threshold().least());
    ReportText.line(
        text,
        "  delta      %s for subjects of one user alone, %s for the noise",
        plain(subjects.thresholdDelta()),
        plain(noiseDelta()));
    ReportText.line(
        text,
        "  error      numbers of users are within +-%s in 95%% of all cases; of those just found the interval goes by"
            + " the noise given that they passed",
        ReportText.rounded(halfWidth(mechanism.noise())));
    ReportText.line(
        text,
        "  public     from the next window on, records or none%s; at most %,d of a partition",
        subjects.spec().finding().forgetAfter().isPresent()
            ? ", until %,d windows came without its passing"
                .formatted(subjects.spec().finding().forgetAfter().getAsInt())
            : "",
        subjects.spec().finding().most());
  }

  private BigDecimal noiseDelta() {
    return subjects.spec().share().delta().value().subtract(subjects.thresholdDelta());
  }

  private static String plain(BigDecimal delta) {
    return delta.signum() == 0 ? "none" : delta.stripTrailingZeros().toString();
  }

  private static double deviation(GridNoise noise) {
    return Math.scalb(noise.deviation(), -noise.digits());
  }

  private static double halfWidth(GridNoise noise) {
    return Math.scalb(noise.halfWidth(0.95, 1), -noise.digits());
  }

  @Override
  public void json(ObjectNode node) {
    DiscoveryMechanism mechanism = subjects.plan().mechanism();
    node.put("name", subjects.spec().name())
        .put("topic", subjects.spec().topic())
        .put("method", mechanism.method());
    ReportText.share(node, subjects);
    node.put("mechanism", subjects.charge().mechanism())
        .put("windows", subjects.plan().releases())
        .put("deviation", deviation(mechanism.noise()))
        .put("error_95", halfWidth(mechanism.noise()))
        .put("threshold", mechanism.threshold().least())
        .put("half_point", mechanism.threshold().least())
        .put("threshold_delta", subjects.thresholdDelta())
        .put("noise_delta", noiseDelta())
        .put("most", subjects.spec().finding().most());
    subjects.spec().finding().forgetAfter().ifPresent(windows -> node.put("forget_names", windows));
  }
}
