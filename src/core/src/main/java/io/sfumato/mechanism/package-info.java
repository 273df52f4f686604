/**
 * What a mechanism is: a charge fixed beforehand, and one law for each dataset. Nothing here, nor
 * in the packages below, knows of Kafka.
 *
 * <p>Start with {@link Mechanism}. {@link ExactData} goes in, {@link ReleasedData} comes out, and
 * {@link Sensitivity} says how far neighbours move counts.
 *
 * <p>A release is planned on public facts, charged, and then drawn:
 *
 * <pre>{@code
 * // Whatever 4 releases reveal about one record is bounded by epsilon 4, delta 1e-6.
 * CalibrationTarget share = new CalibrationTarget("mix", Epsilon.of("4"), Delta.of("1e-6"), 4);
 * PlanningModel guess = PlanningModel.zipf(4, 200); // public: never look at the data here
 * HistogramPlan plan = DirichletCalibrator.plan(share, Accountant.EXACT, guess).orElseThrow();
 * HistogramMechanism mechanism = plan.mechanism();
 *
 * // Charge first: a ledger counts how often each charge was made.
 * Map<Integer, Long> costs = Map.of(0, plan.share().cost(mechanism.charge()));
 * LedgerRule rule = new LedgerRule(plan.share(), mechanism, 0, costs);
 * Ledgers<String> ledgers = Ledgers.of(new HashMap<>()); // yours: kept as long as the budget
 * ReleaseId id = new ReleaseId("budget", StateEpoch.random(), 1, "mix", "ann", 0, 0);
 * Permit permit =
 *     rule.charge(ledgers, "ann", id)
 *         .orElseThrow(() -> new IllegalStateException("the share is spent"));
 *
 * // Then draw: the same secret, id and data always give the same bytes.
 * Gate gate = new Gate(NoiseSecret.random().derive()); // yours: one that is kept
 * Histogram data = new Histogram(120, 40, 30, 10);
 * var released = (Distribution) gate.release(permit, id, Measured.of(mechanism, Secret.of(data)));
 *
 * double share0 = released.share(0);
 * double error = plan.accuracy().halfWidth(share0, data.size(), 4); // for 95 of 100 draws
 * System.out.printf("%.3f +- %.3f%n", share0, error);
 * }</pre>
 */
package io.sfumato.mechanism;
