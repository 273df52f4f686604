// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.PlannedRelease;
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
            public double halfWidth(double share, long records, int categories) {
              return mechanism.halfWidth(share, records, categories);
            }

            @Override
            public Map<String, Double> parameters() {
              return mechanism.parameters();
            }

            @Override
            public Charge charge() {
              return mechanism.charge();
            }

            @Override
            public void frame(Histogram dataset, Framing framing) {
              mechanism.frame(dataset, framing);
            }

            @Override
            public HistogramRelease release(Histogram dataset, ReplayableRandom random) {
              if (dataset.equals(poison)) {
                throw new ArithmeticException("ann");
              }
              return mechanism.release(dataset, random);
            }
          };
      releases.add(
          new PlannedHistogram(
              planned.spec(),
              new ReleasePlan(planned.share(), failing, planned.plan().error()),
              planned.candidates()));
    }
    return new Plan(plan.pipeline(), releases);
  }
}
