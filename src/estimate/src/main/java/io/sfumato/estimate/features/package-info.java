// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Estimates from noisy sums of features.
 *
 * <p>Start with {@link NoisySums}.
 */
package io.sfumato.estimate.features;
