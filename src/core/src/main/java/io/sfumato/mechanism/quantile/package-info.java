/**
 * Quantiles of a window's values: one noisy vector over bins, and every quantile of it afterwards.
 *
 * <p>Start with {@link Bins}, and {@link QuantileQuery}, which counts values by bin through the
 * root of Theorem J.
 *
 * <pre>{@code
 * Bins bins = Bins.of(0, 300, Bins.DEFAULT, Bins.Scale.LINEAR);
 * CalibrationTarget share = new CalibrationTarget("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
 * QuantileQuery query = new QuantileQuery(bins, 1);
 * GridSensitivity users = RootSensitivity.addOrRemove(query.root(), 1, 1);
 * GridMeasurement<QuantileQuery> mechanism =
 *     VectorCalibrator.gaussian(share, query, users).orElseThrow().mechanism();
 *
 * long[] counts = new long[bins.number()];
 * for (int i = 0; i < 10_000; i++) {
 *   counts[bins.of(40 + 37 * i % 101)]++;
 * }
 * // For a simulation; real releases go through Gate.release.
 * KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
 * NoisyVector drawn = mechanism.distribution(new ExactVector(counts)).draw(random);
 * QuantileEstimate[] found = new QuantileEstimates(mechanism).of(drawn, 0.5, 0.99);
 * for (QuantileEstimate one : found) {
 *   System.out.printf("%.1f (%.1f to %.1f)%n", one.value(), one.low(), one.high());
 * }
 * }</pre>
 */
package io.sfumato.mechanism.quantile;
