// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Bracket;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.LeastNoise;
import java.util.List;
import java.util.Optional;

/**
 * Running counts with Laplace noise as earlier programs planned them: a window was charged as if it
 * moved one noise of its own by C on every level together, RR(C h / b). For several windows that
 * share nodes this is too little. Kept to recognise budgets that were granted so, which go on with
 * their noise and their share, at what it costs: new budgets never use it.
 */
public final class FormerTrees {
  private FormerTrees() {}

  /**
   * The former plan at its true cost, in as many windows as the share really affords: W or fewer.
   *
   * @param window what one window's records move in a single count
   */
  public static Optional<Planned<CountMechanism>> laplace(
      ShareRequest request, CountTree tree, Sensitivity window) {
    Sensitivity asOne =
        new Sensitivity(
            tree.word(window, request.horizon()),
            window.unit(),
            List.of(new Shift(window.l1() * tree.levels(), 1)));
    return LeastNoise.laplace(request, Accountant.RENYI, asOne)
        .map(found -> CountPlanner.laplace(request, found, asOne))
        .map(former -> atTrueCost(former, request.horizon(), tree, window));
  }

  /**
   * Let k be the most windows of which the true charge, for at most k of them, fits k times. Each
   * then costs the k-th part of the share: k windows fit, and no one more, on which their charge
   * rests. It is never less than a window was charged before, since k is at most W.
   */
  private static Planned<CountMechanism> atTrueCost(
      Planned<CountMechanism> former, long horizon, CountTree tree, Sensitivity window) {
    AdditiveNoise noise = former.mechanism().noise();
    Counting counting = former.share().counting();
    // One always fits: RR(x)/x does not fall, h RR(C/b) is at most RR(C h/b).
    long fits =
        Bracket.largest(
            1,
            horizon + 1,
            k -> counting.cost(noise.charge(tree.perWindow(window, k))) <= counting.cap() / k);
    Charge charge = noise.charge(tree.perWindow(window, fits));
    return new Planned<>(
        former.share(),
        new CountMechanism(
            noise,
            new Charge(
                former.mechanism().charge().mechanism(),
                charge.unit(),
                charge.curve().atLeast(RenyiUnits.toNats(counting.cap() / fits)),
                charge.pure(),
                charge.profile())));
  }
}
