/**
 * Counts with whole-number noise, of single windows and running over many. Unit {@code user}: what
 * one user adds is bounded before anything is counted.
 *
 * <p>Start with {@link CountQuery}; {@link RunningCount} adds up windows in the tree of Chan, Shi,
 * Song 2011, and {@link CountTree} has what one window moves in it, Theorem E.
 *
 * <pre>{@code
 * CalibrationTarget share = new CalibrationTarget("total", Epsilon.of("1"), Delta.of("1e-6"), 1);
 * Sensitivity ofOneWindow = new CountTree(64).perWindow(Sensitivity.addOrRemove(4), 1);
 * CountMeasurement<CountQuery> mechanism =
 *     VectorCalibrator.gaussianWindows(share, new CountQuery(), ofOneWindow)
 *         .orElseThrow()
 *         .mechanism();
 *
 * // For a simulation; real releases go through Gate.release.
 * KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
 * RunningCount running = RunningCount.START;
 * for (long visitors : new long[] {812, 790, 845, 901, 777, 830, 812, 799, 850, 820}) {
 *   ExactVector exact = running.completedBy(new ExactVector(visitors));
 *   NoisyVector noisy = mechanism.distribution(exact).draw(random);
 *   running = running.plus(new RunningCount.Node(exact, noisy));
 *   long error = mechanism.noise().halfWidth(running.draws());
 *   System.out.printf("%d +- %d%n", running.noisy().of(0), error);
 * }
 * }</pre>
 */
package io.sfumato.mechanism.count;
