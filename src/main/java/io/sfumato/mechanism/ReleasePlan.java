// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.accounting.Share;

/**
 * A share with its counting fixed, and the mechanism that every release uses.
 *
 * @param share with its order and cap, or its number of releases
 * @param mechanism with its parameters
 * @param error of one release under the public planning model
 */
public record ReleasePlan(Share share, HistogramMechanism mechanism, ExpectedKl error) {
  /** Of one release under the public planning model, in nats. */
  public double expectedKl() {
    return error.nats();
  }

  /** How many releases the share affords. */
  public long releases() {
    return share.affords(mechanism.charge());
  }

  /** The order at which the share counts; else the best one to report all its releases at. */
  public double reportedOrder() {
    return share.reportedOrder(mechanism.charge());
  }
}
