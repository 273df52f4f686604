// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Plans and densities of Dirichlet draws.
 *
 * <p>Start with {@link DirichletCalibrator}. {@link DirichletAccuracy} has the error bars, {@link
 * DirichletDensity} the likelihood, and {@link SampleComplexity} Theorem 2 of Ponnoprat, TMLR 2023.
 */
package io.sfumato.estimate.dirichlet;
