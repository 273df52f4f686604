// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Empirical Bayes from a subject's earlier releases, which are public: a prior fitted to them, and
 * posterior means. Post-processing only.
 */
package io.sfumato.estimate.history;
