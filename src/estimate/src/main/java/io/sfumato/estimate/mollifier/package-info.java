// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Learners and planning estimates of private sampling within a band.
 *
 * <p>Start with {@link PlannedItems}, and {@link PopulationEstimate}, which estimates shares of a
 * population from published items. Band and samplers are in {@link io.sfumato.mechanism.mollifier}.
 */
package io.sfumato.estimate.mollifier;
