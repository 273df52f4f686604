// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans and errors of running sums. */
package io.sfumato.estimate.continual;
