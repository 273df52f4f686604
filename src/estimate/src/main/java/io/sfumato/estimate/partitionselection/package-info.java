// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Plans of partition selection, and intervals of the counts that it publishes.
 *
 * <p>Start with {@link SelectionCalibrator} for single windows and {@link
 * RunningSelectionCalibrator} for several (Theorem N); {@link RunningNameBars} has the intervals.
 */
package io.sfumato.estimate.partitionselection;
