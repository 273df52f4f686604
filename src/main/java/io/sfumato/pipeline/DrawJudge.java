// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an audit knows of one kind of draw: how far exact inputs may lie apart between neighbours,
 * and how much is lost between them. Nothing is estimated.
 */
public interface DrawJudge<D extends Draw> {
  /** Those that it judges. */
  Class<D> draws();

  /** Whether both runs draw from the same exact input. */
  boolean same(Pair<D> pair);

  /**
   * What is too far apart, in words.
   *
   * @param pairs of one output that differ, of both whole runs
   */
  List<String> tooFar(List<Pair<D>> pairs, Claim claim);

  /**
   * The Rényi divergence of the first law from the second, in nats; nothing where no closed form is
   * known.
   */
  OptionalDouble divergence(double order, Pair<D> pair, Claim claim);

  /**
   * What one charge pays for: draws of one text share a charge. Nothing where one charge pays for
   * parts of many draws.
   */
  Optional<String> chargeOf(D draw, Claim claim);

  /** Draws that one charge pays for, seen from a user's ledger: a window of all subjects. */
  static String ofWindow(Draw draw, Claim claim) {
    return claim.ofUsers() ? Long.toString(draw.id().windowStart()) : draw.id().text();
  }
}
