// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Continual counting: sums over windows, for which each window draws one noisy row
 * (docs/theory/running-sums.md, Theorem K). Coefficients, sensitivities and errors.
 */
package io.sfumato.mechanism.continual;
