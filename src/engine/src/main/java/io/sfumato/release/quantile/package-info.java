// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Quantiles of numbers: any number of them from one noisy vector, for a single charge. */
package io.sfumato.release.quantile;
