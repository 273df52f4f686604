// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The least noise that a share affords, and intervals, densities and estimates for noisy values.
 *
 * <p>Start with {@link VectorCalibrator} for vectors of counts or sums, and {@link
 * AdditiveCalibrator} for histograms. {@link NoisyDensity} and {@link CountDensity} are likelihoods
 * of candidates.
 */
package io.sfumato.estimate.additive;
