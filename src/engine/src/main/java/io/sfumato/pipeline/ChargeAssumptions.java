// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.gate.Draw;
import java.util.Optional;

/**
 * What an output's charge assumes of neighbours.
 *
 * @param pipeline with the records of a user that count
 * @param planned the output
 * @param charges how often the protected ledgers were charged for it
 */
public record ChargeAssumptions(Pipeline pipeline, PlannedRelease planned, long charges) {
  /** Of one release, or query. */
  public PrivacyCost charge() {
    return planned.charge();
  }

  /** Whether all that a user did is protected. */
  public boolean ofUsers() {
    return pipeline.population().isPresent();
  }

  /**
   * What one charge pays for where a window's draws are charged once: seen from a user's ledger a
   * window of all subjects, else one draw. Nothing where each record is charged.
   */
  public Optional<String> chargeOf(Draw<?> draw) {
    if (planned.spec().chargesRecords()) {
      return Optional.empty();
    }
    return Optional.of(ofUsers() ? Long.toString(draw.id().windowStart()) : draw.id().text());
  }

  /** The most that one window's counts move in all: two counts by 1, or one by C, or by D. */
  public double l1() {
    return pipeline.population().map(users -> (double) most(users)).orElse(2.0);
  }

  /** The same, squared. */
  public double squaredL2() {
    return pipeline.population().map(users -> (double) most(users) * most(users)).orElse(2.0);
  }

  /** In words, where a window's counts move by more in all; nothing where they do not. */
  public Optional<String> excess(Shifts moved) {
    return moved.l1() > l1() || moved.squaredL2() > squaredL2()
        ? Optional.of(
            "counts of all subjects move by %s in L1 and %s in squared L2; the charge assumes %s and %s"
                .formatted(moved.l1(), moved.squaredL2(), l1(), squaredL2()))
        : Optional.empty();
  }

  /** How many charges all of a window's records may be. */
  public double chargesOfOneWindow() {
    return planned.spec().chargesRecords() ? l1() : 1;
  }

  /** Of a user's records in a window: those that count, or those that are told as left out. */
  private int most(Population users) {
    return planned.spec().recordsOf(users);
  }
}
