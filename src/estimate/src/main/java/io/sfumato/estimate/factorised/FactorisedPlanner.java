// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.factorised;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastGridNoise;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.factorised.FactorisedMechanism;
import io.sfumato.mechanism.factorised.ToeplitzRoot;
import java.util.Optional;

/** The least noise on rows that a share affords. */
public final class FactorisedPlanner {
  private FactorisedPlanner() {}

  /**
   * Discrete Gaussian noise; nothing if even sigma 2^36 is too little. The share counts releases of
   * all rows.
   */
  public static Optional<Planned<FactorisedMechanism>> gaussian(
      ShareRequest request, ToeplitzRoot root, GridSensitivity sensitivity) {
    return LeastGridNoise.gaussian(request, sensitivity, GridNoise.DIGITS)
        .map(
            least ->
                Planned.of(
                    request,
                    least.counting(),
                    new FactorisedMechanism(
                        root,
                        new GridGaussian(GridNoise.DIGITS, least.noise().steps()),
                        sensitivity)));
  }
}
