// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Bounds from noisy buckets: which buckets pass.
 *
 * <p>Start with {@link BucketThreshold}.
 */
package io.sfumato.estimate.bounds;
