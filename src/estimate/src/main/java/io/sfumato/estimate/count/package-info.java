// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Errors of counts that are summed over windows. */
package io.sfumato.estimate.count;
