// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Continual counting: sums over windows, for which each window draws one noisy row
 * (docs/theory/running-sums.md, Theorem K). Coefficients, sensitivities and errors.
 *
 * <p>Start with {@link RunningMechanism}, which draws rows, and {@link RunningSums}, which adds
 * them up. {@link SquareRootCoefficients} follow Fichtenberger, Henzinger, Upadhyay 2023 and
 * Kalinin, Lampert 2024; the sensitivity is Theorem K.
 */
package io.sfumato.mechanism.continual;
