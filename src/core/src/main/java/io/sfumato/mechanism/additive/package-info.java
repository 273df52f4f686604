/**
 * Whole-number noise that is added to counts (Canonne, Kamath, Steinke 2020): one law for
 * histograms and counts, what it costs, and the post-processing that makes shares of noisy counts.
 *
 * <p>Start with {@link CountMeasurement}: a query of whole counts, its sensitivity, and {@link
 * GaussianNoise} or {@link LaplaceNoise}. {@link GridMeasurement} is the same for numbers on a
 * finer grid. {@link TheoremD} proves the profile of discrete Gaussian noise.
 */
package io.sfumato.mechanism.additive;
