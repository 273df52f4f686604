// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.math.BigDecimal;

/** The step from exact decimals to doubles. */
final class DecimalRounding {
  private DecimalRounding() {}

  static double roundedDown(BigDecimal value) {
    double nearest = value.doubleValue();
    return new BigDecimal(nearest).compareTo(value) > 0 ? Math.nextDown(nearest) : nearest;
  }
}
