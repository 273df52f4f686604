// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Bandwidths for approximate Bayesian computation. */
package io.sfumato.estimate.abc;
