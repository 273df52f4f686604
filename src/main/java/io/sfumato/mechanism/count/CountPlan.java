// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.Share;

/**
 * A share with its counting fixed, and the mechanism of every release.
 *
 * @param share with its order and cap
 * @param mechanism with its parameter
 */
public record CountPlan(Share share, CountMechanism mechanism) {
  /** Whether both draw with the same noise from the same share. */
  public boolean isSameAs(CountPlan other) {
    return share.equals(other.share) && mechanism.noise().equals(other.mechanism.noise());
  }

  /** How many windows of one user the share affords. */
  public long releases() {
    return share.affords(mechanism.charge());
  }
}
