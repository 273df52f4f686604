// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** Bounds that are found privately: which noisy buckets pass. */
package io.sfumato.estimate.bounds;
