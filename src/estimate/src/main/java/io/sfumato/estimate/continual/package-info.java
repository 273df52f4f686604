// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Plans and errors of running sums.
 *
 * <p>Start with {@link RunningCalibrator}, which finds the least noise for a {@link Horizon}, and
 * {@link RowErrorBars}. The sensitivity is Theorem K, in {@link io.sfumato.mechanism.continual}.
 */
package io.sfumato.estimate.continual;
