// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Errors and estimates of quantiles.
 *
 * <p>Start with {@link QuantileEstimates}; {@link QuantileError} says how far a plan is off.
 */
package io.sfumato.estimate.quantile;
