// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import java.util.List;

/** What a number of releases costs, by every accountant that has a proof for them. */
public final class AccountingExample {
  private AccountingExample() {}

  /** The loss of a hundred Gaussian and five purely private releases. */
  public static double run() {
    // example: accounting
    PrivacyCost gaussian =
        PrivacyCost.renyi(
            "my gaussian, sigma 20", PrivacyUnit.RECORD, RenyiCurve.gaussian(1 / 20.0));
    PrivacyCost pure = PrivacyCost.pure("my randomised response", PrivacyUnit.RECORD, 0.1);

    RenyiCurve all = RenyiCurve.zero().plus(100, gaussian.curve()).plus(5, pure.curve());
    double epsilon = Conversion.epsilon(all, 1e-6); // at the best order, for a report

    LossReport report =
        LossReport.of(List.of(new Counted(gaussian, 100), new Counted(pure, 5)), 1e-6);
    report.claims().forEach(c -> System.out.printf("%.3f by %s%n", c.epsilon(), c.accountant()));
    // end
    return epsilon;
  }

  public static void main(String[] arguments) {
    run();
  }
}
