// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

/**
 * What is thought of a count once its noisy one is seen.
 *
 * @param mean of the count, at least 0
 * @param variance of it, at least 0
 * @param logEvidence logarithm of how likely the prior thought what was seen, up to a number that
 *     is the same for all priors
 */
record CountPosterior(double mean, double variance, double logEvidence) {}
