// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.ClopperPearson;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fixed public seeds. A correct mechanism is accused with probability 1e-9 at most. */
@Tag("deep")
class AuditTest {
  private static final double EPSILON = 2;
  private static final double DELTA = 1e-3;
  private static final PlanningModel MODEL = PlanningModel.zipf(4, 100);
  private static final Audit AUDIT = new Audit(200_000, 1e-9);

  private static CalibrationTarget request() {
    return new CalibrationTarget("x", Epsilon.of("2"), Delta.of("1e-3"), 1);
  }

  private static DirichletMechanism dirichlet() {
    return (DirichletMechanism)
        DirichletCalibrator.plan(request(), Accountant.EXACT, MODEL).orElseThrow().mechanism();
  }

  @Test
  void correctMechanismsAreNotAccusedAndTheBoundIsNotVoid() {
    List<HistogramMechanism> mechanisms =
        List.of(
            dirichlet(),
            dirichlet().asCounts(50),
            AdditiveCalibrator.gaussian(
                    request(),
                    Accountant.EXACT,
                    PostProcessing.POSTERIOR_MEAN,
                    Sensitivity.replaceOne(),
                    MODEL)
                .orElseThrow()
                .mechanism(),
            AdditiveCalibrator.laplace(request(), Accountant.EXACT, Sensitivity.replaceOne(), MODEL)
                .orElseThrow()
                .mechanism());
    for (HistogramMechanism mechanism : mechanisms) {
      double found = AUDIT.of(mechanism, 4, DELTA, "audit", () -> {}).epsilon();
      assertThat(found).as(mechanism.charge().mechanism()).isLessThan(EPSILON).isGreaterThan(0.5);
    }
  }

  /** Three records of a user are added, at a share that is meant for three, or for one. */
  @Test
  void mechanismsThatProtectUsersAreJudgedByAllOfTheirRecords() {
    Sensitivity three = Sensitivity.addOrRemove(3);
    HistogramMechanism honest =
        AdditiveCalibrator.laplace(request(), Accountant.RENYI, three, MODEL)
            .orElseThrow()
            .mechanism();
    HistogramMechanism careless =
        AdditiveCalibrator.laplace(request(), Accountant.RENYI, Sensitivity.addOrRemove(1), MODEL)
            .orElseThrow()
            .mechanism();
    OptionalInt added = OptionalInt.of(3);
    assertThat(AUDIT.of(honest, 4, added, DELTA, "audit users", () -> {}).epsilon())
        .isLessThan(EPSILON)
        .isGreaterThan(0.5);
    assertThat(AUDIT.of(careless, 4, added, DELTA, "audit users", () -> {}).epsilon())
        .isGreaterThan(EPSILON);
  }

  /** The claim is that of r; what is drawn has twice as much of it. */
  @Test
  void mechanismWithTwiceItsRIsCaught() {
    DirichletMechanism honest = dirichlet();
    DirichletParameters doubled =
        new DirichletParameters(2 * honest.pair().rSteps(), honest.pair().aSteps());
    DirichletMechanism secret = new DirichletMechanism(doubled, new DirichletBound.ReplaceOne(), 4);
    HistogramMechanism broken =
        new HistogramMechanism() {
          @Override
          public PrivacyCost charge() {
            return honest.charge();
          }

          @Override
          public String method() {
            return honest.method();
          }

          @Override
          public Map<String, Double> parameters() {
            return honest.parameters();
          }

          @Override
          public OutputDistribution<HistogramRelease> distribution(Histogram dataset) {
            return secret.distribution(dataset);
          }
        };
    assertThat(AUDIT.of(broken, 4, DELTA, "audit", () -> {}).epsilon()).isGreaterThan(EPSILON);
  }

  /** Clopper and Pearson's own kind of example: 0 of n has the upper bound 1 - failure^(1/n). */
  @Test
  void proportionsHaveExactBounds() {
    assertThat(ClopperPearson.upper(0, 50, 0.025))
        .isCloseTo(1 - Math.pow(0.025, 1 / 50.0), within(1e-12));
    assertThat(ClopperPearson.lower(50, 50, 0.025))
        .isCloseTo(Math.pow(0.025, 1 / 50.0), within(1e-12));
    assertThat(ClopperPearson.lower(0, 50, 0.025)).isZero();
    assertThat(ClopperPearson.upper(50, 50, 0.025)).isEqualTo(1);
  }
}
