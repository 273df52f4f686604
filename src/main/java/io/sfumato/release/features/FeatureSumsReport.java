// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.features.FeatureMechanism;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.Optional;

/** What a plan says of noisy sums of features. */
final class FeatureSumsReport implements ReleaseReport {
  /** Noise, in the norm of the mean features, above which a release says little. */
  private static final double LOUD = 1;

  private final PlannedFeatureSums sums;
  private final Period period;
  private final boolean ofUsers;

  FeatureSumsReport(Pipeline pipeline, PlannedFeatureSums sums) {
    this.sums = sums;
    this.period = pipeline.budget().period();
    this.ofUsers = pipeline.population().isPresent();
  }

  @Override
  public void text(StringBuilder text) {
    FeatureSumsSpec spec = sums.spec();
    FeatureMechanism mechanism = sums.plan().mechanism();
    ReportText.head(text, "features", sums);
    ReportText.line(
        text,
        "  method     discrete Gaussian noise with standard deviation %.4g on each of %,d sums of features%s",
        mechanism.deviation(),
        spec.kept().count(),
        ofUsers ? ", %.4g on the number of records".formatted(mechanism.recordsDeviation()) : "");
    ReportText.line(
        text,
        "  cost       %s; candidates cost nothing: sfumato query --from %s",
        ReportText.lasts(period, sums.plan().releases(), ofUsers),
        spec.name());
    ReportText.line(
        text,
        "  error      each mean feature of %,d records within +-%.3g (95%%)",
        spec.planSize(),
        1.96 * each());
    warning().ifPresent(line -> ReportText.line(text, "  warning    %s", line));
  }

  /** Standard deviation of a mean feature's noise in a window as planned. */
  private double each() {
    return sums.plan().mechanism().deviation() / sums.spec().planSize();
  }

  private Optional<String> warning() {
    return each() * 1.96 < LOUD
        ? Optional.empty()
        : Optional.of(
            "noise is larger than any difference of features: raise the share, plan fewer windows, or"
                + " widen the window until it has more records");
  }

  @Override
  public void json(ObjectNode node) {
    FeatureSumsSpec spec = sums.spec();
    FeatureMechanism mechanism = sums.plan().mechanism();
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", mechanism.method());
    ReportText.share(node, sums);
    node.put("mechanism", sums.charge().mechanism())
        .put("windows", sums.plan().releases())
        .put("features", spec.kept().count())
        .put("deviation", mechanism.deviation())
        .put("plan_size", spec.planSize())
        .put("error_95", 1.96 * each());
    if (ofUsers) {
      node.put("records_deviation", mechanism.recordsDeviation());
    }
    warning().ifPresent(line -> node.putArray("warnings").add(line));
  }
}
