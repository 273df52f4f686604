// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Kernel bandwidths for approximate Bayesian computation. */
package io.sfumato.estimate.abc;
