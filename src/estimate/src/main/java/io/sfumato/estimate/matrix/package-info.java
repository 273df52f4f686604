// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Which square-root factorization errs least, and the error of sums over windows. */
package io.sfumato.estimate.matrix;
