/**
 * Quantiles of a window's values: one noisy vector over bins, and every quantile of it afterwards.
 *
 * <pre>{@code
 * Bins bins = Bins.of(0, 300, Bins.DEFAULT, Bins.Scale.LINEAR);
 * ShareRequest share = new ShareRequest("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
 * QuantileMechanism mechanism =
 *     QuantilePlanner.addOrRemove(share, bins, 1).orElseThrow().mechanism();
 *
 * long[] counts = new long[bins.number()];
 * for (int i = 0; i < 10_000; i++) {
 *   counts[bins.of(40 + 37 * i % 101)]++;
 * }
 * // For a simulation; real releases go through Gate.release.
 * ReplayableRandom random = ReplayableRandom.ofPublicSeed("an example");
 * NoisyBins drawn = mechanism.law(new RowCounts(counts)).draw(random);
 * QuantileEstimate[] found = new QuantileEstimates(mechanism).of(drawn, 0.5, 0.99);
 * for (QuantileEstimate one : found) {
 *   System.out.printf("%.1f (%.1f to %.1f)%n", one.value(), one.low(), one.high());
 * }
 * }</pre>
 */
package io.sfumato.mechanism.quantile;
