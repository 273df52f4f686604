// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * The least noise that a share affords, and intervals, densities and estimates for noisy values.
 */
package io.sfumato.estimate.additive;
