// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Kernel bandwidths for approximate Bayesian computation.
 *
 * <p>Start with {@link MedianHeuristic}.
 */
package io.sfumato.estimate.abc;
