// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** What draws say of sums of features. */
package io.sfumato.estimate.features;
