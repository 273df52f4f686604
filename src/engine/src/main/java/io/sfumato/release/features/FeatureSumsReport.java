// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.Optional;

/** What a plan says of noisy sums of features. */
final class FeatureSumsReport implements ReleaseReport {
  /** Noise, in the norm of the mean features, above which a release says little. */
  private static final double LOUD = 1;

  /** Of a normal law 95% lie within so many standard deviations. */
  private static final double NORMAL_95 = 1.96;

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
    GridMeasurement<FeatureQuery> mechanism = sums.plan().mechanism();
    ReportText.head(text, "features", sums);
    ReportText.line(
        text,
        "  method     discrete Gaussian noise with standard deviation %.4g on each of %,d sums of features%s",
        mechanism.deviation(),
        spec.kept().count(),
        ofUsers ? ", %.4g on the number of records".formatted(sums.recordsDeviation()) : "");
    ReportText.line(
        text,
        "  cost       %s; candidates cost nothing: sfumato query --from %s",
        ReportText.lasts(period, sums.plan().releases(), ofUsers),
        spec.name());
    ReportText.line(
        text,
        "  error      each mean feature of %,d records within +-%.3g (95%%)%s",
        spec.planSize(),
        error(),
        ofUsers
            ? ", at most: that of the number of records counts most where a mean feature is largest, %.3g"
                .formatted(largest())
            : "");
    warning().ifPresent(line -> ReportText.line(text, "  warning    %s", line));
  }

  /**
   * Half of the 95% interval of a mean feature S / N in a window as planned, where noise moves
   * both: by (x - f y) / N for noise x on S, y on N and a mean feature f, to the first order in 1 /
   * N.
   */
  private double error() {
    GridMeasurement<FeatureQuery> mechanism = sums.plan().mechanism();
    double deviation = StrictMath.hypot(mechanism.deviation(), largest() * sums.recordsDeviation());
    return NORMAL_95 * deviation / sums.spec().planSize();
  }

  /** No feature of any record, hence no mean of one, is larger. */
  private double largest() {
    return Math.sqrt(2.0 / sums.spec().kept().count());
  }

  /**
   * Whether noise may be a quarter of the number of records, so that the first order says little.
   */
  private boolean isSizeLost() {
    double most = NORMAL_95 * sums.recordsDeviation();
    return 4 * most >= sums.spec().planSize();
  }

  private Optional<String> warning() {
    return error() < LOUD && !isSizeLost()
        ? Optional.empty()
        : Optional.of(
            "noise is larger than any difference of features: raise the share, plan fewer windows, or"
                + " widen the window until it has more records");
  }

  @Override
  public void json(ObjectNode node) {
    FeatureSumsSpec spec = sums.spec();
    GridMeasurement<FeatureQuery> mechanism = sums.plan().mechanism();
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", mechanism.method());
    ReportText.share(node, sums);
    node.put("mechanism", sums.charge().mechanism())
        .put("windows", sums.plan().releases())
        .put("features", spec.kept().count())
        .put("deviation", mechanism.deviation())
        .put("plan_size", spec.planSize())
        .put("error_95", error());
    if (ofUsers) {
      node.put("records_deviation", sums.recordsDeviation());
    }
    warning().ifPresent(line -> node.putArray("warnings").add(line));
  }
}
