// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Which square-root factorization errs least, and the error of sums over windows.
 *
 * <p>Start with {@link BestBand}, which chooses the band, and {@link RootEstimate}, which turns
 * rows into prefix sums.
 */
package io.sfumato.estimate.matrix;
