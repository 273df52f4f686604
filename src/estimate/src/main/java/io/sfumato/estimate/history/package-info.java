// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Empirical Bayes from a subject's earlier releases, which are public: a prior fitted to them, and
 * posterior means. Post-processing only.
 *
 * <p>Start with {@link EmpiricalBayesHistogram} for histograms, {@link LearningCounts} for counts,
 * and {@link ReleaseHistory}, which holds what was released before.
 */
package io.sfumato.estimate.history;
