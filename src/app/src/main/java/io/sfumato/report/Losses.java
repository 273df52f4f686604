// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiCurve;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What charges come to, by every accountant that can say. */
final class Losses {
  private Losses() {}

  /**
   * The claims of charges that are made so often, the smallest epsilon first.
   *
   * @param delta at which they hold, below 1, less what no charge holds; at 0 pure epsilons add up
   * @return none where nothing of delta is left and a charge has no pure epsilon
   */
  static List<Claim> of(List<Counted> made, BigDecimal delta) {
    if (delta.signum() <= 0) {
      return pure(made);
    }
    double at = new Delta(delta).roundedDown();
    return LossReport.of(made, at).claims();
  }

  /**
   * The same at once, without composing loss distributions: for many charges, of which nobody needs
   * the last digit.
   */
  static List<Claim> quickly(List<Counted> made, BigDecimal delta) {
    List<Claim> claims = new ArrayList<>(pure(made));
    if (delta.signum() > 0) {
      RenyiCurve sum = RenyiCurve.zero();
      for (Counted counted : made) {
        sum = sum.plus(counted.count(), counted.charge().curve());
      }
      claims.add(new Claim("renyi", Conversion.epsilon(sum, new Delta(delta).roundedDown()), 0));
    }
    claims.sort(Comparator.comparingDouble(Claim::epsilon));
    return claims;
  }

  private static List<Claim> pure(List<Counted> made) {
    double sum = 0;
    for (Counted counted : made) {
      PrivacyCost charge = counted.charge();
      if (charge.pure().isEmpty()) {
        return List.of();
      }
      sum = Math.nextUp(sum + Math.nextUp(counted.count() * charge.pure().getAsDouble()));
    }
    return List.of(new Claim("pure", sum, 0));
  }
}
