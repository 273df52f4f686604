// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Which square-root factorisation errs least, and how far sums over windows err. */
package io.sfumato.estimate.matrix;
