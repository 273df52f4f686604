// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans of counts, and errors of their sums over windows. */
package io.sfumato.estimate.count;
