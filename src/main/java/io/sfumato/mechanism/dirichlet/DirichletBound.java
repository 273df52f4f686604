// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import java.util.Optional;

/**
 * A proved bound of the loss of y ~ Dirichlet(r f + a): what neighbours are, and how it is bounded.
 */
public sealed interface DirichletBound {
  /** Rényi divergence of one release, in nats; +infinity where there is no bound. */
  double divergence(double order, double r, double a);

  /** What it protects. */
  PrivacyUnit unit();

  /** Short name, part of a charge's identity. */
  String word();

  /** The exact profile, where there is a proof of one. */
  default Optional<PrivacyProfile> profile(double r, double a) {
    return Optional.empty();
  }

  /** The Rényi curve of one release. */
  default RenyiCurve curve(DirichletParameters pair) {
    return RenyiCurve.of(order -> divergence(order, pair.r(), pair.a()));
  }

  /** Theorems A and B: one record is replaced. */
  record ReplaceOne() implements DirichletBound {
    @Override
    public double divergence(double order, double r, double a) {
      return DirichletDivergence.replaceOne(order, r, a);
    }

    @Override
    public PrivacyUnit unit() {
      return PrivacyUnit.RECORD;
    }

    @Override
    public String word() {
      return "replace-one";
    }

    @Override
    public Optional<PrivacyProfile> profile(double r, double a) {
      return Optional.of(epsilon -> DominatingPair.delta(epsilon, r, a));
    }
  }

  /**
   * Theorem C: up to C records in all are added or removed.
   *
   * @param records C, at least 1
   */
  record AddOrRemove(int records) implements DirichletBound {
    @Override
    public double divergence(double order, double r, double a) {
      return DirichletDivergence.addOrRemove(order, r, a, records);
    }

    @Override
    public PrivacyUnit unit() {
      return PrivacyUnit.USER;
    }

    @Override
    public String word() {
      return "add-or-remove-" + records;
    }
  }

  /** The paper's Theorem 1: one record is replaced, by a looser bound. */
  record Paper() implements DirichletBound {
    @Override
    public Optional<PrivacyProfile> profile(double r, double a) {
      return new ReplaceOne().profile(r, a);
    }

    @Override
    public double divergence(double order, double r, double a) {
      return DirichletDivergence.paper(order, r, a);
    }

    @Override
    public PrivacyUnit unit() {
      return PrivacyUnit.RECORD;
    }

    @Override
    public String word() {
      return "paper";
    }
  }
}
