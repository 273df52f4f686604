// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Quantiles of records' numbers: any number of them from one noisy vector, for one charge. */
package io.sfumato.release.quantile;
