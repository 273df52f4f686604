// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.topology.Draw;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the audit knows of one kind of draw: how far exact inputs may lie apart, and how much is
 * lost between them. A new kind of release has a room of its own, and a line in {@link #ALL}.
 */
interface Kind<D extends Draw> {
  /** A room for each. */
  List<Kind<?>> ALL =
      List.of(new Histograms(), new WindowCounts(), new TreeNodes(), new Items(), new Answers());

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
