// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Estimates from noisy sums of features. */
package io.sfumato.estimate.features;
