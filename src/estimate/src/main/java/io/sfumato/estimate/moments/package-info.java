// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans, errors and estimates of counts, sums, means and variances. */
package io.sfumato.estimate.moments;
