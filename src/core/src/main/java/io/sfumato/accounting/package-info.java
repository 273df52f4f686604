/**
 * What a release costs and what a budget covers: Rényi curves, charges, ledgers, shares,
 * conversions. Nothing here knows of Kafka or of any mechanism.
 *
 * <p>Start with {@link BudgetShare}, which admits or refuses a charge ({@link PrivacyCost}), and
 * {@link LossReport}, which adds up what releases reveal. {@link RenyiCurve} follows Mironov 2017,
 * {@link PrivacyFilter} Feldman, Zrnic 2021, and {@link PldAccountant} composes privacy-loss
 * distributions.
 *
 * <pre>{@code
 * PrivacyCost gaussian =
 *     PrivacyCost.renyi(
 *         "my gaussian, sigma 20", PrivacyUnit.RECORD, RenyiCurve.gaussian(1 / 20.0));
 * PrivacyCost pure = PrivacyCost.pure("my randomised response", PrivacyUnit.RECORD, 0.1);
 *
 * RenyiCurve all = RenyiCurve.zero().plus(100, gaussian.curve()).plus(5, pure.curve());
 * double epsilon = Conversion.epsilon(all, 1e-6); // at the best order, for a report
 *
 * LossReport report =
 *     LossReport.of(List.of(new Counted(gaussian, 100), new Counted(pure, 5)), 1e-6);
 * report.claims().forEach(c -> System.out.printf("%.3f by %s%n", c.epsilon(), c.accountant()));
 * }</pre>
 */
package io.sfumato.accounting;
