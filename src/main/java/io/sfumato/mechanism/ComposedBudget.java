// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.accounting.Composition;
import io.sfumato.accounting.Composition.Precision;
import io.sfumato.accounting.PrivacyProfile;

/** Whether a fixed number of releases with one profile fits (epsilon, delta). */
public record ComposedBudget(double epsilon, double delta, long releases) {
  /** Of a request, rounded down. */
  public static ComposedBudget of(ShareRequest request) {
    return new ComposedBudget(
        request.epsilon().roundedDown(), request.delta().roundedDown(), request.horizon());
  }

  /** By the composed privacy-loss distribution, on the safe side at every precision. */
  public boolean covers(PrivacyProfile profile, Precision precision) {
    // One release needs no composition; and n releases lose no less than one of them.
    return profile.delta(epsilon) <= delta
        && (releases == 1
            || Composition.of(profile, releases, precision).delta(epsilon, delta) <= delta);
  }
}
