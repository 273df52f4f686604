// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.mechanism.count.CountNoise;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.topology.Draw.OfCounts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A window's own counts. */
final class WindowCounts implements Kind<OfCounts> {
  @Override
  public Class<OfCounts> draws() {
    return OfCounts.class;
  }

  @Override
  public boolean same(Pair<OfCounts> pair) {
    return pair.first().exact().equals(pair.second().exact());
  }

  @Override
  public List<String> tooFar(List<Pair<OfCounts>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        claim,
        pair -> Shifts.of(pair.first().exact().values(), pair.second().exact().values()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<OfCounts> pair, Claim claim) {
    return OptionalDouble.of(
        divergence(
            order, pair.first().mechanism().noise(), pair.first().exact(), pair.second().exact()));
  }

  /** Of one noise on each of two groups of counts. */
  static double divergence(double order, CountNoise noise, Counts first, Counts second) {
    return noise instanceof CountNoise.Laplace laplace
        ? Divergences.laplace(order, first.values(), second.values(), laplace.scale())
        : Divergences.gaussian(
            order, first.values(), second.values(), noise.deviation() * noise.deviation());
  }

  @Override
  public Optional<String> chargeOf(OfCounts draw, Claim claim) {
    return Optional.of(Kind.ofWindow(draw, claim));
  }
}
