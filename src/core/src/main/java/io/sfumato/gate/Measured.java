// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A mechanism and the exact input that it reads: what the {@link Gate} draws from, once or several
 * times. Secret.
 *
 * @param <D> the exact input
 * @param <R> what is drawn
 */
public final class Measured<D extends ExactData, R extends ReleasedData> {
  private final Mechanism<D, R> mechanism;
  private final OutputDistribution<R> distribution;
  private final Function<ReleaseId, Draw<D>> seen;

  private Measured(
      Mechanism<D, R> mechanism,
      OutputDistribution<R> distribution,
      Function<ReleaseId, Draw<D>> seen) {
    this.mechanism = mechanism;
    this.distribution = distribution;
    this.seen = seen;
  }

  /** Fits the mechanism to its input, which may take milliseconds where something is learned. */
  public static <D extends ExactData, R extends ReleasedData> Measured<D, R> of(
      Mechanism<D, R> mechanism, Secret<D> exact) {
    return of(mechanism, exact, (id, input) -> Draw.of(id, mechanism, input));
  }

  /**
   * The same, of which an auditor is to know more.
   *
   * @param seen a draw of this mechanism from this input, by its id
   */
  public static <D extends ExactData, R extends ReleasedData> Measured<D, R> of(
      Mechanism<D, R> mechanism, Secret<D> exact, BiFunction<ReleaseId, D, Draw<D>> seen) {
    return new Measured<>(
        mechanism, mechanism.distribution(exact.exact()), id -> seen.apply(id, exact.exact()));
  }

  /** How often a learner failed while the mechanism was fitted. */
  public int failures() {
    return distribution.failures();
  }

  Mechanism<D, R> mechanism() {
    return mechanism;
  }

  OutputDistribution<R> distribution() {
    return distribution;
  }

  Draw<D> seen(ReleaseId id) {
    return seen.apply(id);
  }

  /** Never prints data. */
  @Override
  public String toString() {
    return "Measured[masked]";
  }
}
