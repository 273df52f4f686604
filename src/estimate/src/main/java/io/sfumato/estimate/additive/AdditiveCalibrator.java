// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.ExpectedKl;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.BoundedCache;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.Optional;

/** Histograms with the least noise that a share affords, and the error that they are chosen by. */
public final class AdditiveCalibrator {
  /** Simulations take up to seconds, and outputs of one file often have equal shares. */
  private static final BoundedCache<Asked, ExpectedKl> ERRORS = new BoundedCache<>(1 << 8);

  private AdditiveCalibrator() {}

  /** All that an expected error follows from. */
  private record Asked(NoisyHistogram mechanism, PlanningModel model) {}

  /** Discrete Gaussian noise; nothing if even sigma 2^17 is too little. */
  public static Optional<HistogramPlan> gaussian(
      CalibrationTarget request,
      Accountant accountant,
      PostProcessing postProcessing,
      Sensitivity sensitivity,
      PlanningModel model) {
    return NoiseCalibration.gaussian(request, accountant, sensitivity)
        .map(least -> plan(request, least, Optional.of(postProcessing), sensitivity, model));
  }

  /** Discrete Laplace noise; nothing if even scale 2^20 is too little. */
  public static Optional<HistogramPlan> laplace(
      CalibrationTarget request,
      Accountant accountant,
      Sensitivity sensitivity,
      PlanningModel model) {
    return NoiseCalibration.laplace(request, accountant, sensitivity)
        .map(least -> plan(request, least, Optional.empty(), sensitivity, model));
  }

  private static HistogramPlan plan(
      CalibrationTarget request,
      CalibratedNoise<AdditiveNoise> least,
      Optional<PostProcessing> postProcessing,
      Sensitivity sensitivity,
      PlanningModel model) {
    NoisyHistogram mechanism = new NoisyHistogram(least.noise(), postProcessing, sensitivity);
    return HistogramPlan.of(
        Calibrated.<HistogramMechanism>of(request, least.filter(), mechanism),
        ERRORS.of(
            new Asked(mechanism, model),
            same -> ExpectedKl.simulated(same.mechanism(), same.model())));
  }
}
