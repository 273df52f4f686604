// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Noise that a share affords, and intervals, densities and estimates of what it was added to. */
package io.sfumato.estimate.additive;
