// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import java.util.List;

/** What a plan says of noisy sums of features. */
record FeatureSumsReport(Pipeline pipeline, PlannedFeatureSums sums) {
  /** Noise, in the norm of the mean features, above which a release says little. */
  private static final double LOUD = 1;

  /** Of a normal law 95% lie within so many standard deviations. */
  private static final double NORMAL_95 = 1.96;

  Facts facts() {
    FeatureSumsSpec spec = sums.spec();
    GridMeasurement<FeatureQuery> mechanism = sums.plan().mechanism();
    Facts facts =
        Facts.of("features", spec)
            .row("method")
            .words("", "method", mechanism.method())
            .say("discrete Gaussian noise on sums of features")
            .share(sums)
            .mechanism(sums)
            .lasts(pipeline, sums)
            .say("candidates cost nothing (sfumato query --from %s)", spec.name())
            .row("noise")
            .number("", "features", spec.kept().count(), "sums")
            .number("each with a standard deviation of", "deviation", mechanism.deviation())
            .row("error")
            .number("of", "plan_size", spec.planSize(), "records")
            .bar("95% of mean features within", "error_95", error(), "");
    if (pipeline.population().isPresent()) {
      facts
          .number(
              "with noise of",
              "records_deviation",
              sums.recordsDeviation(),
              "on the number of records")
          .say("which matters most where a mean feature is largest (%.3g)", largest());
    }
    return facts.warnings(warnings());
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

  private List<String> warnings() {
    return error() < LOUD && !isSizeLost()
        ? List.of()
        : List.of(
            "noise is larger than any difference of features: raise the share, plan fewer "
                + "windows, or use a longer window, which has more records");
  }
}
