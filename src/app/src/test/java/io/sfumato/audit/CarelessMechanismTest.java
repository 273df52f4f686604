// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.gate.Draw;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Permit;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.ReleaseLike;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** An audit says what it did not judge, and finds randomness that does not depend on its input. */
class CarelessMechanismTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: driver, time: at, category: category, categories: [a, b] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: gaussian, share: { epsilon: 2, delta: 1e-6 } }
      """;

  /** As another, but for what it was careless about. */
  private record Careless(HistogramMechanism honest, boolean frames, boolean tells)
      implements HistogramMechanism {
    @Override
    public String method() {
      return honest.method();
    }

    @Override
    public PrivacyCost charge() {
      return honest.charge();
    }

    @Override
    public Map<String, Double> parameters() {
      return honest.parameters();
    }

    @Override
    public OutputDistribution<HistogramRelease> distribution(Histogram dataset) {
      OutputDistribution<HistogramRelease> distribution = honest.distribution(dataset);
      return new OutputDistribution<>() {
        @Override
        public void encodeInput(CanonicalEncoder encoder) {
          if (frames) {
            distribution.encodeInput(encoder);
          }
        }

        @Override
        public HistogramRelease draw(KeyedRandom random) {
          return distribution.draw(random);
        }
      };
    }

    @Override
    public OptionalDouble divergence(double order, Histogram first, Histogram second) {
      return tells ? honest.divergence(order, first, second) : OptionalDouble.empty();
    }
  }

  private static ReplayAudit.Findings audited(boolean frames, boolean tells) {
    Plan plan = Audited.plan(YAML);
    List<PlannedRelease> releases = new ArrayList<>();
    for (PlannedHistogram planned : plan.all(PlannedHistogram.class)) {
      HistogramMechanism careless = new Careless(planned.plan().mechanism(), frames, tells);
      releases.add(
          new PlannedHistogram(
              planned.spec(),
              new HistogramPlan(
                  new Calibrated<>(planned.share(), careless),
                  planned.best().accuracy(),
                  planned.best().error()),
              planned.candidates()));
    }
    return Audited.of(new Plan(plan.pipeline(), releases), new ReplayAudit(8, 9, 1, 3));
  }

  /** Shows an empty window to the audit, and draws from the true one. */
  private static ReleaseSampler.Prepared lying(
      PlannedHistogram honest,
      Secret<? extends WindowData> data,
      ReleaseSampler.Prepared prepared) {
    HistogramMechanism mechanism = honest.plan().mechanism();
    Measured<Histogram, HistogramRelease> measured =
        Measured.of(
            mechanism,
            data.map(window -> window.histogram().orElseThrow()),
            (id, exact) -> Draw.of(id, mechanism, Histogram.empty(2)));
    return new ReleaseSampler.Prepared() {
      @Override
      public int failures() {
        return prepared.failures();
      }

      @Override
      public ReleaseSampler.Drawn draw(OutputLabel label, Gate gate, Permit permit) {
        gate.release(permit, label.id(), measured);
        return ReleaseSampler.Drawn.NOTHING;
      }
    };
  }

  @Test
  void whatIsShownIsWhatIsDrawn() {
    Plan plan = Audited.plan(YAML);
    PlannedHistogram honest = plan.all(PlannedHistogram.class).get(0);
    PlannedRelease lying =
        new ReleaseLike(
            honest,
            honest.plan(),
            sampler ->
                (start, data, memory) -> lying(honest, data, sampler.prepare(start, data, memory)));
    ReplayAudit.Findings found =
        Audited.of(new Plan(plan.pipeline(), List.of(lying)), new ReplayAudit(8, 9, 1, 3));
    assertThat(found.violations())
        .extracting(Violation::what)
        .anyMatch(what -> what.contains("not drawn from the exact input that it shows"));
  }

  @Test
  void whoIsCarefulIsJudgedAndKept() {
    ReplayAudit.Findings found = audited(true, true);
    assertThat(found.violations()).isEmpty();
    assertThat(found.unjudged()).isEmpty();
    assertThat(found.lossRatio()).isPositive();
  }

  @Test
  void lossWithoutAClosedFormIsSaidToBeUnknown() {
    ReplayAudit.Findings found = audited(true, false);
    assertThat(found.unjudged()).containsExactly("mix");
    assertThat(found.lossRatio()).isZero();
  }

  @Test
  void randomnessDependsOnTheExactInput() {
    assertThat(audited(false, true).violations())
        .extracting(Violation::kind)
        .contains(Violation.Kind.DISTANCE);
  }
}
