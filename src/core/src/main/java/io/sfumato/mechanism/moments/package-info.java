/**
 * Counts, sums, means and variances of bounded numbers, for what one noisy count costs: a record is
 * split between the ends of its number's range.
 *
 * <p>Start with {@link BernsteinParts}, which splits a number, and {@link MomentQuery}, which adds
 * the parts up. {@link MomentSensitivity} is Theorem I.
 *
 * <pre>{@code
 * CalibrationTarget share =
 *     new CalibrationTarget("waiting", Epsilon.of("1"), Delta.of("1e-6"), 1);
 * MomentSensitivity users = MomentSensitivity.addOrRemove(1, 1, 1);
 * GridMeasurement<MomentQuery> mechanism =
 *     MomentError.best(share, List.of(users)).get(0).mechanism();
 *
 * NumberBounds minutes = new NumberBounds(0, 120); // public: what is outside counts as an end
 * BernsteinParts parts = new BernsteinParts(minutes, 1);
 * ExactVector exact = ExactVector.none(2);
 * for (int person = 0; person < 400; person++) {
 *   exact = exact.plus(new ExactVector(parts.of(10 + person % 50)));
 * }
 *
 * // For a simulation; real releases go through Gate.release.
 * KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
 * NoisyVector drawn = mechanism.distribution(exact).draw(random);
 * NoisyMoments noisy = NoisyMoments.of(mechanism.query(), drawn);
 * Estimate mean = MomentEstimates.of(mechanism, noisy, 0, 0, minutes).mean();
 * System.out.printf("%.1f minutes, %.1f to %.1f%n", mean.value(), mean.low(), mean.high());
 * }</pre>
 */
package io.sfumato.mechanism.moments;
