// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Counting;
import io.sfumato.estimate.ExpectedKl;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.Memo;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.Optional;

/** The least noise that a share affords: one number, so nothing else is to choose. */
public final class AdditivePlanner {
  /** Simulations take up to seconds, and outputs of one file often have equal shares. */
  private static final Memo<Asked, ExpectedKl> ERRORS = new Memo<>(1 << 8);

  private AdditivePlanner() {}

  /** Discrete Gaussian noise; nothing if even sigma 2^17 is too little. */
  public static Optional<HistogramPlan> gaussian(
      ShareRequest request,
      Accountant accountant,
      PostProcessing postProcessing,
      Sensitivity sensitivity,
      PlanningModel model) {
    return LeastNoise.gaussian(request, accountant, sensitivity)
        .map(
            least ->
                plan(
                    request,
                    least.counting(),
                    new Asked(
                        new GaussianNoise(least.parameter()),
                        Optional.of(postProcessing),
                        sensitivity,
                        model)));
  }

  /** Discrete Laplace noise; nothing if even scale 2^20 is too little. */
  public static Optional<HistogramPlan> laplace(
      ShareRequest request, Accountant accountant, Sensitivity sensitivity, PlanningModel model) {
    return LeastNoise.laplace(request, accountant, sensitivity)
        .map(
            least ->
                plan(
                    request,
                    least.counting(),
                    new Asked(
                        new LaplaceNoise(least.parameter()),
                        Optional.empty(),
                        sensitivity,
                        model)));
  }

  /** All that an expected error follows from. */
  private record Asked(
      AdditiveNoise noise,
      Optional<PostProcessing> postProcessing,
      Sensitivity sensitivity,
      PlanningModel model) {}

  private static HistogramPlan plan(ShareRequest request, Counting counting, Asked asked) {
    HistogramMechanism mechanism =
        new NoisyHistogram(asked.noise, asked.postProcessing, asked.sensitivity);
    return HistogramPlan.of(
        Planned.of(request, counting, mechanism),
        ERRORS.of(asked, same -> ExpectedKl.simulated(mechanism, same.model)));
  }
}
