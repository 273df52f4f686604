// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.RejectionQueries;
import io.sfumato.mechanism.abc.RejectionQueries.Contract;
import io.sfumato.mechanism.abc.SoftQueries;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** From the queries of the file to their mechanism: an equal part of the share for each. */
public final class AbcCalibrator {
  private static final MathContext DOWN = new MathContext(20, RoundingMode.FLOOR);

  private AbcCalibrator() {}

  /** An equal part of the share for each query. */
  public static Calibrated<QueryMechanism> plan(AbcSpec spec) {
    QueryMechanism mechanism = mechanism(spec);
    requireNoise(spec, mechanism);
    PrivacyFilter filter =
        new PrivacyFilter.FixedCountFilter(mechanism.charge().mechanism(), spec.queries());
    return new Calibrated<>(spec.share().counted(filter), mechanism);
  }

  /**
   * Makes the noise of the largest query, about a window of one record: a candidate that comes
   * later must find its noise.
   *
   * @throws IllegalArgumentException if there is none
   */
  private static void requireNoise(AbcSpec spec, QueryMechanism mechanism) {
    if (spec.method() instanceof AbcSpec.Method.Rejection) {
      return; // has noise of any width
    }
    mechanism.noise(spec.measure().sensitivity(1), spec.candidates());
  }

  private static QueryMechanism mechanism(AbcSpec spec) {
    if (spec.method() instanceof AbcSpec.Method.SparseVector sparse) {
      return new SparseVectorQueries(
          spec.threshold(), part(spec), sparse.acceptances(), sparse.threshold());
    }
    if (spec.method() instanceof AbcSpec.Method.Soft) {
      return new SoftQueries(spec.threshold(), mu(spec));
    }
    Contract contract =
        spec.accountant() == Accountant.PAPER
            ? new Contract.Paper(part(spec))
            : new Contract.Gaussian(mu(spec));
    return new RejectionQueries(spec.clip(), spec.threshold(), contract);
  }

  /** Pure losses add up. */
  private static Epsilon part(AbcSpec spec) {
    BigDecimal whole = spec.share().epsilon().value();
    return new Epsilon(whole.divide(BigDecimal.valueOf(spec.queries()), DOWN));
  }

  /** Gaussians add up in the squares of mu. */
  private static double mu(AbcSpec spec) {
    double all = GaussianBudget.mu(spec.share().epsilon(), spec.share().delta(), spec.accountant());
    return all / StrictMath.sqrt(spec.queries()) * (1 - 1e-15);
  }
}
