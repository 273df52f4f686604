// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A defect, for tests of what happens then. */
public final class BrokenPlan {
  private BrokenPlan() {}

  /** The plan with a mechanism that throws for one dataset. */
  public static Plan failingOn(Plan plan, Histogram poison) {
    List<PlannedRelease> releases = new ArrayList<>();
    for (PlannedHistogram planned : plan.all(PlannedHistogram.class)) {
      HistogramMechanism mechanism = planned.plan().mechanism();
      HistogramMechanism failing =
          new HistogramMechanism() {
            @Override
            public String method() {
              return mechanism.method();
            }

            @Override
            public Map<String, Double> parameters() {
              return mechanism.parameters();
            }

            @Override
            public PrivacyCost charge() {
              return mechanism.charge();
            }

            @Override
            public OutputDistribution<HistogramRelease> distribution(Histogram dataset) {
              OutputDistribution<HistogramRelease> distribution = mechanism.distribution(dataset);
              return new OutputDistribution<>() {
                @Override
                public void encodeInput(CanonicalEncoder encoder) {
                  distribution.encodeInput(encoder);
                }

                @Override
                public HistogramRelease draw(KeyedRandom random) {
                  if (dataset.equals(poison)) {
                    throw new ArithmeticException("ann");
                  }
                  return distribution.draw(random);
                }
              };
            }
          };
      releases.add(
          new PlannedHistogram(
              planned.spec(),
              new HistogramPlan(
                  new Calibrated<>(planned.share(), failing),
                  planned.best().accuracy(),
                  planned.best().error()),
              planned.candidates()));
    }
    return new Plan(plan.pipeline(), releases);
  }
}
