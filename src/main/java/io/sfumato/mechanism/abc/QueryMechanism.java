// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Charge;
import java.util.Map;

/**
 * How queries are answered. One query is one charge, fixed before any data is touched; the noise of
 * its answers is then calibrated to that charge from two public numbers, N and T.
 */
public sealed interface QueryMechanism permits RejectionQueries, SoftQueries, SparseVectorQueries {
  /** The word of pipeline files: {@code rejection}, {@code soft}, {@code sparse-vector}. */
  String method();

  /** The cost of one query, whatever its N and T. */
  Charge charge();

  /** The parameters by name, for people and reports. */
  Map<String, Double> parameters();

  /**
   * The answers of one query.
   *
   * @param sensitivity D, above 0
   * @param candidates T, at least 1
   */
  QueryNoise answering(double sensitivity, long candidates);
}
