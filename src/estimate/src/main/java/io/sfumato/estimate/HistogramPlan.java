// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.mechanism.HistogramMechanism;

/**
 * A planned histogram and the error that it is chosen by.
 *
 * @param planned share and mechanism
 * @param accuracy of what is published
 * @param error of one release under the public planning model
 */
public record HistogramPlan(
    Calibrated<HistogramMechanism> planned, HistogramAccuracy accuracy, ExpectedKl error) {
  /** Of a mechanism whose accuracy is known. */
  public static HistogramPlan of(Calibrated<HistogramMechanism> planned, ExpectedKl error) {
    return new HistogramPlan(planned, HistogramAccuracy.of(planned.mechanism()), error);
  }

  /** That spends the share. */
  public HistogramMechanism mechanism() {
    return planned.mechanism();
  }

  /** With its order and cap, or its number of releases. */
  public BudgetShare share() {
    return planned.share();
  }

  /** How many releases the share affords. */
  public long releases() {
    return planned.releases();
  }

  /** The order at which the share counts; else the best one to report all its releases at. */
  public double reportedOrder() {
    return planned.reportedOrder();
  }

  /** Expected KL of one release under the public planning model, in nats. */
  public double expectedKl() {
    return error.nats();
  }
}
