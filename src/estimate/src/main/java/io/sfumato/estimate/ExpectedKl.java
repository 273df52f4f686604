// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.mechanism.HistogramMechanism;
import java.util.function.DoubleSupplier;

/**
 * KL(p || y) in nats that one release is expected to have under the public planning model. Found
 * when it is first asked for: of many categories its simulation takes seconds, and a pipeline that
 * names its method runs without it.
 */
public final class ExpectedKl {
  private final DoubleSupplier simulation;
  private double found = Double.NaN;

  private ExpectedKl(DoubleSupplier simulation) {
    this.simulation = simulation;
  }

  /**
   * Known from a formula.
   *
   * @param nats at least 0
   */
  public static ExpectedKl of(double nats) {
    return new ExpectedKl(() -> nats);
  }

  /** By simulation with a public seed: the same whenever it is asked for. */
  public static ExpectedKl simulated(HistogramMechanism mechanism, PlanningModel model) {
    return new ExpectedKl(() -> SimulatedError.expectedKl(mechanism, model));
  }

  /** In nats, at least 0. */
  public synchronized double nats() {
    if (Double.isNaN(found)) {
      found = simulation.getAsDouble();
    }
    return found;
  }
}
