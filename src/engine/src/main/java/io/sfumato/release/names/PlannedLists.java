// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

/** A planned output of lists of names. */
public interface PlannedLists {
  /** Where the truth of sums of its counts lies, those of several subjects. */
  SumIntervals sums();
}
