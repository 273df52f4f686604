// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/** What is published about a histogram. */
public sealed interface HistogramRelease extends ReleasedData permits Distribution, ItemCounts {
  /** Number of categories. */
  int categories();
}
