// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Errors and estimates of quantiles. */
package io.sfumato.estimate.quantile;
