// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.mechanism.additive.ErrorLaw;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;

/**
 * How far noisy parts may be off, of one draw or of windows together: each part that is drawn has
 * an error of its own, all of one law.
 *
 * @param noise the law, in steps of 2^-20 of a record
 * @param sensitivity of one window's parts: which of them are drawn
 */
public record PartsError(ErrorLaw noise, MomentSensitivity sensitivity) {
  /** Of one draw. */
  public static PartsError of(GridMeasurement<MomentQuery> mechanism) {
    return new PartsError(mechanism.noise(), mechanism.query().way());
  }
}
