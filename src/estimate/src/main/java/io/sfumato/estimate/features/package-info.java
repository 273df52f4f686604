// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Plans of noisy feature sums. */
package io.sfumato.estimate.features;
