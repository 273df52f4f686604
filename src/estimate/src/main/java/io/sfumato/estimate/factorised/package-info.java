// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans of sums over windows by square-root factorisations. */
package io.sfumato.estimate.factorised;
