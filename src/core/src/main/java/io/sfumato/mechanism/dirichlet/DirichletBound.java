// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * A proved bound of the loss of y ~ Dirichlet(r f + a): what neighbours are, and how it is bounded.
 */
public sealed interface DirichletBound {
  /**
   * Rényi divergence of one release, in nats; +infinity where there is no bound.
   *
   * @param order L, above 1
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   */
  double divergence(double order, double r, double a);

  /** What it protects. */
  PrivacyUnit unit();

  /** Short name, part of a charge's identity. */
  String word();

  /**
   * The exact profile, where there is a proof of one.
   *
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   */
  default Optional<PrivacyProfile> profile(double r, double a) {
    return Optional.empty();
  }

  /** Counts below this are drawn as if they were this: what the bound may rely on. */
  default long leastCount() {
    return 0;
  }

  /**
   * What ties a to r at an order, where the bound is not for any pair.
   *
   * @param order above 1
   */
  default Optional<DoubleUnaryOperator> prior(double order) {
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
      return TheoremA.divergence(order, r, a, 1);
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
      return Optional.of(epsilon -> TheoremB.delta(epsilon, r, a));
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
      return TheoremC.divergence(order, r, a, records);
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
      return PaperTheorem1.divergence(order, r, a);
    }

    /** Algorithm 1, line 2. */
    @Override
    public Optional<DoubleUnaryOperator> prior(double order) {
      return Optional.of(r -> 1 + 4 * (order - 1) * r);
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

  /**
   * Theorem F of docs/theory/dirichlet.md: one record is replaced by one of another category and
   * weight; what is counted is weight. The total weight may differ between neighbours, so it is
   * private.
   *
   * @param largest weight of a record, in whole steps of the counts, 1 to 2^20
   */
  record ReplaceWeighted(long largest) implements DirichletBound {
    public ReplaceWeighted {
      requireSteps("the largest weight", largest, 1L << 20);
    }

    @Override
    public double divergence(double order, double r, double a) {
      return TheoremA.divergence(order, together(r), a, 1);
    }

    /** Weight of the heaviest record, rounded up. */
    private double together(double r) {
      return Math.nextUp(largest * r);
    }

    @Override
    public PrivacyUnit unit() {
      return PrivacyUnit.RECORD;
    }

    @Override
    public String word() {
      return "replace-weighted-" + largest;
    }

    @Override
    public Optional<PrivacyProfile> profile(double r, double a) {
      return Optional.of(epsilon -> TheoremB.delta(epsilon, together(r), a));
    }
  }

  /**
   * Theorem G of docs/theory/dirichlet.md: a statistic f of a dataset, f >= 0 in every coordinate,
   * that moves by no more than this where one record is replaced. Its total may move too.
   *
   * @param squaredL2 the squared Euclidean distance, D2^2, in squared steps of f
   * @param largest the largest distance in a coordinate, Dinf, in steps of f, 1 to 2^20
   */
  record Statistic(long squaredL2, long largest) implements DirichletBound {
    /**
     * @throws IllegalArgumentException if the squared distance is below that of one coordinate
     */
    public Statistic {
      requireSteps("the largest distance in a coordinate", largest, 1L << 20);
      requireSteps("the squared distance", squaredL2, 1L << 50);
      if (squaredL2 < largest * largest) {
        throw new IllegalArgumentException(
            "a squared distance of "
                + squaredL2
                + " is less than that of one coordinate, "
                + largest * largest);
      }
    }

    @Override
    public double divergence(double order, double r, double a) {
      return TheoremG.divergence(order, r, a, squaredL2, largest);
    }

    @Override
    public PrivacyUnit unit() {
      return PrivacyUnit.RECORD;
    }

    @Override
    public String word() {
      return "statistic-l2^2-" + squaredL2 + "-linf-" + largest;
    }
  }

  /**
   * The corollary of Theorem F in docs/theory/dirichlet.md: counts below m are raised to m before
   * the draw, so any bound holds at the prior a + r m. Where all counts are m or more nothing is
   * raised (the paper's Remark 2); where one is not, the release is less accurate, and as private.
   *
   * @param count m, at least 1
   * @param of the bound without it
   */
  record LeastCount(long count, DirichletBound of) implements DirichletBound {
    /**
     * @throws IllegalArgumentException if the bound has a least count already
     */
    public LeastCount {
      requireSteps("the least count", count, 1L << 40);
      if (of.leastCount() > 0) {
        throw new IllegalArgumentException("a least count is given once");
      }
    }

    /** a + r m, rounded down: bounds fall with the prior. */
    private double prior(double r, double a) {
      return Math.nextDown(Math.nextDown(a + Math.nextDown(r * count)));
    }

    @Override
    public double divergence(double order, double r, double a) {
      return of.divergence(order, r, prior(r, a));
    }

    @Override
    public PrivacyUnit unit() {
      return of.unit();
    }

    @Override
    public String word() {
      return of.word() + " least-count-" + count;
    }

    @Override
    public long leastCount() {
      return count;
    }

    @Override
    public Optional<DoubleUnaryOperator> prior(double order) {
      return of.prior(order);
    }

    @Override
    public Optional<PrivacyProfile> profile(double r, double a) {
      return of.profile(r, prior(r, a));
    }
  }

  private static void requireSteps(String what, long steps, long most) {
    if (steps < 1 || steps > most) {
      throw new IllegalArgumentException(what + " must be 1 to " + most + ", was " + steps);
    }
  }
}
