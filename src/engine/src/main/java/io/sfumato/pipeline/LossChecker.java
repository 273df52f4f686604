// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an audit knows of the draws of one output: how far exact inputs may lie apart between
 * neighbours, and how much is lost between them. Nothing is estimated.
 *
 * @param <D> the exact input of a draw
 */
public interface LossChecker<D extends ExactData> {
  /** Whether both runs draw from the same exact input. */
  default boolean same(Pair<D> pair) {
    return pair.first().exact().equals(pair.second().exact());
  }

  /**
   * What is too far apart, in words.
   *
   * @param pairs of one output that differ, of both whole runs
   */
  List<String> tooFar(List<Pair<D>> pairs, ChargeAssumptions assumed);

  /**
   * What of draws is wrong that one of both runs has and the other has not, in words. Most outputs
   * draw by public facts alone, or by outputs: where these differ, draws may.
   *
   * @param draws of one output, of one run
   */
  default List<String> drawnAlone(List<Draw<D>> draws, ChargeAssumptions assumed) {
    return List.of();
  }

  /**
   * The Rényi divergence of the first law from the second, in nats; nothing where no closed form is
   * known.
   */
  default OptionalDouble divergence(double order, Pair<D> pair) {
    return pair.first().mechanism().divergence(order, pair.first().exact(), pair.second().exact());
  }

  /**
   * What one charge pays for: draws of one text share a charge. Nothing where one charge pays for
   * parts of many draws.
   */
  Optional<String> chargeOf(Draw<D> draw, ChargeAssumptions assumed);

  /**
   * How many charges pay for draws that share them: as many as were made. More, where a share is
   * granted as a whole and its first windows cost more than their part.
   */
  default long paid(ChargeAssumptions assumed) {
    return assumed.charges();
  }
}
