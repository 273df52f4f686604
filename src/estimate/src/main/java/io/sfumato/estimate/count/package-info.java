// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Errors of counts that are summed over windows.
 *
 * <p>Start with {@link RunningErrors}.
 */
package io.sfumato.estimate.count;
