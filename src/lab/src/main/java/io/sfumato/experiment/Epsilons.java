// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Epsilon;
import java.math.BigDecimal;

/** Epsilons of tables as budgets. */
final class Epsilons {
  private Epsilons() {}

  /**
   * @param epsilon above 0, as it is printed
   */
  static Epsilon of(double epsilon) {
    return new Epsilon(BigDecimal.valueOf(epsilon));
  }
}
