// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Sums that run over windows, in which each window draws one noisy row (docs/privacy.md, "Sums over
 * windows"): what is kept of the past, how it is weighed, and how large the error is.
 */
package io.sfumato.mechanism.continual;
