// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.Mechanism;

/**
 * A share with its counting fixed, and the mechanism that spends it.
 *
 * @param <M> the mechanism
 * @param share with its order and cap, or its number of draws
 * @param mechanism with its parameters
 */
public record Planned<M extends Mechanism<?, ?>>(Share share, M mechanism) {
  /** What a request asked for. */
  public static <M extends Mechanism<?, ?>> Planned<M> of(
      ShareRequest request, Counting counting, M mechanism) {
    return new Planned<>(
        new Share(request.name(), request.epsilon(), request.delta(), counting), mechanism);
  }

  /** The same share, which affords no more draws than these. */
  public Planned<M> noMoreThan(long draws) {
    Counting counting = share.counting();
    return new Planned<>(
        new Share(
            share.name(),
            share.epsilon(),
            share.delta(),
            counting.withCap(counting.cost(charge()) * draws)),
        mechanism);
  }

  /** What one draw costs. */
  public Charge charge() {
    return mechanism.charge();
  }

  /** How many draws the share affords. */
  public long releases() {
    return share.affords(charge());
  }

  /** The order at which the share counts; else the best one to report all its draws at. */
  public double reportedOrder() {
    return share.reportedOrder(charge());
  }
}
