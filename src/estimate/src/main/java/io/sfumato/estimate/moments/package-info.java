// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Plans, errors and estimates of counts, sums, means and variances.
 *
 * <p>Start with {@link MomentError}, which plans, and {@link MomentEstimates}, which estimates.
 * {@link RunningMoments} does both for several windows.
 */
package io.sfumato.estimate.moments;
